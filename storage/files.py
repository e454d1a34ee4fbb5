"""The data folder as a whole, and databases of other programs, copied while in use."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import cast, get_args

from ..core.model.errors import Fault, StorageError
from ..core.ports import Filter, ForeignTables, Frozen, Journal, MemoryStore
from ..core.ports.files import ChromaServer
from ..core.records.background import in_thread, uninterrupted
from . import Backend, open_store
from .chroma import DATABASE, INSTALLATION_FILE
from .connections import BUSY_SECONDS, translated
from .journal import FILE as JOURNAL
from .journal import open_journal
from .lease import FolderLease, Holder, seat_of
from .snapshot import LOGS, Snapshot, discard, drop_copies, install, verify
from .sqlite import FILE as MEMORIES

PAGE = 500
MOST_TABLES = 1_000
LARGEST_VALUE = 8 << 20
"""Bytes of one value; a longer one is read as nothing."""


@dataclass(frozen=True, slots=True)
class CopiedTables:
    """`ForeignTables` over a copy. No connection outlives a call, so any thread may make it."""

    file: Path

    @classmethod
    def of(cls, source: Path, copy: Path) -> "CopiedTables":
        """Copy a database with what its log holds. Raises StorageError."""
        copy.parent.mkdir(parents=True, exist_ok=True)
        copied = cls(copy)
        copied.discard()
        try:
            with (
                translated(source),
                closing(_connected(source)) as original,
                closing(sqlite3.connect(copy)) as target,
            ):
                original.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")
            copied.columns()
        except BaseException:
            copied.discard()
            raise
        return copied

    def columns(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table, by its name."""
        with translated(self.file), closing(_connected(self.file)) as found:
            query = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT ?"
            names = [name for (name,) in found.execute(query, (MOST_TABLES,))]
            return {name: _columns(found, name) for name in names if isinstance(name, str)}

    def rows(self, table: str) -> Iterator[Mapping[str, object]]:
        """Every row of a table by rowid; values of another type than its text as they are."""
        named = self.columns().get(table)
        if named is None:
            return
        last = -(1 << 63)
        while page := self._page(table, sorted(named), last):
            for rowid, row in page:
                yield row
                last = rowid

    def discard(self) -> None:
        """Delete the copy. Idempotent."""
        for each in (self.file, *(self.file.with_name(self.file.name + log) for log in LOGS)):
            each.unlink(missing_ok=True)

    def _page(
        self, table: str, columns: list[str], after: int
    ) -> list[tuple[int, Mapping[str, object]]]:
        named = ", ".join(map(_quoted, columns))
        query = (
            f"SELECT rowid, {named} FROM {_quoted(table)} WHERE rowid > ? ORDER BY rowid LIMIT ?"
        )
        with translated(self.file), closing(_connected(self.file)) as found:
            rows = found.execute(query, (after, PAGE)).fetchall()
        return [(row[0], dict(zip(columns, map(_sound, row[1:]), strict=True))) for row in rows]


def _connected(file: Path) -> sqlite3.Connection:
    """Opened to be read. Raises StorageError if there is no such file."""
    if not file.is_file():
        text = f"{file.name} is missing"
        raise StorageError(text, file=file.name, fault=Fault.UNREADABLE)
    found = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", timeout=BUSY_SECONDS, uri=True)
    found.text_factory = lambda value: value.decode("utf-8", "replace")
    return found


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Only stored ones: a generated column is an expression of the file's, which is not run."""
    found = connection.execute(f"PRAGMA table_info({_quoted(table)})")
    return frozenset(column for _, column, *_ in found)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sound(value: object) -> object:
    large = isinstance(value, str | bytes) and len(value) > LARGEST_VALUE
    return None if large else value


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
            return await open_journal(folder)
        return await open_journal(self.folder, self.holder)

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
