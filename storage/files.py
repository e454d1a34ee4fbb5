"""The data folder as a whole: which files belong to which backend, opened, copied, exchanged."""

import asyncio
import shutil
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import cast, get_args

from ..core.model.errors import Fault, StorageError
from ..core.ports import Filter, ForeignTables, Frozen, Journal, MemoryStore
from ..core.ports.chroma_server import ChromaServer
from ..core.records.cancellation import in_thread, uninterrupted
from . import Backend, open_store
from .chroma import DATABASE, INSTALLATION_FILE
from .foreign import CopiedTables
from .journal import FILE as JOURNAL
from .journal import open_local
from .lease import FolderLease, Holder, seat_of
from .snapshot import Snapshot, discard, install, verify
from .sqlite import FILE as MEMORIES
from .wiping import drop_copies

AT_ONCE = 500

CHROMA = "chroma"
"""The folder of embedded Chroma."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """`DataFiles` of one folder. With a `server` the memories of Chroma are there instead."""

    folder: Path
    server: ChromaServer | None = None
    holder: Holder = field(default_factory=Holder)

    async def claim(self) -> FolderLease:
        return await FolderLease.take(self.folder, self.holder)

    async def journal(self, folder: Path | None = None) -> Journal:
        if folder is not None:
            return await open_local(folder)
        return await open_local(self.folder, self.holder)

    def place(self, backend: str) -> str:
        match backend:
            case "sqlite":
                return MEMORIES
            case "chroma" if self.server is not None:
                return "chroma-server"
            case _:
                return backend

    def has(self, backend: str) -> bool:
        files = {MEMORIES: Path(MEMORIES), CHROMA: Path(CHROMA, DATABASE)}
        file = files.get(self.place(backend))
        return file is None or _holds(self.folder / file)

    def has_memories(self) -> bool:
        places = (Path(MEMORIES), Path(CHROMA, DATABASE), Path(INSTALLATION_FILE))
        return any(_holds(self.folder / place) for place in places)

    def has_journal(self) -> bool:
        return _holds(self.folder / JOURNAL)

    async def set_aside(self, into: Path) -> None:
        for file in (self.folder / JOURNAL, self.folder / MEMORIES):
            if _holds(file):
                await _copied(file, into)

    def keeps_traces(self, backend: str) -> bool:
        return backend == "chroma" and self.server is None

    async def store(self, backend: str, folder: Path | None = None) -> MemoryStore:
        if backend not in get_args(Backend.__value__):
            raise StorageError(f"there is no storage backend {backend!r}", fault=Fault.NEWER)
        named = cast("Backend", backend)
        return await open_store(
            named,
            folder or self.folder,
            server=self.server,
            holder=self.holder if folder is None else None,
            seat=seat_of(self.folder) if folder is None else "",
        )

    def tables(self, source: Path) -> ForeignTables:
        return CopiedTables.of(source, self.folder / f"foreign-{token_hex(4)}.db.partial")

    async def freeze(self, backend: str) -> Frozen:
        names = [MEMORIES, JOURNAL] if backend == "sqlite" else [JOURNAL]
        return await Snapshot.take([self.folder / name for name in names])

    async def verify(self, file: Path) -> None:
        await verify(file)

    async def install(self, staged: Path) -> bool:
        return await uninterrupted(in_thread(install, staged, self.folder))

    async def discard(self, backend: str) -> None:
        if backend == "sqlite":
            memories = self.folder / MEMORIES
            await asyncio.to_thread(discard, [memories])
            await asyncio.to_thread(drop_copies, memories)
            return
        if backend == "chroma" and self.server is None:
            await asyncio.to_thread(discard, [self.folder / CHROMA])
            return
        store = await self.store(backend)
        try:
            while page := await store.page(Filter(status=None), limit=AT_ONCE):
                await store.purge([memory.id for memory in page])
            await store.purge([record.id for record in await store.unreadable()])
        finally:
            await store.close()


def _holds(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


async def _copied(file: Path, into: Path) -> None:
    try:
        snapshot = await Snapshot.take([file])
        try:
            await snapshot.copy(into)
        finally:
            await snapshot.close()
    except StorageError:
        # Damaged: byte by byte, with what its log may hold.
        for each in sorted(file.parent.glob(f"{escape(file.name)}*")):
            await asyncio.to_thread(shutil.copyfile, each, into / each.name)
