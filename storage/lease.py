"""One data folder belongs to one process at a time.

A lock on a file of its own proves it: SQLite's, which every system gives back when the process
ends, however it ended. Where locks do not hold (the file was deleted, a share passes none on),
each database also names who may write to it, and every transaction looks there first.
"""

import os
import platform
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from ..core.model.errors import Fault, StorageError
from ..core.records.background import uninterrupted
from .connections import Database, OwnThread, translated

FILE = "tidemark.lock"

WAIT_SECONDS = 2.0
"""How long to wait for somebody who is just closing."""

NAME = "holder"
"""Of the row that names who may write."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS holder (id TEXT, process INTEGER, machine TEXT)"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who opens files: `lost` is called, from any thread, when they turn out to be another's."""

    id: str = field(default_factory=lambda: uuid4().hex)
    lost: Callable[[], object] = lambda: None


class FolderLease:
    """Held from `take` to `aclose`."""

    def __init__(self, folder: Path, holder: Holder) -> None:
        self._file = folder / FILE
        self._holder = holder
        self._thread = OwnThread("tidemark lease")

    @classmethod
    async def take(cls, folder: Path, holder: Holder) -> "FolderLease":
        """Raises StorageError (HELD) while another process has the folder."""
        lease = cls(folder, holder)
        try:
            with translated(lease._file):
                await uninterrupted(lease._thread.run(lease._take))
        except BaseException:
            await lease.aclose()
            raise
        return lease

    async def aclose(self) -> None:
        """Give it back. Idempotent."""
        await uninterrupted(self._thread.end())

    def _take(self) -> None:
        connection = sqlite3.connect(self._file, timeout=WAIT_SECONDS, isolation_level=None)
        self._thread.opened.callback(connection.close)
        mine = (self._holder.id, os.getpid(), platform.node())
        try:
            connection.execute(_SCHEMA)
            while True:
                # Kept open until the end; others can read who has it.
                connection.execute("BEGIN IMMEDIATE")
                if connection.execute("SELECT * FROM holder").fetchone() == mine:
                    return
                connection.execute("DELETE FROM holder")
                connection.execute("INSERT INTO holder VALUES (?, ?, ?)", mine)
                connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise held(_who(connection)) from error


def seat_of(folder: Path) -> str:
    """The place that a lease of this folder holds: the same for whoever holds it next.

    "" for a folder that nobody has held yet, or that cannot be looked at.
    """
    try:
        found = (folder / FILE).stat()
    except OSError:
        return ""
    return f"{platform.node()}:{found.st_dev}:{found.st_ino}"


async def fence(database: Database, table: str, holder: Holder) -> None:
    """From now on `database` is written by `holder` alone, until another one opens it.

    `table` has a name and a value in each row. A file that cannot be written just now is claimed
    with the first write, unless somebody else was there meanwhile. Where the folder comes to be on
    another disk, as after one that failed, it is `lost`, too: what is open is the old one's.
    """
    select = f"SELECT value FROM {table} WHERE name = '{NAME}'"
    put = f"INSERT OR REPLACE INTO {table} (name, value) VALUES ('{NAME}', ?)"
    found = await database.read(lambda con: con.execute(select).fetchone())
    file, seat = database.path, seat_of(database.path.parent)

    def check(tx: sqlite3.Connection) -> None:
        now = tx.execute(select).fetchone()
        if now not in ((holder.id,), found):
            holder.lost()
            raise held(file.name)
        if seat and seat_of(file.parent) not in ("", seat):
            holder.lost()
            text = f"another disk is mounted where {file.name} was opened, and is opened instead"
            raise StorageError(text, file=file.name, fault=Fault.UNREADABLE)
        if now != (holder.id,):
            tx.execute(put, (holder.id,))

    await database.guard(check)


def held(file: str) -> StorageError:
    """What whoever does not hold an installation is told."""
    text = f"the memories are in use by another process ({file})"
    return StorageError(text, file=file, fault=Fault.HELD)


def _who(connection: sqlite3.Connection) -> str:
    try:
        found = connection.execute("SELECT process, machine FROM holder").fetchone()
    except sqlite3.OperationalError:
        return FILE
    return f"{found[1]}, PID {found[0]}" if found else FILE
