"""One SQLite file: a single writer, a few readers that never wait for it, and no half-done work.

The write-ahead log lets readers go on during a write of any length. Every statement runs on its
connection's own thread, so the event loop is never blocked by the disk.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path

import aiosqlite

from ..core.errors import StorageError

APPLICATION_ID = 0x54494445
"""Written into the header of every file of ours, so that another program's file is refused."""

BUSY_SECONDS = 5.0
"""How long a statement waits for another process before it fails."""

_PRAGMAS = (
    "PRAGMA synchronous=NORMAL",
    "PRAGMA secure_delete=ON",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-16000",
    "PRAGMA journal_size_limit=67108864",
)

_REASONS = {
    sqlite3.SQLITE_NOTADB: "is not a SQLite database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: it or its folder is read-only",
    sqlite3.SQLITE_BUSY: "is locked by another program",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error",
}


class Database:
    """Connections to one file. Opened by `open`, released by `close`; safe to share by tasks."""

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, readers: list[aiosqlite.Connection]
    ) -> None:
        self._path = path
        self._writer = writer
        self._lock = asyncio.Lock()
        self._idle = readers
        self._readers = len(readers)
        self._free = asyncio.Semaphore(len(readers))
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, readers: int = 2) -> "Database":
        """Open or create the file; its folder must exist.

        Raises StorageError if it cannot be read or belongs to another program.
        """
        async with AsyncExitStack() as opened:
            with translated(path):
                # Before aiosqlite sees it: its thread outlives a connection that fails to open.
                ours = await asyncio.to_thread(_inspect, path)
                writer = await _connect(path, opened)
                if not ours:
                    await writer.execute_fetchall(f"PRAGMA application_id={APPLICATION_ID}")
                await writer.execute_fetchall("PRAGMA cache_size=-64000")
                await writer.execute_fetchall("PRAGMA journal_mode=WAL")
                pool = [await _connect(path, opened) for _ in range(readers)]
                for reader in pool:
                    await reader.execute("PRAGMA query_only=ON")
            opened.pop_all()
            return cls(path, writer, pool)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @asynccontextmanager
    async def write(
        self, *, on_commit: Callable[[], None] | None = None
    ) -> AsyncIterator[aiosqlite.Connection]:
        """One transaction: committed at the end of the block, rolled back if it raises.

        A cancellation leaves it whole or absent. `on_commit` runs if and only if the commit
        succeeded, before the next writer starts, even when the caller is cancelled meanwhile.
        SQLite's errors come out as StorageError.
        """
        async with self._lock:
            self._refuse_if_closed()
            with translated(self._path):
                try:
                    await self._writer.execute("BEGIN IMMEDIATE")
                    yield self._writer
                    await uninterrupted(_commit(self._writer, on_commit))
                except BaseException:
                    await uninterrupted(self._writer.rollback())
                    raise

    @asynccontextmanager
    async def read(self) -> AsyncIterator[aiosqlite.Connection]:
        """A snapshot: every statement of the block sees the same state, whatever is written.

        A cancelled block interrupts its running statement, so the connection is free at once.
        """
        async with self._free:
            self._refuse_if_closed()
            reader = self._idle.pop()
            try:
                with translated(self._path):
                    await reader.execute("BEGIN")
                    yield reader
            except asyncio.CancelledError:
                await reader.interrupt()
                raise
            finally:
                try:
                    await uninterrupted(reader.rollback())
                finally:
                    self._idle.append(reader)

    async def copy_to(self, target: Path) -> None:
        """A compacted copy of the committed state, replacing `target` once it is complete."""
        partial = target.with_name(target.name + ".partial")
        async with self._lock:
            self._refuse_if_closed()
            await asyncio.to_thread(partial.unlink, missing_ok=True)
            with translated(self._path):
                await uninterrupted(_vacuum_into(self._writer, partial))
            await asyncio.to_thread(partial.replace, target)

    async def close(self) -> None:
        """Wait for running blocks, then release the file. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await uninterrupted(self._release())

    async def _release(self) -> None:
        async with self._lock:
            for _ in range(self._readers):
                await self._free.acquire()
            with translated(self._path):
                for connection in (*self._idle, self._writer):
                    await connection.close()
        for _ in range(self._readers):
            self._free.release()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageError(f"{self._path.name} is closed")


async def uninterrupted[T](step: Awaitable[T]) -> T:
    """Run `step` to its end even if the caller is cancelled; the cancellation follows it."""
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors inside the block come out as StorageError with a sentence on the file."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        reason = _REASONS.get(code & 0xFF, "could not do what was asked")
        raise StorageError(f"{path.name} {reason} ({error})") from error


async def _connect(path: Path, opened: AsyncExitStack) -> aiosqlite.Connection:
    connecting = aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    connection = await opened.enter_async_context(connecting)
    for pragma in _PRAGMAS:
        await connection.execute_fetchall(pragma)
    return connection


def _inspect(path: Path) -> bool:
    """Whether it is ours already; False if it is empty.

    Raises StorageError for a file of another program or with an incomplete page.
    """
    size = _size_without_log(path)
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as probe:
        mark, page, tables = (
            probe.execute(query).fetchone()[0]
            for query in (
                "PRAGMA application_id",
                "PRAGMA page_size",
                "SELECT count(*) FROM sqlite_schema",
            )
        )
    if mark != APPLICATION_ID and (mark or tables):
        raise StorageError(f"{path.name} belongs to another program")
    # SQLite itself notices missing pages, but not that the last one is incomplete.
    if size is not None and size % page:
        raise StorageError(f"{path.name} is damaged: its last page is incomplete")
    return mark == APPLICATION_ID


def _size_without_log(path: Path) -> int | None:
    """Bytes of the file; None if there is none, or if a crash left the last pages in its log."""
    log = path.with_name(path.name + "-wal")
    return path.stat().st_size if path.exists() and not log.exists() else None


async def _commit(writer: aiosqlite.Connection, then: Callable[[], None] | None) -> None:
    await writer.commit()
    if then is not None:
        then()


async def _vacuum_into(writer: aiosqlite.Connection, target: Path) -> None:
    await writer.execute("VACUUM INTO ?", (str(target),))
