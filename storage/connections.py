"""One SQLite file: a single writer, a few readers that never wait for it.

The write-ahead log lets readers go on during a write of any length. A unit of work is one plain
function, run whole on its connection's own thread: one hop for a transaction or a snapshot, and
the event loop is never blocked by the disk.
"""

import asyncio
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import CoroutineType
from typing import Any, Concatenate, Protocol

from ..core.model.errors import OUTAGES, Fault, StorageError
from ..core.records.background import in_thread, uninterrupted
from ..core.records.notes import sync_folder

type Work[T] = Callable[[sqlite3.Connection], T]

APPLICATION_ID = 0x54494445
"""Written into the header of every file of ours, so that another program's file is refused."""

CLEAN = 1
"""`user_version` of a file from which nothing was deleted since it was last written anew."""

BUSY_SECONDS = float(os.environ.get("TIDEMARK_BUSY_SECONDS", "5"))
"""How long a statement waits for another process before it fails; for less in hosts of tests."""

MOST_SHARED, MOST_TOGETHER = 64, 16
"""Writes in one transaction, and reads in one snapshot."""

_PRAGMAS = (
    # Between merges, at 16 MB, the file itself stands still and its log only grows: whoever copies
    # first one and then the other, in any order, gets a state that was.
    "PRAGMA wal_autocheckpoint=4096",
    # A commit is on the disk before anybody is told of it, and before what another file is told
    # next: journal and memories would else come apart when the power fails.
    "PRAGMA synchronous=FULL",
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
    sqlite3.SQLITE_READONLY: (Fault.READ_ONLY, "cannot be written: it or its folder is read-only"),
    sqlite3.SQLITE_BUSY: (Fault.LOCKED, "is locked by another program"),
    sqlite3.SQLITE_CANTOPEN: (Fault.UNREADABLE, "cannot be opened"),
    sqlite3.SQLITE_IOERR: (
        Fault.UNREADABLE,
        "cannot be read or written: the disk reports an error",
    ),
}
_NO_REASON = (Fault.OTHER, "could not do what was asked")


class OwnThread:
    """A thread that owns what it uses: opened, used and closed there, in that order.

    A handle that is closed under the thread that uses it takes the process with it. How its end is
    waited for: `core/records/background.py`.
    """

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._closing: Future[None] | None = None
        self.opened = ExitStack()
        """Closed in the thread, at its end: for work in the thread to add to."""

    def run[T](self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Do `work` in the thread, after all it was given before."""
        return asyncio.get_running_loop().run_in_executor(self._executor, work)

    def end(self) -> asyncio.Future[None]:
        """Close what was opened, after all work; done when the thread is over. Idempotent."""
        if self._closing is None:
            self._closing = self._executor.submit(self.opened.close)
            self._executor.shutdown(wait=False)
        return in_thread(self._ended, self._closing)

    def _ended(self, closing: Future[None]) -> None:
        self._executor.shutdown()
        closing.result()


class _ConnectionThread(OwnThread):
    """The thread of a connection; one unit of work at a time."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"tidemark {path.name}")
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.guard: Work[None] | None = None
        """The first thing in each unit of work."""

    def open(self, prepare: Work[None]) -> asyncio.Future[None]:
        """Connect and do `prepare` outside of any transaction."""
        return self.run(lambda: prepare(self._connected()))

    def do[T](self, begin: str, work: Work[T]) -> asyncio.Future[T]:
        """Do `work` in a transaction, or outside of any if `begin` is empty."""
        return self.run(lambda: _done(self._opened(), begin, work, self.guard))

    def interrupt(self) -> None:
        """End the statement that runs, if one does. The one call from another thread."""
        with suppress(sqlite3.ProgrammingError):
            self._opened().interrupt()

    def _connected(self) -> sqlite3.Connection:
        # Any other thread that uses it is told so by an exception.
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)
        self.opened.callback(connection.close)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        self._connection = connection
        return connection

    def _opened(self) -> sqlite3.Connection:
        assert self._connection is not None, "used before it was opened"
        return self._connection


@dataclass(eq=False, slots=True)
class QueuedWork[T]:
    """What somebody wants done; `brief` if it may share its transaction."""

    work: Work[T]
    begin: str
    brief: bool
    on_commit: Callable[[T], None] | None
    done: asyncio.Future[T]
    thread: _ConnectionThread | None = None


class Queue:
    """Hands units to the threads that are idle, several as one, in the order in which they came.

    A turn asks for a dozen things at once, and fifty chats write at once. Each by itself would pay
    for two thread switches and a transaction, which cost more than most of the answers.

    A shared transaction in which anything fails is rolled back, and each of its units is run
    again by itself: whoever fails then neither commits nor breaks another. With `reading` those
    that are asked for in the same step of the event loop come along, and a cancelled one that
    runs is interrupted.
    """

    def __init__(self, threads: Sequence[_ConnectionThread], most: int, *, reading: bool) -> None:
        self._idle = list(threads)
        self._most = most
        """Units in one transaction: the first waits for the last."""
        self._reading = reading
        self._waiting: deque[QueuedWork[Any]] = deque()

    async def run[T](
        self,
        begin: str,
        work: Work[T],
        *,
        brief: bool = False,
        on_commit: Callable[[T], None] | None = None,
    ) -> T:
        """The result of `work`, once it is committed. Cancelled before it began, it never runs."""
        loop = asyncio.get_running_loop()
        unit = QueuedWork(work, begin, brief, on_commit, loop.create_future())
        self._waiting.append(unit)
        if not self._reading:
            self._go_on()
        elif len(self._waiting) == 1:
            loop.call_soon(self._go_on)
        return await uninterrupted(unit.done, hasten=lambda: self._withdraw(unit))

    def refuse(self, error: Callable[[], Exception]) -> None:
        """Tell those who wait that nothing begins any more; what runs goes on to its end."""
        while self._waiting:
            self._waiting.popleft().done.set_exception(error())

    def _go_on(self) -> None:
        while self._idle and self._waiting:
            thread, units = self._idle.pop(), self._next()
            for unit in units:
                unit.thread = thread
            step = thread.do(units[0].begin, lambda con, units=units: [u.work(con) for u in units])
            # Not a task, which the end of the event loop would cancel under the thread.
            step.add_done_callback(
                lambda step, thread=thread, units=units: self._over(thread, units, step)
            )

    def _next(self) -> Sequence[QueuedWork[Any]]:
        """The first unit, and with a brief one the brief ones that follow it."""
        units = [self._waiting.popleft()]
        while self._waiting and len(units) < self._most:
            if not (units[0].brief and self._waiting[0].brief):
                break
            units.append(self._waiting.popleft())
        return units

    def _over(
        self,
        thread: _ConnectionThread,
        units: Sequence[QueuedWork[Any]],
        step: asyncio.Future[list[Any]],
    ) -> None:
        self._idle.append(thread)
        # Whatever an `on_commit` raises: the others are told, the next units run.
        with ExitStack() as last:
            last.callback(self._go_on)
            error = step.exception()
            if error is None:
                for unit, result in reversed([*zip(units, step.result(), strict=True)]):
                    last.callback(_tell, unit, result)
            elif len(units) == 1:
                units[0].done.set_exception(error)
            else:
                for unit in reversed(units):
                    unit.brief, unit.thread = False, None
                    self._waiting.appendleft(unit)

    def _withdraw(self, unit: QueuedWork[Any]) -> None:
        if unit in self._waiting:
            self._waiting.remove(unit)
            unit.done.cancel()
        # Once it is done, its thread may be about another one.
        elif self._reading and unit.thread is not None and not unit.done.done():
            unit.thread.interrupt()


def _tell(unit: QueuedWork[Any], result: object) -> None:
    try:
        if unit.on_commit is not None:
            unit.on_commit(result)
    finally:
        unit.done.set_result(result)


class Database:
    """Connections to one file. Opened by `open`, released by `close`; safe to share by tasks."""

    def __init__(
        self, path: Path, writer: _ConnectionThread, readers: Sequence[_ConnectionThread]
    ) -> None:
        self.path = path
        """The file."""
        self._writer = writer
        self._writes = Queue([writer], MOST_SHARED, reading=False)
        self._readers = readers
        self._reads = Queue(readers, MOST_TOGETHER, reading=True)
        self.closed = False
        """Whether `close` was called."""

    @classmethod
    async def open(cls, path: Path, *, readers: int = 2) -> "Database":
        """Open or create the file; its folder must exist.

        Raises StorageError if it cannot be read or belongs to another program.
        """
        pool = [_ConnectionThread(path) for _ in range(readers)]
        database = cls(path, _ConnectionThread(path), pool)
        try:
            with translated(path):
                await database._open()
        except BaseException:
            await database.close()
            raise
        return database

    async def write[T](
        self, work: Work[T], *, brief: bool = False, on_commit: Callable[[T], None] | None = None
    ) -> T:
        """One transaction: committed when `work` returns, rolled back if it raises.

        A cancellation leaves it whole or absent. `on_commit` is given the result, on the event
        loop, if and only if the commit succeeded, before the next transaction begins, even when
        the caller is cancelled meanwhile. SQLite's errors come out as StorageError.

        `brief` work is a few rows, has no effect but on the file and may share its transaction
        with others of its kind; it is run again if that transaction fails.
        """
        self._refuse_if_closed()
        with translated(self.path):
            return await self._writes.run("BEGIN IMMEDIATE", work, brief=brief, on_commit=on_commit)

    async def read[T](self, work: Work[T]) -> T:
        """A snapshot: every statement of `work` sees the same state, whatever is written.

        Reads that are asked for at the same time share it; what has an effect but on what it
        returns may then have it twice. A cancelled read is interrupted and leaves its connection
        fit for the next.
        """
        self._refuse_if_closed()
        with translated(self.path):
            return await self._reads.run("BEGIN", work, brief=True)

    async def copy_to(self, target: Path) -> None:
        """A compacted copy of the committed state, replacing `target` once it is complete."""
        partial = target.with_name(target.name + ".partial")

        def copy(connection: sqlite3.Connection) -> None:
            partial.unlink(missing_ok=True)
            connection.execute("VACUUM INTO ?", (str(partial),))
            partial.replace(target)
            sync_folder(target.parent)

        await self.maintain(copy)

    async def maintain[T](self, work: Work[T]) -> T:
        """Run `work` on the writer outside of any transaction: for statements that need that."""
        self._refuse_if_closed()
        with translated(self.path):
            return await self._writes.run("", work)

    async def guard(self, check: Work[None]) -> None:
        """Begin every transaction with `check`, which raises where nothing may be written.

        The first is tried at once; what is wrong with the file or the disk waits for a later one.
        """
        self._writer.guard = check
        try:
            await self.write(lambda _: None)
        except StorageError as error:
            if error.fault is Fault.HELD or error.fault not in OUTAGES:
                raise

    async def close(self) -> None:
        """Wait for running work, then release the file and the threads. Idempotent."""
        if self.closed:
            return
        self.closed = True
        self._writes.refuse(self._over)
        self._reads.refuse(self._over)
        ends = [reader.end() for reader in self._readers]
        with translated(self.path):
            try:
                await uninterrupted(asyncio.gather(*ends))
            finally:
                # The last: what readers need of the log cannot be emptied.
                await uninterrupted(self._writer.end())

    async def _open(self) -> None:
        await uninterrupted(in_thread(_inspect, self.path))
        await uninterrupted(self._writer.open(_as_writer))
        for reader in self._readers:
            await uninterrupted(reader.open(_as_reader))

    def _refuse_if_closed(self) -> None:
        if self.closed:
            raise self._over()

    def _over(self) -> StorageError:
        return StorageError(f"{self.path.name} is closed")


type Function[**P, R] = Callable[Concatenate[sqlite3.Connection, P], R]


class Method[**P, R](Protocol):
    """An asynchronous method."""

    def __call__(
        _method,  # noqa: N805 - `self` is whose method it is
        self: Any,
        *args: P.args,
        **options: P.kwargs,
    ) -> "CoroutineType[Any, Any, R]": ...


def reads[**P, R](function: Function[P, R]) -> Method[P, R]:
    """A method that answers what the function reads in one snapshot; the port says what that is."""

    @wraps(function)
    async def method(self: Any, *args: P.args, **options: P.kwargs) -> R:
        return await self._database.read(lambda con: function(con, *args, **options))

    return method


def writes[**P, R](function: Function[P, R], *, brief: bool = False) -> Method[P, R]:
    """A method that does what the function does in one transaction; `brief` ones may share it."""

    @wraps(function)
    async def method(self: Any, *args: P.args, **options: P.kwargs) -> R:
        return await self._database.write(lambda tx: function(tx, *args, **options), brief=brief)

    return method


def reason_of(code: int) -> tuple[Fault, str]:
    """What an error code of SQLite's means for a file."""
    return _REASONS.get(code) or _REASONS.get(code & 0xFF, _NO_REASON)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors inside the block come out as StorageError with a sentence on the file."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
        fault, reason = reason_of(getattr(error, "sqlite_errorcode", None) or 0)
        text = f"{path.name} {reason} ({error})"
        raise StorageError(text, file=path.name, fault=fault) from error


def _done[T](
    connection: sqlite3.Connection, begin: str, work: Work[T], guard: Work[None] | None
) -> T:
    """The result of `work`, committed. A read has nothing to commit."""
    if begin:
        connection.execute(begin)
    try:
        if guard is not None:
            guard(connection)
        result = work(connection)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return result


def _as_writer(connection: sqlite3.Connection) -> None:
    [mark] = connection.execute("PRAGMA application_id").fetchone()
    if mark != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={CLEAN}")
    connection.execute("PRAGMA cache_size=-64000")
    connection.execute("PRAGMA journal_mode=WAL")


def _as_reader(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only=ON")


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


def _inspect(path: Path) -> None:
    """Raises StorageError for a file of another program or with an incomplete page."""
    _make_writable(path)
    beside = [path.with_name(path.name + suffix) for suffix in ("-wal", "-journal")]
    # What a crash has left beside it mends its end.
    whole = path.exists() and not any(map(Path.exists, beside))
    size = path.stat().st_size if whole else 0
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
    if size % page:
        text = f"{path.name} is damaged: its last page is incomplete"
        raise StorageError(text, file=path.name, fault=Fault.DAMAGED)
