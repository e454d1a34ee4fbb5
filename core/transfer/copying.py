"""Memories taken out of a store by the page: another comes to hold exactly what the first holds."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence

from ..model.memory import Memory
from ..ports import Embedded, Filter, MemoryReader, MemoryRecords, MemoryStore, VectorWriter

EVERYTHING = Filter(status=None)
PAGE = 200


async def pages(
    store: MemoryReader, where: Filter, *, size: int = PAGE
) -> AsyncIterator[list[Memory]]:
    """`MemoryReader.iterate` by the page."""
    page: list[Memory] = []
    async for memory in store.iterate(where, page=size):
        page.append(memory)
        if len(page) >= size:
            yield page
            page = []
    if page:
        yield page


async def differing(target: MemoryReader, page: Sequence[Memory]) -> frozenset[str]:
    """Ids of those memories that `target` does not hold exactly so."""
    there = {memory.id: memory for memory in await target.find([memory.id for memory in page])}
    return frozenset(memory.id for memory in page if there.get(memory.id) != memory)


async def drop_absent(target: MemoryRecords, kept: Collection[str]) -> bool:
    """Delete from `target` every memory whose id is not in `kept`; whether that was any."""
    dropped = False
    async for page in pages(target, EVERYTHING):
        if gone := [memory.id for memory in page if memory.id not in kept]:
            await target.purge(gone)
            dropped = True
    return dropped


async def copy_page(source: MemoryStore, target: MemoryStore, memories: Sequence[Memory]) -> None:
    """Make `target` hold these memories as they are, with the vectors `source` has of them."""
    vectors = await source.vectors([memory.id for memory in memories])
    await write_page(target, memories, vectors)


async def write_page(
    target: MemoryStore, memories: Sequence[Memory], vectors: Mapping[str, Embedded]
) -> None:
    """Make `target` hold these memories as they are; what it has already is not written again."""
    ids = [memory.id for memory in memories]
    wanted = {memory.id: memory for memory in memories}
    there = {memory.id: memory for memory in await target.find(ids)}
    if moved := [id for id, memory in there.items() if memory.scope != wanted[id].scope]:
        await target.purge(moved)
    unlike = [memory for memory in memories if there.get(memory.id) != memory]
    added = await target.put(unlike) if unlike else frozenset[str]()
    if other := [memory.id for memory in unlike if memory.id not in added]:
        await target.amend(other, lambda memory: wanted[memory.id])
    have = await target.vectors(list(vectors))
    alike = {
        id
        for id, each in have.items()
        if (each.fingerprint, each.views.keys())
        == (vectors[id].fingerprint, vectors[id].views.keys())
    }
    await attach(target, {id: each for id, each in vectors.items() if id not in alike})


async def attach(target: VectorWriter, vectors: Mapping[str, Embedded]) -> None:
    """Give memories their vectors, with their further views."""
    by_fingerprint: defaultdict[str, dict[str, Embedded]] = defaultdict(dict)
    for id, each in vectors.items():
        by_fingerprint[each.fingerprint][id] = each
    for fingerprint, some in by_fingerprint.items():
        wholes = {id: each.vector for id, each in some.items()}
        views = {id: each.views for id, each in some.items() if each.views}
        await target.set_vectors(fingerprint, wholes, views)
