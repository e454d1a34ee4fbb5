"""Writing memories into a file, page by page, complete or not at all."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ..model.jobs import Tell, no_progress
from ..model.memory import Memory
from ..ports import Filter, Ledger, MemoryReader, MemoryStore, Unreadable
from ..records.on_disk import sync_folder
from .answers import seal_of
from .lines import (
    ExportedMemory,
    Header,
    Trailer,
    aside_line,
    entry_line,
    header_line,
    trailer_line,
)
from .places import partial_of

PAGE = 200


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
    import knows them.

    What is stored there and cannot be read follows as it is, uncounted.

    The file appears under its name only when it is whole, and replaces an older one. What is
    changed meanwhile is in it as it was before or after. Raises OSError.
    """
    partial = partial_of(file)
    scopes = None if header.scopes is None else frozenset(header.scopes)
    wanted = Filter(scopes=scopes, status=None)
    count, total = 0, await store.count(wanted)
    try:
        with await asyncio.to_thread(partial.open, "wb") as out:
            await asyncio.to_thread(out.write, header_line(header))
            async for page in pages(store, wanted):
                entries = await _entries(store, page, vectors=vectors)
                if ledger is not None:
                    entries = [replace(e, seal=seal_of(e.memory, ledger)) for e in entries]
                await asyncio.to_thread(_write, out, entries)
                count += len(page)
                tell(count, max(total, count))
            await asyncio.to_thread(_write_aside, out, await _aside(store, scopes))
            await asyncio.to_thread(_finish, out, trailer_line(Trailer(count)))
        await asyncio.to_thread(partial.replace, file)
        await asyncio.to_thread(sync_folder, file.parent)
    finally:
        partial.unlink(missing_ok=True)
    return count


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


async def _entries(
    store: MemoryStore, page: Sequence[Memory], *, vectors: bool
) -> list[ExportedMemory]:
    embedded = await store.vectors([memory.id for memory in page]) if vectors else {}
    return [ExportedMemory(memory, embedded.get(memory.id)) for memory in page]


async def _aside(store: MemoryReader, scopes: frozenset[str] | None) -> list[Unreadable]:
    every = await store.unreadable()
    return [record for record in every if scopes is None or record.scope in scopes]


def _write_aside(out: BinaryIO, records: Sequence[Unreadable]) -> None:
    out.write(b"".join(map(aside_line, records)))


def _write(out: BinaryIO, entries: Sequence[ExportedMemory]) -> None:
    out.write(b"".join(map(entry_line, entries)))


def _finish(out: BinaryIO, last: bytes) -> None:
    out.write(last)
    out.flush()
    os.fsync(out.fileno())
