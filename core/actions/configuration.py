"""Settings and the model calls' instructions: read, changed, given back to ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from ..forgetting.fsrs import FsrsMissing
from ..model.errors import BudgetExhausted, ModelUnavailable, ReplyMalformed
from ..model.times import zone
from ..ports import AuditEntry
from ..prompts.instructions import InstructionFault, Instructions, call_of, catalogue
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
    with_values,
)
from ..text.token_count import estimate_tokens
from .answers import PackageMissing, Refusal, Refused
from .context import Context, changed_by, for_admins
from .explanation import NEWEST
from .views import still_hidden, why_masked

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
    missing = _missing(context, with_values(settings, {name: taken}))
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


CHANGED = "prompt_changed"


@dataclass(frozen=True, slots=True)
class OwnPrompt:
    """A call's instructions in force, of so many `tokens`, and the words that they have to name.

    `by` and `at` tell who changed it and when; an owner's text with a `fault` is not in force.
    """

    name: str
    call: str
    text: str
    needed: list[str]
    tokens: int
    changed: bool
    by: str
    at: float
    fault: InstructionFault | None


@dataclass(frozen=True, slots=True)
class Prompts:
    """Those that were asked for or changed; or the fault of a text, and what it does not name."""

    prompts: list[OwnPrompt]
    fault: InstructionFault | None = None
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """What would be learnt of a conversation that ended then; or the `problem` of the call."""

    at: float
    facts: Sequence[str] = ()
    problem: str = ""


@for_admins
async def try_learning(context: Context, text: str) -> Tried:
    """Learn with this text from the newest conversation that may be seen; nothing is kept."""
    found = await context.journal.newest_recollections(limit=NEWEST)
    turns = [turn for each in found if (turn := await context.journal.turn(each.turn))]
    others = await still_hidden(context, {turn.place.scope for turn in turns})
    seen = [turn for turn in turns if turn.place.scope not in others]
    if not seen:
        raise Refused(why_masked(context) if others else Refusal.NOTHING_THERE)
    own = Instructions({name: text for name in catalogue() if call_of(name) == "learn"})
    read, learner = await context.journal.turns_of(seen[0].episode), context.engine.jobs.learner
    try:
        told = await learner.told_by(read, own, context.now, zone(context.timezone))
    except (ModelUnavailable, ReplyMalformed, BudgetExhausted) as error:
        return Tried(read[-1].at, problem=str(error))
    return Tried(read[-1].at, [each.text for each in told])


@for_admins
async def prompts(context: Context) -> Prompts:
    """All of them, in the order of the catalogue."""
    return await _shown(context, context.services.configuration.prompts, [*catalogue()])


@for_admins
async def change_prompt(context: Context, name: str, text: str) -> Prompts:
    """Put an owner's text into force, under the caller's signature."""
    ours, text = catalogue().get(name), text.replace("\r\n", "\n").strip()
    if fault := ours.fault(text) if ours else InstructionFault.UNKNOWN:
        return Prompts([], fault, tuple(ours.lacking(text)) if ours else ())
    change = Change(text, context.by, context.now)
    return await _kept(context, {name: to_json(change)})


@for_admins
async def reset_prompt(context: Context, name: str) -> Prompts:
    """Put ours into force again, of one call or of EVERYTHING that was changed."""
    if name not in catalogue() and name != EVERYTHING:
        return Prompts([], InstructionFault.UNKNOWN)
    own = context.services.configuration.prompts
    changed = [each for each in own if name in (each, EVERYTHING)]
    return await _kept(context, dict.fromkeys(changed)) if changed else Prompts([])


async def _kept(context: Context, changes: Mapping[str, str | None]) -> Prompts:
    by = context.by
    for name, kept in changes.items():
        await context.journal.set_override(PROMPT + name, kept)
        key, what = f"prompt:{uuid4()}", f"prompt:{name}"
        await context.journal.audit([AuditEntry(key, what, "", CHANGED, by, context.now)])
    after = await context.services.reconfigure()
    return await _shown(context, after.prompts, [*changes])


async def _shown(context: Context, kept: Mapping[str, Change], names: list[str]) -> Prompts:
    return Prompts([await _own(context, name, kept.get(name)) for name in names])


async def _own(context: Context, name: str, change: Change | None) -> OwnPrompt:
    ours, text, fault, by, at = catalogue()[name], catalogue()[name].text, None, "", 0.0
    if change is not None:
        fault, at = ours.fault(str(change.value)), change.at
        text = text if fault else str(change.value)
        by = await changed_by(context, change.by)
    tokens = estimate_tokens(text)
    needed, changed = list(ours.needed), change is not None
    return OwnPrompt(name, call_of(name), text, needed, tokens, changed, by, at, fault)
