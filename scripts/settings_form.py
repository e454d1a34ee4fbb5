"""The host's form, made from the declarations of the settings and the words of a language."""

from collections.abc import Mapping
from typing import Any

from ..commands.chat.phrases import Words
from ..core.settings import ENTRIES, Setting, SettingsGroup, Want, Wanted
from ..core.settings.names import Entry

_TYPES = {Want.SWITCH: "bool", Want.WHOLE: "int", Want.NUMBER: "float"}


def schema(words: Mapping[str, Words]) -> dict[str, Any]:
    """What `_conf_schema.json` holds: the entries nested by their names."""
    root: dict[str, Any] = {}
    for entry in ENTRIES:
        *groups, name = entry.name.split(".")
        place = root
        for group in groups:
            place = place[group]["items"]
        place[name] = _item(entry, words[entry.name])
    return root


def bounds(wanted: Wanted) -> tuple[str, str] | None:
    """The ends of the range as a person writes them."""
    if wanted.low is None or wanted.high is None:
        return None
    return f"{wanted.low:.10g}", f"{wanted.high:.10g}"


def _item(entry: Entry, said: Words) -> dict[str, Any]:
    found: dict[str, Any] = {"description": said.description}
    if isinstance(entry, SettingsGroup):
        found |= {"type": "object", "hint": said.hint} | _condition(entry) | {"items": {}}
        return found
    found |= {"type": _TYPES.get(entry.wanted.kind, "string"), "hint": said.hint}
    found["default"] = entry.default
    if entry.wanted.kind is Want.CHOICE:
        choices = [str(choice) for choice in entry.wanted.choices]
        found |= {"options": choices, "labels": list(said.labels)}
    if entry.declaration.step is not None:
        low, high = entry.wanted.low, entry.wanted.high
        found["slider"] = {"min": low, "max": high, "step": entry.declaration.step}
    if entry.secret:
        found["secret"] = True
    if entry.declaration.picker:
        found["_special"] = entry.declaration.picker
    return found | _condition(entry)


def _condition(entry: Setting | SettingsGroup) -> dict[str, Any]:
    """The host compares neighbours, so that only a condition on one can be told."""
    if entry.when is None:
        return {}
    place, _, name = entry.when[0].rpartition(".")
    beside = entry.name.rpartition(".")[0] == place
    return {"condition": {name: entry.when[1]}} if beside else {}
