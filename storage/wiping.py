"""Leaves no byte of what was deleted: in the file, its log and the copies made of it.

Deleted rows are overwritten where they are (`secure_delete`); this is about where else they were.
Nothing here fails a deletion that is done: what is in the way is logged.
"""

import asyncio
import logging
from glob import escape
from pathlib import Path
from sqlite3 import Connection

from ..core.model.errors import StorageError
from ..core.records.background import Background
from ..core.records.on_disk import sync_folder
from .connections import Database
from .residue import WalWriter

logger = logging.getLogger(__name__)


SOON = 0.5
"""Seconds from a deletion to the wipe: one serves all deletions until then."""


class Wiper(Background):
    """Wipes one file soon after something was deleted.

    Killed in between, or closed, it is done when the file is next opened, or closed.
    """

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._due = False

    def soon(self) -> None:
        """Something has been deleted."""
        self._due = True
        self.start()

    async def now(self) -> None:
        """Leave no byte of what has been deleted until now."""
        self._due = False
        await wipe(self._database)

    async def _run(self) -> None:
        while self._due:
            await asyncio.sleep(SOON)
            if self._due:
                await self.now()


async def wipe(database: Database) -> bool:
    """Empty the write-ahead log, the unused space of the file, and the memory of its writer.

    Costs what was written since the last time, not what the file holds. False if not everything
    could be done; it is done with the next merge of the log, or when the file is next opened.
    """
    name = database.path.name
    try:
        emptied = await database.maintain(_tidy)
    except (StorageError, OSError) as error:
        logger.warning("deleted text may still be in %s: %s", name, error)
        return False
    if not emptied:
        logger.warning("deleted text stays in the log of %s until it is closed", name)
    return emptied


async def clean(database: Database) -> None:
    """Do what a crash has left undone, unless somebody is in the way."""
    await database.maintain(_tidy_if_free)


def drop_copies(file: Path) -> None:
    """Delete the copies that migrations made of a file: they hold what it held then. Blocks."""
    for copy in sorted(file.parent.glob(f"{escape(file.stem)}.before-*.db*")):
        try:
            copy.unlink(missing_ok=True)
            sync_folder(file.parent)
        except OSError as error:
            logger.warning("%s holds deleted text and cannot be deleted: %s", copy.name, error)


def _tidy_if_free(connection: Connection) -> None:
    assert isinstance(connection, WalWriter), "only the writer empties the log"
    connection.tidy_if_free()


def _tidy(connection: Connection) -> bool:
    assert isinstance(connection, WalWriter), "only the writer empties the log"
    return connection.tidy(forget=True)
