"""Leaves no byte of what was deleted: in the file, its log and the copies made of it.

Deleted rows are overwritten where they are (`secure_delete`). But a page that SQLite fills anew
keeps what was there before in the space it does not use: copies of rows that have moved. So the
file is written anew, from its rows, and its log emptied. Nothing here fails a deletion that is
done: what is in the way is logged.
"""

import asyncio
import logging
import time
from glob import escape
from pathlib import Path
from sqlite3 import Connection

from ..core.model.errors import StorageError
from ..core.records.background import Background
from ..core.records.on_disk import sync_folder
from .connections import CLEAN, Database

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
