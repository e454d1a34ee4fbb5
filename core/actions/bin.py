"""The bin and quarantine: what lies there, bringing it back, and deleting it for good."""

from dataclasses import dataclass

from ..conflict.trust import trust_of
from ..forgetting.lifecycle import doomed
from ..model.memory import Memory, Status
from ..ports import Filter
from ..records.learnt import is_quarantined
from .answers import MemoryView, Refusal, Refused
from .context import Context, for_admins
from .searching import find, find_own, may_change
from .views import PAGE, Page, page_of, shown, view

AT_ONCE = 200

MOST_READ = 1_000
"""Memories in quarantine that a listing looks through."""


@dataclass(frozen=True, slots=True)
class Purged:
    """How many memories went, and how many recorded messages with them; of one, which it was."""

    memories: int
    turns: int
    memory: MemoryView | None = None


async def restore(context: Context, id: str) -> MemoryView:
    """A binned or archived memory back to life, as it is then.

    Anybody may bring back what a policy archived of their own; the bin is for admins.
    """
    memory = await find_own(context, id)
    if memory.standing.status is Status.BINNED and not context.caller.admin:
        raise Refused(Refusal.ADMINS_ONLY)
    if is_quarantined(memory):
        raise Refused(Refusal.QUARANTINED, await view(context, memory))
    changed = await context.engine.curation.restore([memory.id], by=context.by)
    if changed:
        return await view(context, changed[0].after)
    left = await context.store.find([memory.id])
    alive = any(not doomed(each) for each in left)
    reason = Refusal.NOT_GONE if alive else Refusal.BEING_PURGED
    raise Refused(reason, await view(context, memory))


@for_admins
async def purge(context: Context, id: str) -> Purged:
    """Delete one memory of the bin for good, or one record that cannot be read."""
    try:
        memory = await find(context, id)
    except Refused:
        if await _discarded(context, id):
            return Purged(0, 0)
        raise
    shown = await view(context, memory)
    if memory.standing.status is not Status.BINNED:
        raise Refused(Refusal.NOT_BINNED, shown, id=shown.id)
    purged = await context.engine.curation.purge([memory.id], by=context.by)
    return Purged(purged.memories, purged.turns, shown)


@for_admins
async def purge_all(context: Context, code: str = "") -> Purged:
    """Delete everything in the bin of this chat for good; first a code."""
    if not code:
        count = await context.store.count(await _here(context))
        if count == 0:
            raise Refused(Refusal.NOTHING_THERE)
        raise context.code_needed("purge", count=count)
    context.redeem("purge", code)
    where, memories, turns = await _here(context), 0, 0
    while page := await context.store.page(where, limit=AT_ONCE):
        ids = [memory.id for memory in page]
        purged = await context.engine.curation.purge(ids, by=context.by)
        memories += purged.memories
        turns += purged.turns
    return Purged(memories, turns)


async def _discarded(context: Context, id: str) -> bool:
    """Delete the record that cannot be read and has this id, if there is one here."""
    scopes = None if context.caller.sees_everything else await context.readable()
    meant = [
        record
        for record in await context.store.unreadable()
        if record.id == id and (scopes is None or record.scope in scopes)
    ]
    return bool(await context.engine.curation.discard(meant, by=context.by))


async def _here(context: Context) -> Filter:
    return Filter(scopes=await context.readable(), status=Status.BINNED)


async def list_quarantine(context: Context, page: int, size: int = PAGE) -> Page[MemoryView]:
    """What of this chat the caller may decide on, the most trusted first, then the newest."""
    aside = Filter(scopes=await context.readable(), status=Status.QUARANTINED)
    found = await context.store.page(aside, limit=MOST_READ)
    own = [memory for memory in found if may_change(context, memory)]
    own.sort(key=lambda memory: -trust_of(memory, context.now))
    return await shown(context, page_of(own, page, size))


async def keep(context: Context, written: str) -> MemoryView:
    """It is so: into recall, in the place of what it corrects or continues."""
    memory = await _aside(context, written)
    kept = await context.engine.curation.keep([memory.id], by=context.by)
    context.engine.wake()
    return await view(context, kept[0].after if kept else memory)


async def drop(context: Context, written: str) -> MemoryView:
    """It is not so: into the bin. What was said stays."""
    memory = await _aside(context, written)
    dropped = await context.engine.curation.forget([memory.id], by=context.by)
    return await view(context, dropped[0].after if dropped else memory)


async def _aside(context: Context, written: str) -> Memory:
    memory = await find_own(context, written)
    if not is_quarantined(memory):
        raise Refused(Refusal.NOT_QUARANTINED, await view(context, memory))
    return memory
