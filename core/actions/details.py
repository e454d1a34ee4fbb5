"""The full record of one memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conflict.trust import trust_of
from ..forgetting.lifecycle import forgotten_by_hand
from ..model.knowledge import Media
from ..model.memory import RAW, Memory, Mood, Succession
from ..ports import Filter
from .answers import MemoryView, Refusal
from .context import Context
from .history import HistoryEntry, entries
from .lookup import find
from .masking import masked_by, seen
from .outlook import Outlook, Replaced, outlook, replaced
from .sources import SourceMessage, source_messages
from .stories import ToldLine, story, threads_telling
from .views import hidden, views

MOST_OF_A_SLOT = 12
"""Claims of one slot that are told."""


@dataclass(frozen=True, slots=True)
class Details:
    """A memory, how far it is trusted now, what becomes of it, and what happened to it.

    `corrected` is what it said before somebody put it right.

    `sources` are messages that it rests on, and `chain` what was claimed of the same since and
    until when, oldest first; `story` are the lines of a thread with what they rest on, and
    `threads` those that tell this memory. None of them of a memory whose contents are not shown,
    with `why_masked`. Not `editable`: only the person whose private memory it is puts it right.
    """

    memory: MemoryView
    trust: float
    mood: Mood
    media: Sequence[Media]
    outlook: Outlook
    replaced: Replaced | None
    corrected: Sequence[MemoryView]
    editable: bool
    history: Sequence[HistoryEntry]
    shown_at: Sequence[float]
    sources: Sequence[SourceMessage]
    chain: Sequence[MemoryView]
    story: Sequence[ToldLine]
    threads: Sequence[MemoryView]
    why_masked: Refusal | None


async def details(context: Context, written: str) -> Details:
    """Everything the caller may know of a memory."""
    memory = await find(context, written)
    [shown] = await seen(context, [memory], f"show {memory.id}")
    link, told, masked = memory.successor, shown.memory, shown.masked
    return Details(
        memory=shown,
        trust=trust_of(told, context.now),
        mood=told.sentiment.mood,
        media=told.media,
        outlook=outlook(context, told),
        replaced=None if link is None else await replaced(context, memory, link),
        corrected=() if masked else await _corrected(context, memory),
        editable=not await hidden(context, [memory.scope]),
        history=await entries(context, await context.journal.audit_of(memory.id), memory),
        shown_at=[each.at for each in await context.journal.showings(memory.id)],
        sources=() if masked else await source_messages(context, memory),
        chain=() if masked else await _chain(context, memory),
        story=() if masked else await story(context, memory),
        threads=() if masked else await threads_telling(context, [memory]),
        why_masked=masked_by(context, [shown]),
    )


async def _corrected(context: Context, memory: Memory) -> Sequence[MemoryView]:
    links = (each for each in memory.relations if each.predicate == Succession.CORRECTS)
    older = await context.store.find([link.object for link in links], frozenset({memory.scope}))
    return await views(context, [each for each in older if each.kind not in RAW], whole=True)


async def _chain(context: Context, memory: Memory) -> Sequence[MemoryView]:
    """The newest claims of its slot, without what was forgotten by hand; none if it is alone."""
    if memory.claim is None:
        return ()
    slot = frozenset({memory.claim.slot})
    where = Filter(frozenset({memory.scope}), status=None, slots=slot)
    claims = await context.store.page(where, limit=MOST_OF_A_SLOT)
    told = [each for each in claims if each.id == memory.id or not forgotten_by_hand(each)]
    told.sort(key=lambda each: (each.claim.valid_from if each.claim else 0.0, each.id))
    return await views(context, told, whole=True) if len(told) > 1 else ()
