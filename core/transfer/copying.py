"""Memories taken out of a store by the page: another comes to hold exactly what the first holds."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence

from ..model.memory import Memory
from ..model.sleeping import Tell, no_progress
from ..ports import Embedded, Filter, MemoryRecords, MemoryStore, MemoryVectors

EVERYTHING = Filter(status=None)


async def drop_absent(target: MemoryRecords, kept: Collection[str]) -> bool:
    """Delete from `target` every memory whose id is not in `kept`; whether that was any."""
    dropped = False
    async for page in target.pages(EVERYTHING):
        if gone := [memory.id for memory in page if memory.id not in kept]:
            await target.purge(gone)
            dropped = True
    return dropped


type Held = tuple[Sequence[Memory], Mapping[str, Embedded]]


async def held_by(store: MemoryStore) -> AsyncIterator[Held]:
    """Everything in a store, by the page, with the vectors there are."""
    async for page in store.pages(EVERYTHING):
        yield page, await store.vectors([memory.id for memory in page])


async def make_hold(
    target: MemoryStore, everything: AsyncIterator[Held], tell: Tell = no_progress
) -> bool:
    """Make `target` hold exactly that, and nothing else; whether anything was deleted there.

    `tell` is told how many memories it holds. Repeatable.
    """
    kept: set[str] = set()
    async for memories, vectors in everything:
        await _write(target, memories, vectors)
        kept.update(memory.id for memory in memories)
        tell(len(kept), 0)
    return await drop_absent(target, kept)


async def _write(
    target: MemoryStore, memories: Sequence[Memory], vectors: Mapping[str, Embedded]
) -> None:
    """What it has already is not written again."""
    wanted = {memory.id: memory for memory in memories}
    there = {memory.id: memory for memory in await target.find(list(wanted))}
    if moved := [id for id, memory in there.items() if memory.scope != wanted[id].scope]:
        await target.purge(moved)
    unlike = [memory for memory in memories if there.get(memory.id) != memory]
    added = await target.put(unlike) if unlike else frozenset[str]()
    if other := [memory.id for memory in unlike if memory.id not in added]:
        await target.amend(other, lambda memory: wanted[memory.id])
    have = await target.vectors(list(vectors))
    told = {id: (each.fingerprint, each.views.keys()) for id, each in have.items()}
    lacking = {
        id: each
        for id, each in vectors.items()
        if told.get(id) != (each.fingerprint, each.views.keys())
    }
    await attach(target, lacking)


async def attach(target: MemoryVectors, vectors: Mapping[str, Embedded]) -> None:
    """Give memories their vectors, with their further views."""
    by_fingerprint: defaultdict[str, dict[str, Embedded]] = defaultdict(dict)
    for id, each in vectors.items():
        by_fingerprint[each.fingerprint][id] = each
    for fingerprint, some in by_fingerprint.items():
        wholes = {id: each.vector for id, each in some.items()}
        views = {id: each.views for id, each in some.items() if each.views}
        await target.set_vectors(fingerprint, wholes, views)
