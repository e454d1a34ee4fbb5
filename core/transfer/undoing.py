"""Undoes an import: deletes what it brought, except what has been used or changed since."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import batched

from ..model.memory import Memory, Succession
from ..ports import Erasure, Journal, MemoryRecords
from ..records.threads import release
from .batches import Batch, Batches, BatchState

AT_ONCE = 200

CHANGES = frozenset(
    (
        *("useful", "useless", "important", "unimportant", "pinned", "unpinned", "confirmed"),
        *("both_hold", "either_holds", "restored", "closed", "given_up", "reopened"),
        *(each.value for each in Succession),
    )
)
"""What people and models do to a memory, in the words of the audit log; time does none of it."""


@dataclass(frozen=True, slots=True)
class BatchContents:
    """Ids of what a batch brought: untouched, used or changed since, and how many are gone."""

    untouched: Sequence[str]
    used: Sequence[str]
    gone: int


async def contents_of(batch: Batch, batches: Batches, store: MemoryRecords) -> BatchContents:
    """What there is to take back."""
    changed = {each.memory for each in await batches.journal.audit_by_action(CHANGES)}
    untouched, used = list[str](), list[str]()
    ids = await batches.memories(batch.id)
    for some in batched(ids, AT_ONCE):
        for memory in await store.find(some):
            touched = memory.id in changed or _used(memory, batch.at)
            (used if touched else untouched).append(memory.id)
    return BatchContents(untouched, used, len(ids) - len(untouched) - len(used))


async def undone(
    batch: Batch, batches: Batches, store: MemoryRecords, journal: Journal, everything: bool
) -> Batch:
    """Delete it for good; the batch as it is then."""
    there = await contents_of(batch, batches, store)
    kept = [] if everything else there.used
    held = frozenset(kept)
    going = [id for id in await batches.memories(batch.id) if id not in held]
    for ids in batched(going, AT_ONCE):
        await release(store, journal, None, ids)
        await store.purge(ids)
        # Last: until then the log says what is still to go.
        await journal.erase(Erasure(memories=frozenset(ids)))
    await store.wiped()
    done = replace(batch, state=BatchState.UNDONE, kept=len(kept))
    await batches.change(done)
    return done


def _used(memory: Memory, since: float) -> bool:
    """Whether it has been shown, judged or replaced."""
    return memory.access.last_at > since or memory.successor is not None
