"""The settings in force: defaults, then the file, then what was changed at run time. Pure."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from ..prompts.instructions import Instructions, catalogue
from .groups import Settings
from .names import SETTINGS, Value, children, value_of, with_values
from .wanted import Problem, SettingOrigin, Want, Wanted, glimpse

PROMPT = "prompt."
"""Begins the name under which an owner's instructions of a call are kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """A setting changed at run time: its value, who changed it, and when (Unix seconds)."""

    value: Value
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force, what the file alone would say, and the values that are not used.

    `host_zone` is the time zone that the host is set to, "" for none; `prompts` are an owner's
    instructions, those that cannot be used among them.
    """

    settings: Settings = Settings()
    file: Settings = Settings()
    changes: Mapping[str, Change] = field(default_factory=dict[str, Change])
    problems: tuple[Problem, ...] = ()
    host_zone: str = ""
    prompts: Mapping[str, Change] = field(default_factory=dict[str, Change])

    def matters(self, name: str) -> bool:
        """Whether the setting has any effect under the others in force."""
        when = SETTINGS[name].when
        return when is None or value_of(self.settings, when[0]) == when[1]

    def origin(self, name: str) -> SettingOrigin:
        """Where the value of a setting comes from."""
        if name in self.changes:
            return SettingOrigin.OVERRIDE
        changed = value_of(self.file, name) != SETTINGS[name].default
        return SettingOrigin.FILE if changed else SettingOrigin.DEFAULT


def configure(
    document: object, overrides: Mapping[str, str] | None = None, host_zone: str = ""
) -> Configuration:
    """The configuration by a config document and the journal's overrides. Never raises.

    A value that cannot be used is reported, and the next one in line holds: the file's for an
    override, the default, or what is declared as the fallback, for the file's. Unknown names in
    the file are left alone. Where nobody has set a time zone, the host's holds if it is known here.
    """
    problems: list[Problem] = []
    values = dict[str, Value]()
    _read(Settings(), {} if document is None else document, "", values, problems)
    prompts, others = _prompts(overrides or {})
    changes = _changes(others, problems)
    changed = {name: change.value for name, change in changes.items()}
    own_zone = SETTINGS["display.timezone"].take(host_zone, SettingOrigin.DEFAULT)
    in_force = values | changed
    if not in_force.get("display.timezone") and not isinstance(own_zone, Problem):
        in_force |= {"display.timezone": own_zone}
    settings = with_values(Settings(), in_force)
    own = {name: str(kept.value) for name, kept in prompts.items()}
    usable = {name: text for name, text in own.items() if not catalogue()[name].fault(text)}
    learning = replace(settings.learning, prompts=Instructions(usable))
    return Configuration(
        settings=replace(settings, learning=learning),
        file=with_values(Settings(), values),
        changes=MappingProxyType(changes),
        problems=tuple(problems),
        host_zone=host_zone,
        prompts=MappingProxyType(prompts),
    )


def to_json(change: Change) -> str:
    """A change as the journal keeps it."""
    return json.dumps({"value": change.value, "by": change.by, "at": change.at})


def _read(
    group: Any, document: object, path: str, values: dict[str, Value], problems: list[Problem]
) -> None:
    if not isinstance(document, Mapping):
        problems.append(Problem(path.rstrip("."), Wanted(Want.OBJECT), glimpse(document)))
        return
    given = cast("Mapping[str, object]", document)
    for own, default in children(group):
        if own not in given:
            continue
        name, value = path + own, given[own]
        if is_dataclass(default):
            _read(default, value, f"{name}.", values, problems)
        elif isinstance(taken := SETTINGS[name].take(value, SettingOrigin.FILE), Problem):
            problems.append(taken)
            if (instead := SETTINGS[name].declaration.fallback) is not None:
                values[name] = instead
        else:
            values[name] = taken


def _changes(overrides: Mapping[str, str], problems: list[Problem]) -> dict[str, Change]:
    changes: dict[str, Change] = {}
    for name, text in sorted(overrides.items()):
        change, setting = _from_json(text), SETTINGS.get(name)
        if setting is None or not setting.changeable:
            wanted = Wanted(Want.CHANGEABLE)
            problems.append(Problem(name, wanted, glimpse(change.value), SettingOrigin.OVERRIDE))
        elif isinstance(taken := setting.take(change.value, SettingOrigin.OVERRIDE), Problem):
            problems.append(taken)
        else:
            changes[name] = Change(taken, change.by, change.at)
    return changes


def _prompts(overrides: Mapping[str, str]) -> tuple[dict[str, Change], dict[str, str]]:
    """Owners' instructions by the name of ours, and the other overrides."""
    others = {name: text for name, text in overrides.items() if not name.startswith(PROMPT)}
    kept = {name: overrides.get(PROMPT + name) for name in catalogue()}
    return {name: _from_json(text) for name, text in kept.items() if text is not None}, others


def _from_json(text: str) -> Change:
    try:
        written = json.loads(text)
        at = float(written["at"])
        return Change(written["value"], str(written["by"]), at if math.isfinite(at) else 0.0)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return Change(text, "", 0.0)
