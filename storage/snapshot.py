"""Copies of databases in use, and wiping: no byte of what was deleted is left."""

import asyncio
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from glob import escape
from pathlib import Path
from sqlite3 import Connection

from ..core.model.errors import Fault, StorageError
from ..core.records.background import Background, in_thread, uninterrupted
from ..core.records.notes import sync_folder
from .connections import BUSY_SECONDS, CLEAN, Database, OwnThread, translated

LOGS = ("-wal", "-shm")
AT_ONCE = 2_000
"""Pages that are copied before somebody is told."""


class Snapshot:
    """Databases as they were when `take` returned. Writers go on; their logs grow meanwhile."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = tuple(files)
        self._thread = OwnThread("tidemark snapshot")
        self._sources: list[sqlite3.Connection] = []

    @classmethod
    async def take(cls, files: Sequence[Path]) -> "Snapshot":
        """Hold the present state of these files. Raises StorageError."""
        snapshot = cls(files)
        try:
            await uninterrupted(snapshot._thread.run(snapshot._begin))
        except BaseException:
            await snapshot.close()
            raise
        return snapshot

    @property
    def names(self) -> Sequence[str]:
        """Names of the files."""
        return [file.name for file in self._files]

    async def copy(
        self, into: Path, tell: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Write each file into the folder, checked and on the disk; `tell` is told pages."""
        await uninterrupted(self._thread.run(lambda: self._copy(into, tell)))
        await uninterrupted(in_thread(sync_folder, into))

    async def close(self) -> None:
        """Let go of that moment. Idempotent."""
        await uninterrupted(self._thread.end())

    def _copy(self, into: Path, tell: Callable[[int, int], None]) -> None:
        sizes = [source.execute("PRAGMA page_count").fetchone()[0] for source in self._sources]
        before, total = 0, sum(sizes)
        for file, source, size in zip(self._files, self._sources, sizes, strict=True):
            _copy(source, into / file.name, lambda done, was=before: tell(was + done, total))
            before += size

    def _begin(self) -> None:
        for file in self._files:
            with translated(file):
                source = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
                self._thread.opened.callback(source.close)
                source.execute("PRAGMA query_only=ON")
                source.execute("BEGIN")
                # The transaction sees the file as it is at its first read.
                source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                self._sources.append(source)


async def verify(file: Path) -> None:
    """Raises StorageError if the database is damaged or of another program."""
    await uninterrupted(in_thread(_verify, file))


def install(staged: Path, folder: Path) -> bool:
    """Move all that is in `staged` over its namesake in `folder`; False if there is none.

    A log beside a file that is replaced would be replayed into the new one: it goes first. Each
    step may be repeated, so that a crash anywhere leaves `staged` to be finished.
    """
    if not staged.is_dir():
        return False
    for file in sorted(staged.iterdir()):
        target = folder / file.name
        for log in (target.with_name(target.name + suffix) for suffix in LOGS):
            log.unlink(missing_ok=True)
        if target.is_dir():
            shutil.rmtree(target)
        file.replace(target)
    sync_folder(folder)
    staged.rmdir()
    return True


def discard(files: Sequence[Path]) -> None:
    """Delete files with their logs; folders with all that is in them."""
    for file in files:
        if file.is_dir():
            shutil.rmtree(file)
        for each in (file, *(file.with_name(file.name + suffix) for suffix in LOGS)):
            each.unlink(missing_ok=True)
    for folder in {file.parent for file in files}:
        sync_folder(folder)


def _copy(source: sqlite3.Connection, target: Path, tell: Callable[[int], None]) -> None:
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    with translated(target):
        with closing(sqlite3.connect(partial, isolation_level=None)) as copy:
            source.backup(copy, pages=AT_ONCE, progress=lambda _, left, pages: tell(pages - left))
            # One file is easier to carry than one with a log.
            copy.execute("PRAGMA journal_mode=OFF")
            # No deleted row stays in what its pages do not use, see wiping.
            copy.execute("VACUUM")
            copy.execute(f"PRAGMA user_version={CLEAN}")
        _verify(partial)
    with partial.open("r+b") as written:
        os.fsync(written.fileno())
    partial.replace(target)


def _verify(file: Path) -> None:
    if not file.is_file():
        text = f"{file.name} is missing"
        raise StorageError(text, file=file.name, fault=Fault.UNREADABLE)
    with translated(file), closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as probe:
        [found] = probe.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        text = f"{file.name} is damaged: {found}"
        raise StorageError(text, file=file.name, fault=Fault.DAMAGED)


logger = logging.getLogger(__name__)


SOON = 0.5
"""Seconds from a deletion to the wipe: one serves all deletions until then."""

SHARE = 20.0
"""Times the seconds of a wipe until the next: it writes the whole file."""

AGAIN = 60.0
"""Seconds until one that failed is tried again."""


class Wiper(Background):
    """Wipes one file soon after something was deleted.

    Killed in between it is done when the file is next opened; closed, before it is closed.
    """

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._due = False
        self._rest_until = 0.0

    def soon(self) -> None:
        """Something has been deleted."""
        self._due = True
        self.start()

    async def now(self) -> None:
        """Leave no byte of what has been deleted until now."""
        self._due, began = False, time.monotonic()
        rest = 0.0 if await wipe(self._database) else AGAIN
        over = time.monotonic()
        self._rest_until = over + max(rest, SHARE * (over - began))
        if rest:
            self.soon()

    async def aclose(self) -> None:
        """Do what is still to be done, before the file is closed."""
        await super().aclose()
        try:
            await clean(self._database)
        except (StorageError, OSError) as error:
            logger.warning("what was deleted leaves %s later: %s", self._database.path.name, error)

    async def _run(self) -> None:
        while self._due:
            await asyncio.sleep(max(SOON, self._rest_until - time.monotonic()))
            if self._due:
                await self.now()


def deleting(transaction: Connection, file: Path) -> None:
    """Note, before it is certain, that something is deleted from a file.

    A crash after it would leave its copies for good, and nobody would write it anew.
    """
    transaction.execute("PRAGMA user_version=0")
    drop_copies(file)


async def wipe(database: Database) -> bool:
    """Write the file anew and empty its log; reads go on, writes wait.

    False if not everything could be done.
    """
    name = database.path.name
    try:
        emptied = await database.maintain(_wiped)
    except (StorageError, OSError) as error:
        logger.warning("deleted text may still be in %s: %s", name, error)
        return False
    if not emptied:
        logger.warning("deleted text stays in the log of %s for now: somebody reads it", name)
    return emptied


async def clean(database: Database) -> None:
    """Wipe a file from which something was deleted and that was not wiped since."""
    if not database.closed and await database.maintain(_is_marked):
        await wipe(database)


def drop_copies(file: Path) -> None:
    """Delete the copies that migrations made of a file: they hold what it held then. Blocks."""
    for copy in sorted(file.parent.glob(f"{escape(file.stem)}.before-*.db*")):
        try:
            copy.unlink(missing_ok=True)
            sync_folder(file.parent)
        except OSError as error:
            logger.warning("%s holds deleted text and cannot be deleted: %s", copy.name, error)


def _is_marked(connection: Connection) -> bool:
    [version] = connection.execute("PRAGMA user_version").fetchone()
    return version != CLEAN


def _wiped(connection: Connection) -> bool:
    # In memory the new file would be there as a whole.
    connection.execute("PRAGMA temp_store=FILE")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA temp_store=MEMORY")
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if not busy:
        connection.execute(f"PRAGMA user_version={CLEAN}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return not busy
