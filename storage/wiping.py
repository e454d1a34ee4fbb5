"""Leaving no byte of what was deleted: in the file, in its log, in the copies made of it.

Deleted rows are overwritten where they are (`secure_delete`); this is about where else they were.
Nothing here fails a deletion that is done: what is in the way is logged.
"""

import logging
from glob import escape
from pathlib import Path
from sqlite3 import Connection

from ..core.errors import StorageError
from .connections import Database
from .residue import Writer

logger = logging.getLogger(__name__)


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
    """Do what a crash or an older version has left undone, unless somebody is in the way."""
    await database.maintain(_tidy_if_free)


def drop_copies(file: Path) -> None:
    """Delete the copies that migrations made of a file: they hold what it held then. Blocks."""
    for copy in sorted(file.parent.glob(f"{escape(file.stem)}.before-*.db*")):
        try:
            copy.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("%s holds deleted text and cannot be deleted: %s", copy.name, error)


def _tidy_if_free(connection: Connection) -> None:
    assert isinstance(connection, Writer), "only the writer empties the log"
    connection.tidy_if_free()


def _tidy(connection: Connection) -> bool:
    assert isinstance(connection, Writer), "only the writer empties the log"
    return connection.tidy(forget=True)
