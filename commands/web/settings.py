"""The settings: where each value comes from, changing it, and giving it back to the file."""

from dataclasses import dataclass

from ...core.actions import configuration
from ...core.actions import prompts as own
from ...core.actions.answers import PackageMissing, Refused
from ...core.actions.configuration import NotChangeable, NotChanged, SettingsChange, UnknownSetting
from ...core.actions.prompts import Prompts
from ...core.model.errors import INSTALL
from ...core.settings import (
    SETTINGS,
    Configuration,
    Problem,
    Setting,
    SettingOrigin,
    Want,
    value_of,
)
from .request import BadRequest, WebRequest

LONGEST_VALUE = 2_000
LONGEST_PROMPT = 20_000


@dataclass(frozen=True, slots=True)
class SettingShape:
    """One setting. A `secret` has no value here but whether there is one.

    `idle`: it has no effect until `needs` has the value `needs_value`. `by` and `at` are who
    changed it at run time, and when. `problem` is what was given in the file and is not used.
    """

    name: str
    kind: Want
    low: float | None
    high: float | None
    step: float | None
    choices: list[str]
    value: bool | float | str
    default: bool | float | str
    file: bool | float | str
    origin: SettingOrigin
    secret: bool
    changeable: bool
    basic: bool
    idle: bool
    needs: str
    needs_value: str
    by: str
    at: float
    problem: str


@dataclass(frozen=True, slots=True)
class SettingsShape:
    """Every setting in the order of the form."""

    settings: list[SettingShape]


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """What is in force now; `problem` is why nothing was changed, or "", with what is wanted."""

    settings: list[SettingShape]
    problem: str
    missing: str


async def list_(request: WebRequest) -> SettingsShape | Refused:
    """Every setting as it is in force."""
    found = await configuration.current(request.context)
    if isinstance(found, Refused):
        return found
    return SettingsShape([_shape(setting, found) for setting in SETTINGS.values()])


async def change(request: WebRequest) -> SettingChanged | Refused:
    """Put a value into force."""
    name = request.needed("name")
    done = await configuration.change_setting(request.context, name, _value(request, name))
    return await _told(request, done)


async def reset(request: WebRequest) -> SettingChanged | Refused:
    """Give a setting, or all that were changed, back to the file."""
    done = await configuration.reset_setting(request.context, request.needed("name"))
    return await _told(request, done)


async def prompts(request: WebRequest) -> Prompts | Refused:
    """The instructions of every model call."""
    return await own.prompts(request.context)


async def change_prompt(request: WebRequest) -> Prompts | Refused:
    """Put an owner's instructions into force."""
    name, text = request.needed("name"), request.text("text", longest=LONGEST_PROMPT)
    return await own.change_prompt(request.context, name, text)


async def reset_prompt(request: WebRequest) -> Prompts | Refused:
    """Put ours into force again, of one call or of all."""
    return await own.reset_prompt(request.context, request.needed("name"))


async def _told(
    request: WebRequest,
    done: SettingsChange
    | UnknownSetting
    | NotChangeable
    | NotChanged
    | Problem
    | PackageMissing
    | Refused,
) -> SettingChanged | Refused:
    match done:
        case Refused():
            return done
        case UnknownSetting():
            raise BadRequest("name")
        case SettingsChange():
            lacking = "" if done.lacking is None else INSTALL[done.lacking.package]
            after = [_shape(SETTINGS[name], done.after) for name in done.names]
            return SettingChanged(after, "", lacking)
        case PackageMissing(package):
            return SettingChanged([], "missing", INSTALL[package])
        case Problem():
            return SettingChanged([], "unfit", "")
        case NotChangeable():
            return SettingChanged([], "fixed", "")
        case NotChanged():
            return SettingChanged([], "not_changed", "")


def _value(request: WebRequest, name: str) -> object:
    """As JSON has it: a number of the right sort, and never more text than a setting takes."""
    value = request.params.get("value")
    if isinstance(value, str):
        return request.text("value", longest=LONGEST_VALUE)
    whole = name in SETTINGS and SETTINGS[name].wanted.kind is Want.WHOLE
    if whole and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _shape(setting: Setting, found: Configuration) -> SettingShape:
    change = found.changes.get(setting.name)
    needs, wanted = setting.when or ("", "")
    problem = next((each.given for each in found.problems if each.name == setting.name), "")
    return SettingShape(
        setting.name,
        setting.wanted.kind,
        setting.wanted.low,
        setting.wanted.high,
        setting.declaration.step,
        [str(each) for each in setting.wanted.choices],
        _hidden(setting, value_of(found.settings, setting.name)),
        _hidden(setting, setting.default),
        _hidden(setting, value_of(found.file, setting.name)),
        found.origin(setting.name),
        setting.secret,
        setting.changeable,
        setting.declaration.basic,
        not found.matters(setting.name),
        needs,
        str(wanted).lower() if isinstance(wanted, bool) else str(wanted),
        "" if change is None else change.by,
        0.0 if change is None else change.at,
        problem,
    )


def _hidden(setting: Setting, value: bool | float | str) -> bool | float | str:
    return bool(value) if setting.secret else value
