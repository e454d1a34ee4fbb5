"""The settings: where each value comes from, changing it, and giving it back to the file."""

from dataclasses import dataclass

from ...core.actions import configuration
from ...core.actions.configuration import PRESETS, preset_in_force
from ...core.settings import SETTINGS, Configuration, Setting, SettingOrigin, Value, Want, value_of
from .request import WebRequest

LONGEST_VALUE = 2_000


@dataclass(frozen=True, slots=True)
class SettingState:
    """One setting as it is `declared` and in force. A secret has no value here but whether there
    is one.

    `idle`: it has no effect before another has the value that it waits for. `by` and `at` are who
    changed it at run time, and when. `problem` is what was given in the file and is not used.
    """

    name: str
    declared: Setting
    value: Value
    file: Value
    origin: SettingOrigin
    idle: bool
    by: str
    at: float
    problem: str


@dataclass(frozen=True, slots=True)
class SettingStates:
    """Settings as they are in force, in the order of the form; and the preset they all agree with,
    "" for none.
    """

    settings: list[SettingState]
    preset: str


async def list_(request: WebRequest) -> SettingStates:
    """Every setting as it is in force."""
    found = await configuration.current(request.context)
    states = [_state(setting, found) for setting in SETTINGS.values()]
    return SettingStates(states, preset_in_force(found.settings))


async def change(request: WebRequest) -> str:
    """Put a value into force; the command that installs what it lacks, "" for nothing."""
    name = request.needed("name")
    value = _value(request, name)
    return (await configuration.change_setting(request.context, name, value)).missing


async def preset(request: WebRequest) -> str:
    """Put several settings into force together."""
    name = request.choice("name", PRESETS)
    return (await configuration.apply_preset(request.context, name)).missing


async def reset(request: WebRequest) -> str:
    """Give a setting, or all that were changed, back to the file."""
    name = request.needed("name")
    return (await configuration.reset_setting(request.context, name)).missing


def _value(request: WebRequest, name: str) -> object:
    """As JSON has it: a number of the right sort, and never more text than a setting takes."""
    value = request.params.get("value")
    if isinstance(value, str):
        return request.text("value", longest=LONGEST_VALUE)
    whole = name in SETTINGS and SETTINGS[name].wanted.kind is Want.WHOLE
    if whole and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _state(setting: Setting, found: Configuration) -> SettingState:
    change = found.changes.get(setting.name)
    problem = next((each.given for each in found.problems if each.name == setting.name), "")
    return SettingState(
        setting.name,
        setting,
        _hidden(setting, value_of(found.settings, setting.name)),
        _hidden(setting, value_of(found.file, setting.name)),
        found.origin(setting.name),
        not found.matters(setting.name),
        "" if change is None else change.by,
        0.0 if change is None else change.at,
        problem,
    )


def _hidden(setting: Setting, value: Value) -> Value:
    return bool(value) if setting.secret else value
