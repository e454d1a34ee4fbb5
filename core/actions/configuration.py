"""Settings changed at run time, and given back to the file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..forgetting.fsrs import FsrsMissing
from ..settings import (
    PROMPT,
    SETTINGS,
    Change,
    Configuration,
    Problem,
    Setting,
    SettingOrigin,
    Settings,
    to_json,
    value_of,
    with_value,
)
from .answers import PackageMissing, Refusal, Refused
from .context import Context, for_admins
from .signatures import changed_by

EVERYTHING = "all"

_OF_PRESETS = (
    *("recall.enabled", "recall.eagerness", "recall.budget_tokens", "recall.profile"),
    "capture.group_chatter",
)
PRESETS: Mapping[str, Mapping[str, bool | float | str]] = {
    name: dict(zip(_OF_PRESETS, values, strict=True))
    for name, values in {
        "quiet": (True, "quiet", 300, "off", False),
        "balanced": (True, "balanced", 800, "private", True),
        "eager": (True, "eager", 1_600, "private", True),
        "listen": (False, "balanced", 800, "off", True),
    }.items()
}
"""How much is brought up, in a few settings, the same for each."""


class UnfitValues(Refused):
    """Values that are none of what they may be."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(Refusal.UNFIT)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What was in force before and is now, the settings that it is about, and the command that
    installs what they lack, "" for nothing.
    """

    before: Configuration
    after: Configuration
    names: Sequence[str]
    missing: str


@for_admins
async def current(context: Context) -> Configuration:
    """What is in force, where each value comes from, and who changed it, as told here."""
    known = context.services.configuration
    changes = {
        name: replace(change, by=await changed_by(context, change.by))
        for name, change in known.changes.items()
    }
    return replace(known, changes=changes)


@for_admins
async def change_setting(context: Context, name: str, value: object) -> SettingsChange:
    """Put a value of the setting's type into force, under the caller's signature."""
    setting = _known(name)
    if not setting.changeable:
        raise Refused(Refusal.FIXED, name=name)
    taken = setting.take(value, SettingOrigin.OVERRIDE)
    if isinstance(taken, Problem):
        raise UnfitValues([taken])
    settings = context.services.configuration.settings
    missing = _missing(context, with_value(settings, name, taken))
    if missing is not None and _missing(context, settings) is None:
        raise missing
    change = Change(taken, context.by, context.now)
    await context.journal.set_override(name, to_json(change))
    return await _in_force(context, [name])


@for_admins
async def apply_preset(context: Context, name: str) -> SettingsChange:
    """Put one of `PRESETS` into force; what the file says so already is given back to it."""
    known, by = context.services.configuration, context.by
    for setting, value in PRESETS[name].items():
        change = None if value_of(known.file, setting) == value else Change(value, by, context.now)
        kept = None if change is None else to_json(change)
        await context.journal.set_override(setting, kept)
    moved = [key for key, v in PRESETS[name].items() if value_of(known.settings, key) != v]
    return await _in_force(context, moved)


def preset_in_force(settings: Settings) -> str:
    """Which of `PRESETS` all their settings agree with; "" for none."""
    found = {name: value_of(settings, name) for name in _OF_PRESETS}
    return next((name for name, values in PRESETS.items() if values == found), "")


@for_admins
async def reset_setting(context: Context, name: str) -> SettingsChange:
    """Give a setting, or EVERYTHING that was changed at run time, back to the file."""
    kept = await context.journal.overrides()
    overrides = [each for each in kept if not each.startswith(PROMPT)]
    names = sorted(overrides) if name == EVERYTHING else [name]
    if not names or (name != EVERYTHING and name not in overrides):
        if name == EVERYTHING:
            raise Refused(Refusal.NOTHING_CHANGED)
        raise Refused(Refusal.NOT_CHANGED, name=_known(name).name)
    for changed in names:
        await context.journal.set_override(changed, None)
    return await _in_force(context, [changed for changed in names if changed in SETTINGS])


def _known(name: str) -> Setting:
    if name not in SETTINGS:
        raise Refused(Refusal.UNKNOWN_SETTING, name=name)
    return SETTINGS[name]


async def _in_force(context: Context, names: Sequence[str]) -> SettingsChange:
    before = context.services.configuration
    after = await context.services.reconfigure()
    missing = _missing(context, after.settings)
    return SettingsChange(before, after, names, "" if missing is None else missing.command)


def _missing(context: Context, settings: Settings) -> PackageMissing | None:
    """What has to be installed before a policy that these settings choose can decide."""
    try:
        settings.forgetting.in_force(context.engine.policy)
    except FsrsMissing:
        return PackageMissing("fsrs")
    return None
