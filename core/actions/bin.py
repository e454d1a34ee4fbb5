"""The bin: what lies in it, bringing it back, and deleting it for good."""

from dataclasses import dataclass

from ..forgetting.lifecycle import doomed
from ..model.memory import Status
from ..ports import Filter
from ..records.quarantine import is_quarantined
from .answers import MemoryView, Refusal, Refused
from .context import Context, for_admins
from .lookup import find, find_own
from .views import PAGE, Page, memories_page, view, views

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Purged:
    """How many memories went, and how many recorded messages with them; of one, which it was."""

    memories: int
    turns: int
    memory: MemoryView | None = None


@dataclass(frozen=True, slots=True)
class Discarded:
    """A record that cannot be read is gone."""


@dataclass(frozen=True, slots=True)
class PurgeToConfirm:
    """Nothing is deleted before the caller repeats the request with this code."""

    count: int
    code: str


@for_admins
async def list_bin(context: Context, page: int, size: int = PAGE) -> Page[MemoryView]:
    """What lies in the bin of this chat."""
    found = await memories_page(context, [await _here(context)], page, size=size)
    shown = await views(context, found.entries)
    return Page(shown, found.number, found.pages, found.total)


async def restore(context: Context, id: str) -> MemoryView | Refused:
    """A binned or archived memory back to life, as it is then.

    Anybody may bring back what a policy archived of their own; the bin is for admins.
    """
    memory = await find_own(context, id)
    if isinstance(memory, Refused):
        return memory
    if memory.standing.status is Status.BINNED and not context.caller.admin:
        return Refused(Refusal.ADMINS_ONLY)
    if is_quarantined(memory):
        return Refused(Refusal.QUARANTINED, await view(context, memory))
    changed = await context.engine.curation.restore([memory.id], by=context.caller.signature)
    if changed:
        return await view(context, changed[0].after)
    left = await context.store.find([memory.id])
    alive = any(not doomed(each) for each in left)
    reason = Refusal.NOT_GONE if alive else Refusal.BEING_PURGED
    return Refused(reason, await view(context, memory))


@for_admins
async def purge(context: Context, id: str) -> Purged | Discarded | Refused:
    """Delete one memory of the bin for good, or one record that cannot be read."""
    memory = await find(context, id)
    if isinstance(memory, Refused):
        return Discarded() if await _discarded(context, id) else memory
    shown = await view(context, memory)
    if memory.standing.status is not Status.BINNED:
        return Refused(Refusal.NOT_BINNED, shown)
    purged = await context.engine.curation.purge([memory.id], by=context.caller.signature)
    return Purged(purged.memories, purged.turns, shown)


@for_admins
async def purge_all(context: Context, code: str = "") -> Purged | PurgeToConfirm | Refused:
    """Delete everything in the bin of this chat for good."""
    confirmations = context.services.confirmations
    if not code:
        count = await context.store.count(await _here(context))
        if count == 0:
            return Refused(Refusal.NOTHING_THERE)
        return PurgeToConfirm(count, confirmations.ask(context.caller, "purge", now=context.now))
    if not confirmations.redeem(context.caller, "purge", code, now=context.now):
        return Refused(Refusal.WRONG_CODE)
    where, memories, turns = await _here(context), 0, 0
    while page := await context.store.page(where, limit=AT_ONCE):
        ids = [memory.id for memory in page]
        purged = await context.engine.curation.purge(ids, by=context.caller.signature)
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
    return bool(await context.engine.curation.discard(meant, by=context.caller.signature))


async def _here(context: Context) -> Filter:
    return Filter(scopes=await context.readable(), status=Status.BINNED)
