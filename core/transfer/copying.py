"""Memories taken out of a store by the page: into another store, or into a file.

The other store comes to hold exactly what the first holds; the file is complete or not there.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from ..model.memory import REPLY_MARK, Kind, Memory
from ..model.sleeping import Tell, no_progress
from ..ports import Embedded, Filter, Ledger, MemoryReader, MemoryRecords, MemoryStore, VectorWriter
from ..records.notes import sync_folder
from .lines import ExportedMemory, Header, Trailer, line_of
from .places import partial_of

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


async def export(
    store: MemoryStore,
    file: Path,
    header: Header,
    *,
    vectors: bool = False,
    ledger: Ledger | None = None,
    tell: Tell = no_progress,
) -> int:
    """Write the memories of the header's scopes, in any status; returns how many.

    `tell` is told how many of all. With the `ledger`, answers of the bot's are sealed, so that an
    import knows them. What is stored there and cannot be read follows as it is, uncounted.

    The file appears under its name only when it is whole, and replaces an older one. What is
    changed meanwhile is in it as it was before or after. Raises OSError.
    """
    partial = partial_of(file)
    scopes = None if header.scopes is None else frozenset(header.scopes)
    wanted = Filter(scopes=scopes, status=None)
    count, total = 0, await store.count(wanted)
    try:
        with await asyncio.to_thread(partial.open, "wb") as out:
            await asyncio.to_thread(_write, out, [line_of(header)])
            async for page in pages(store, wanted):
                embedded = await store.vectors([each.id for each in page]) if vectors else {}
                entries = [
                    ExportedMemory(each, embedded.get(each.id), seal_of(each, ledger))
                    for each in page
                ]
                await asyncio.to_thread(_write, out, map(line_of, entries))
                count += len(page)
                tell(count, max(total, count))
            every = await store.unreadable()
            aside = [each for each in every if scopes is None or each.scope in scopes]
            last = [*map(line_of, aside), line_of(Trailer(count))]
            await asyncio.to_thread(_write, out, last, sync=True)
        await asyncio.to_thread(partial.replace, file)
        await asyncio.to_thread(sync_folder, file.parent)
    finally:
        partial.unlink(missing_ok=True)
    return count


def seal_of(memory: Memory, ledger: Ledger | None) -> str:
    """Proves later that the answer in a memory was exported here; "" if it has none."""
    if ledger is None or memory.kind is not Kind.EVIDENCE or REPLY_MARK not in memory.text:
        return ""
    return ledger.seal(memory.id, memory.scope, memory.text)


def _write(out: BinaryIO, lines: Iterable[bytes], *, sync: bool = False) -> None:
    out.write(b"".join(lines))
    if sync:
        out.flush()
        os.fsync(out.fileno())
