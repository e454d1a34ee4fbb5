"""The instructions of the model calls: read, changed, and given back to ours."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from ..ports import AuditEntry
from ..prompts.instructions import InstructionFault, call_of, catalogue
from ..settings import PROMPT, Change, to_json
from .configuration import EVERYTHING
from .context import Context, for_admins
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
