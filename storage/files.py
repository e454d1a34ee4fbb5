"""The data folder as a whole: which files belong to which backend, opened, copied, exchanged."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from ..core.ports import Filter, Frozen, Journal, MemoryStore
from .connections import uninterrupted
from .journal import FILE as JOURNAL
from .journal import open_local
from .snapshot import Snapshot, discard, install, verify
from .sqlite import FILE as MEMORIES
from .wiping import drop_copies

AT_ONCE = 500

type OpenStore = Callable[[str, Path], Awaitable[MemoryStore]]


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """`DataFiles` of one folder; `open_store` opens a backend by name in a folder."""

    folder: Path
    open_store: OpenStore

    async def journal(self, folder: Path | None = None) -> Journal:
        return await open_local(folder or self.folder)

    async def store(self, backend: str) -> MemoryStore:
        return await self.open_store(backend, self.folder)

    async def freeze(self, backend: str) -> Frozen:
        names = [MEMORIES, JOURNAL] if backend == "sqlite" else [JOURNAL]
        return await Snapshot.take([self.folder / name for name in names])

    async def verify(self, file: Path) -> None:
        await verify(file)

    async def install(self, staged: Path) -> bool:
        return await uninterrupted(asyncio.to_thread(install, staged, self.folder))

    async def discard(self, backend: str) -> None:
        if backend == "sqlite":
            memories = self.folder / MEMORIES
            await asyncio.to_thread(discard, [memories])
            await drop_copies(memories)
            return
        store = await self.store(backend)
        try:
            while page := await store.page(Filter(status=None), limit=AT_ONCE):
                await store.purge([memory.id for memory in page])
        finally:
            await store.close()
