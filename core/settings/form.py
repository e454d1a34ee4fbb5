"""The host's form and its texts, made from the declarations. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from .names import ENTRIES, Entry, Setting, SettingsGroup
from .wanted import Want, Wanted

_TYPES = {Want.SWITCH: "bool", Want.WHOLE: "int", Want.NUMBER: "float"}
_RANGE = {"zh": "{} 至 {}", "en": "{} to {}"}
_NEXT = {"zh": "；", "en": "; "}
FORM_LANGUAGE = "zh"
"""Of the texts in the form itself; others are in the catalogues."""


def schema() -> dict[str, Any]:
    """What `_conf_schema.json` holds."""
    return _tree(_item)


def texts(language: str) -> dict[str, Any]:
    """What the host's catalogue of a language says of every setting, under `config`."""
    return _tree(lambda entry: _texts(entry, language), inside=None)


def bounds(wanted: Wanted) -> tuple[str, str] | None:
    """The ends of the range as a person writes them."""
    if wanted.low is None or wanted.high is None:
        return None
    return f"{wanted.low:.10g}", f"{wanted.high:.10g}"


def _tree(item: Callable[[Entry], dict[str, Any]], inside: str | None = "items") -> dict[str, Any]:
    """The entries nested by their names; what is in a group stands in it under `inside`."""
    root: dict[str, Any] = {}
    for entry in ENTRIES:
        *groups, name = entry.name.split(".")
        place = root
        for group in groups:
            place = place[group] if inside is None else place[group][inside]
        place[name] = item(entry)
    return root


def _texts(entry: Entry, language: str) -> dict[str, Any]:
    title, hint, *labels = entry.words[language]
    said: dict[str, Any] = {"description": title, "hint": _with_range(entry, hint, language)}
    return said | ({"labels": list(labels[0])} if labels else {})


def _with_range(entry: Entry, hint: str, language: str) -> str:
    """A slider shows its range itself."""
    if isinstance(entry, SettingsGroup) or entry.declaration.step is not None:
        return hint
    ends = bounds(entry.wanted)
    parts = [part for part in (hint, ends and _RANGE[language].format(*ends)) if part]
    return _NEXT[language].join(parts)


def _item(entry: Entry) -> dict[str, Any]:
    said = _texts(entry, FORM_LANGUAGE)
    found: dict[str, Any] = {"description": said["description"]}
    if isinstance(entry, SettingsGroup):
        found |= {"type": "object", "hint": said["hint"]} | _condition(entry) | {"items": {}}
        return found
    found |= {"type": _TYPES.get(entry.wanted.kind, "string"), "hint": said["hint"]}
    found |= {"default": entry.default} | _choices(entry, said) | _slider(entry)
    if entry.secret:
        found["secret"] = True
    if entry.declaration.picker:
        found["_special"] = entry.declaration.picker
    return found | _condition(entry)


def _choices(entry: Setting, said: Mapping[str, Any]) -> dict[str, Any]:
    if entry.wanted.kind is not Want.CHOICE:
        return {}
    return {"options": [str(choice) for choice in entry.wanted.choices], "labels": said["labels"]}


def _slider(entry: Setting) -> dict[str, Any]:
    low, high, step = entry.wanted.low, entry.wanted.high, entry.declaration.step
    return {} if step is None else {"slider": {"min": low, "max": high, "step": step}}


def _condition(entry: Entry) -> dict[str, Any]:
    """The host compares neighbours, so that only a condition on one can be told."""
    if entry.when is None:
        return {}
    place, _, name = entry.when[0].rpartition(".")
    beside = entry.name.rpartition(".")[0] == place
    return {"condition": {name: entry.when[1]}} if beside else {}
