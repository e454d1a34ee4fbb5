"""Settings changed at run time, and given back to the file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..forgetting.fsrs import FsrsMissing
from ..settings import (
    PROMPT,
    SETTINGS,
    Change,
    Configuration,
    Problem,
    SettingOrigin,
    Settings,
    to_json,
    with_value,
)
from .answers import PackageMissing
from .context import Context, for_admins
from .signatures import signed_in, told

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class UnknownSetting:
    """There is no setting of that name."""


@dataclass(frozen=True, slots=True)
class NotChangeable:
    """It is read at the start alone."""


@dataclass(frozen=True, slots=True)
class NotChanged:
    """The setting, or with EVERYTHING any, has not been changed at run time."""


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What was in force before and is now, the settings that it is about, and what they lack."""

    before: Configuration
    after: Configuration
    names: Sequence[str]
    lacking: PackageMissing | None


@for_admins
async def current(context: Context) -> Configuration:
    """What is in force, where each value comes from, and who changed it, as told here."""
    known = context.services.configuration
    here, everything = context.caller.scope, context.caller.sees_everything
    changes = {
        name: replace(
            change, by=told(change.by) if everything else await signed_in(context, change.by, here)
        )
        for name, change in known.changes.items()
    }
    return replace(known, changes=changes)


@for_admins
async def change_setting(
    context: Context, name: str, value: object
) -> SettingsChange | UnknownSetting | NotChangeable | Problem | PackageMissing:
    """Put a value of the setting's type into force, under the caller's signature."""
    setting = SETTINGS.get(name)
    if setting is None:
        return UnknownSetting()
    if not setting.changeable:
        return NotChangeable()
    taken = setting.take(value, SettingOrigin.OVERRIDE)
    if isinstance(taken, Problem):
        return taken
    settings = context.services.configuration.settings
    lacking = _lacking(context, with_value(settings, name, taken))
    if lacking and not _lacking(context, settings):
        return lacking
    change = Change(taken, context.caller.signature, context.now)
    await context.journal.set_override(name, to_json(change))
    return await _in_force(context, [name])


@for_admins
async def reset_setting(
    context: Context, name: str
) -> SettingsChange | UnknownSetting | NotChanged:
    """Give a setting, or EVERYTHING that was changed at run time, back to the file."""
    kept = await context.journal.overrides()
    overrides = [each for each in kept if not each.startswith(PROMPT)]
    names = sorted(overrides) if name == EVERYTHING else [name]
    if not names or (name != EVERYTHING and name not in overrides):
        known = name == EVERYTHING or name in SETTINGS
        return NotChanged() if known else UnknownSetting()
    for changed in names:
        await context.journal.set_override(changed, None)
    return await _in_force(context, [changed for changed in names if changed in SETTINGS])


async def _in_force(context: Context, names: Sequence[str]) -> SettingsChange:
    before = context.services.configuration
    after = await context.services.reconfigure()
    return SettingsChange(before, after, names, _lacking(context, after.settings))


def _lacking(context: Context, settings: Settings) -> PackageMissing | None:
    """What has to be installed before a policy that these settings choose can decide."""
    try:
        settings.forgetting.in_force(context.engine.policy)
    except FsrsMissing:
        return PackageMissing("fsrs")
    return None
