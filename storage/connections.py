"""One SQLite file: a single writer, a few readers that never wait for it, and no half-done work.

The write-ahead log lets readers go on during a write of any length. A unit of work is one plain
function, run whole on its connection's own thread: one hop for a transaction or a snapshot, and
the event loop is never blocked by the disk.
"""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import Fault, StorageError

APPLICATION_ID = 0x54494445
"""Written into the header of every file of ours, so that another program's file is refused."""

BUSY_SECONDS = 5.0
"""How long a statement waits for another process before it fails."""

INTERRUPT_SECONDS = 0.005
"""How often a cancelled read is interrupted until it ends."""

_PRAGMAS = (
    # Between checkpoints the file itself stands still and its log only grows: whoever copies
    # first one and then the other, in any order, gets a state that was. 4096 pages are 16 MB.
    "PRAGMA wal_autocheckpoint=4096",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA secure_delete=ON",
    "PRAGMA foreign_keys=ON",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-16000",
    "PRAGMA journal_size_limit=67108864",
)

_REASONS = {
    sqlite3.SQLITE_NOTADB: (Fault.FOREIGN, "is not a SQLite database"),
    sqlite3.SQLITE_CORRUPT: (Fault.DAMAGED, "is damaged"),
    sqlite3.SQLITE_FULL: (Fault.FULL, "cannot grow: the disk is full"),
    # What opening a file on a full disk fails with: the index of its log finds no room.
    sqlite3.SQLITE_IOERR_SHMSIZE: (Fault.FULL, "cannot grow: the disk is full"),
    sqlite3.SQLITE_READONLY: (
        Fault.READ_ONLY,
        "cannot be written: it or its folder is read-only",
    ),
    sqlite3.SQLITE_BUSY: (Fault.LOCKED, "is locked by another program"),
    sqlite3.SQLITE_CANTOPEN: (Fault.UNREADABLE, "cannot be opened"),
    sqlite3.SQLITE_IOERR: (
        Fault.UNREADABLE,
        "cannot be read or written: the disk reports an error",
    ),
}
_NO_REASON = (Fault.OTHER, "could not do what was asked")

type Work[T] = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class _Lane:
    """A connection and the only thread that uses it; one unit of work at a time."""

    connection: sqlite3.Connection
    thread: ThreadPoolExecutor

    def run[T](self, begin: str, work: Work[T]) -> asyncio.Future[T]:
        """Do `work` in a transaction, or outside of any if `begin` is empty."""
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self.thread, _done, self.connection, begin, work)


class Database:
    """Connections to one file. Opened by `open`, released by `close`; safe to share by tasks."""

    def __init__(self, path: Path, opened: ExitStack, writer: _Lane, readers: list[_Lane]) -> None:
        self._path = path
        self._opened = opened
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
        opened = ExitStack()
        try:
            with translated(path):
                writer, *pool = await uninterrupted(asyncio.to_thread(_open, path, readers, opened))
        except BaseException:
            await uninterrupted(asyncio.to_thread(opened.close))
            raise
        return cls(path, opened, writer, pool)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    async def write[T](self, work: Work[T], *, on_commit: Callable[[T], None] | None = None) -> T:
        """One transaction: committed when `work` returns, rolled back if it raises.

        A cancellation leaves it whole or absent. `on_commit` is given the result, on the event
        loop, if and only if the commit succeeded, before the next writer starts, even when the
        caller is cancelled meanwhile. SQLite's errors come out as StorageError.
        """
        async with self._lock:
            self._refuse_if_closed()
            with translated(self._path):
                return await uninterrupted(self._write(work, on_commit))

    async def read[T](self, work: Work[T]) -> T:
        """A snapshot: every statement of `work` sees the same state, whatever is written.

        A cancelled read is interrupted and leaves its connection fit for the next.
        """
        async with self._free:
            self._refuse_if_closed()
            reader = self._idle.pop()
            try:
                with translated(self._path):
                    return await uninterrupted(
                        reader.run("BEGIN", work), hasten=reader.connection.interrupt
                    )
            finally:
                self._idle.append(reader)

    async def copy_to(self, target: Path) -> None:
        """A compacted copy of the committed state, replacing `target` once it is complete."""
        partial = target.with_name(target.name + ".partial")

        def copy(connection: sqlite3.Connection) -> None:
            partial.unlink(missing_ok=True)
            connection.execute("VACUUM INTO ?", (str(partial),))
            partial.replace(target)

        await self.maintain(copy)

    async def maintain[T](self, work: Work[T]) -> T:
        """Run `work` on the writer outside of any transaction: for statements that need that."""
        async with self._lock:
            self._refuse_if_closed()
            with translated(self._path):
                return await uninterrupted(self._writer.run("", work))

    async def close(self) -> None:
        """Wait for running work, then release the file and the threads. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await uninterrupted(self._release())

    async def _write[T](self, work: Work[T], on_commit: Callable[[T], None] | None) -> T:
        result = await self._writer.run("BEGIN IMMEDIATE", work)
        if on_commit is not None:
            on_commit(result)
        return result

    async def _release(self) -> None:
        async with self._lock:
            for _ in range(self._readers):
                await self._free.acquire()
            with translated(self._path):
                await asyncio.to_thread(self._opened.close)
        for _ in range(self._readers):
            self._free.release()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageError(f"{self._path.name} is closed")


async def uninterrupted[T](step: Awaitable[T], *, hasten: Callable[[], None] | None = None) -> T:
    """Run `step` to its end even if the caller is cancelled; the cancellation follows it.

    `hasten` is called again and again from the cancellation to the end: what it interrupts may
    only just be about to begin.
    """
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        hurry = cancelled is not None and hasten is not None
        try:
            await asyncio.wait({task}, timeout=INTERRUPT_SECONDS if hurry else None)
        except asyncio.CancelledError as error:
            cancelled = error
        if cancelled is not None and hasten is not None:
            hasten()
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
        fault, reason = _REASONS.get(code) or _REASONS.get(code & 0xFF, _NO_REASON)
        text = f"{path.name} {reason} ({error})"
        raise StorageError(text, file=path.name, fault=fault) from error


def _done[T](connection: sqlite3.Connection, begin: str, work: Work[T]) -> T:
    """The result of `work`, committed. A read has nothing to commit."""
    if begin:
        connection.execute(begin)
    try:
        result = work(connection)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return result


def _open(path: Path, readers: int, opened: ExitStack) -> list[_Lane]:
    """The writer, then the readers; `opened` ends what was begun, also after a failure."""
    _make_writable(path)
    ours = _inspect(path)
    writer = _lane(path, opened)
    if not ours:
        writer.connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    writer.connection.execute("PRAGMA cache_size=-64000")
    writer.connection.execute("PRAGMA journal_mode=WAL")
    pool = [_lane(path, opened) for _ in range(readers)]
    for reader in pool:
        reader.connection.execute("PRAGMA query_only=ON")
    return [writer, *pool]


def _lane(path: Path, opened: ExitStack) -> _Lane:
    # Opened here, used on its own thread: SQLite minds only two threads at once.
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    opened.callback(connection.close)
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    thread = ThreadPoolExecutor(1, thread_name_prefix=f"tidemark {path.name}")
    opened.callback(thread.shutdown)
    return _Lane(connection, thread)


def _make_writable(path: Path) -> None:
    """Give the log of a file that was read-only for a while the permissions of the file.

    SQLite makes the log with the file's own, and would go on refusing to write.
    """
    if not os.access(path, os.W_OK):
        return
    for suffix in ("-wal", "-shm"):
        log = path.with_name(path.name + suffix)
        if log.exists() and not os.access(log, os.W_OK):
            with suppress(OSError):
                log.chmod(path.stat().st_mode & 0o777)


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
        text = f"{path.name} belongs to another program"
        raise StorageError(text, file=path.name, fault=Fault.FOREIGN)
    # SQLite itself notices missing pages, but not that the last one is incomplete.
    if size is not None and size % page:
        text = f"{path.name} is damaged: its last page is incomplete"
        raise StorageError(text, file=path.name, fault=Fault.DAMAGED)
    return mark == APPLICATION_ID


def _size_without_log(path: Path) -> int | None:
    """Bytes of the file; None if there is none, or if a crash left the last pages in its log."""
    log = path.with_name(path.name + "-wal")
    return path.stat().st_size if path.exists() and not log.exists() else None
