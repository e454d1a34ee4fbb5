"""The full record of one memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conflict.trust import trust_of
from ..forgetting.lifecycle import forgotten_by_hand
from ..model.memory import Memory
from ..ports import Filter
from .answers import CodeNeeded, MemoryView, Refused
from .context import Context
from .history import HistoryEntry, entries
from .lookup import find
from .masking import seen
from .outlook import Outlook, Replaced, outlook, replaced
from .sources import SourceMessage, source_messages
from .stories import ToldLine, story, threads_telling
from .views import views

MOST_OF_A_SLOT = 12
"""Claims of one slot that are told."""


@dataclass(frozen=True, slots=True)
class Details:
    """A memory, how far it is trusted now, what becomes of it, and what happened to it.

    `sources` are messages that it rests on, and `chain` what was claimed of the same since and
    until when, oldest first; `story` are the lines of a thread with what they rest on, and
    `threads` those that tell this memory. None of them of a memory whose contents are not shown.
    """

    memory: MemoryView
    trust: float
    outlook: Outlook
    replaced: Replaced | None
    history: Sequence[HistoryEntry]
    sources: Sequence[SourceMessage] = ()
    chain: Sequence[MemoryView] = ()
    story: Sequence[ToldLine] = ()
    threads: Sequence[MemoryView] = ()


async def details(
    context: Context, written: str, *, reveal: str | None = None
) -> Details | Refused | CodeNeeded:
    """Everything the caller may know of a memory; for `reveal` see `masking`."""
    memory = await find(context, written)
    if isinstance(memory, Refused):
        return memory
    shown = await seen(context, [memory], request=f"show {memory.id}", reveal=reveal)
    if isinstance(shown, Refused | CodeNeeded):
        return shown
    link, told = memory.successor, shown[0].memory
    return Details(
        shown[0],
        trust_of(told, context.now),
        outlook(context, told),
        None if link is None else await replaced(context, memory, link),
        await entries(context, await context.journal.audit_of(memory.id), memory),
        () if shown[0].masked else await source_messages(context, memory),
        () if shown[0].masked else await _chain(context, memory),
        () if shown[0].masked else await story(context, memory),
        () if shown[0].masked else await threads_telling(context, [memory]),
    )


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
