"""The instructions of the model calls: read, changed, and given back to ours."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from ..model.errors import BudgetExhausted, ModelUnavailable, ReplyMalformed
from ..model.times import zone
from ..ports import AuditEntry
from ..prompts.instructions import InstructionFault, Instructions, call_of, catalogue
from ..settings import PROMPT, Change, to_json
from .answers import Refusal, Refused
from .configuration import EVERYTHING
from .context import Context, for_admins
from .explanation import NEWEST
from .masking import still_hidden, why_masked
from .signatures import changed_by

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
    tokens = await asyncio.to_thread(context.engine.parts.count_tokens, text)
    needed, changed = list(ours.needed), change is not None
    return OwnPrompt(name, call_of(name), text, needed, tokens, changed, by, at, fault)
