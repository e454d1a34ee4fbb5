"""What was learnt and not borne out by what was said: listed, kept, dropped."""

from ..model.memory import Memory, Status
from ..ports import Filter
from ..records.quarantine import is_quarantined
from .answers import MemoryView, Refusal, Refused
from .context import Context
from .lookup import find_own, may_change
from .views import PAGE, Page, page_of, shown, view

MOST_READ = 1_000
"""Memories in quarantine that a listing looks through."""


async def list_quarantine(context: Context, page: int, size: int = PAGE) -> Page[MemoryView]:
    """What of this chat the caller may decide on, newest first."""
    aside = Filter(scopes=await context.readable(), status=Status.QUARANTINED)
    found = await context.store.page(aside, limit=MOST_READ)
    return await shown(
        context, page_of([memory for memory in found if may_change(context, memory)], page, size)
    )


async def keep(context: Context, written: str) -> MemoryView:
    """It is so: into recall, in the place of what it corrects or continues."""
    memory = await _aside(context, written)
    by = context.caller.signature
    kept = await context.engine.curation.keep([memory.id], by=by)
    context.engine.wake()
    return await view(context, kept[0].after if kept else memory)


async def drop(context: Context, written: str) -> MemoryView:
    """It is not so: into the bin. What was said stays."""
    memory = await _aside(context, written)
    by = context.caller.signature
    dropped = await context.engine.curation.forget([memory.id], by=by)
    return await view(context, dropped[0].after if dropped else memory)


async def _aside(context: Context, written: str) -> Memory:
    memory = await find_own(context, written)
    if not is_quarantined(memory):
        raise Refused(Refusal.NOT_QUARANTINED, await view(context, memory))
    return memory
