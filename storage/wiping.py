"""Leaving no byte of what was deleted: in the file, in its log, in the copies made of it.

Deleted rows are overwritten where they are (`secure_delete`); this is about where else they were.
Nothing here fails a deletion that is done: what is in the way is logged.
"""

import asyncio
import logging
from glob import escape
from pathlib import Path
from sqlite3 import Connection

from ..core.errors import StorageError
from .connections import Database

logger = logging.getLogger(__name__)


async def wipe(database: Database, *, rewrite: bool = False) -> bool:
    """Empty the write-ahead log, which holds pages as they were before the deletion.

    `rewrite` first writes the whole file anew: a row that once moved to another page may have
    left its content in the old one. Some seconds per 100 MB, for which other writes wait. False
    if not everything could be done.
    """
    name = database.path.name
    try:
        emptied = await database.maintain(_rewrite if rewrite else _empty_log)
    except StorageError as error:
        logger.warning("deleted text may still be in %s: %s", name, error)
        return False
    if not emptied:
        logger.warning("deleted text stays in the log of %s until it is closed", name)
    return emptied


async def drop_copies(file: Path) -> None:
    """Delete the copies that migrations made of a file: they hold what it held then."""
    for copy in await asyncio.to_thread(_copies, file):
        try:
            await asyncio.to_thread(copy.unlink, missing_ok=True)
        except OSError as error:
            logger.warning("%s holds deleted text and cannot be deleted: %s", copy.name, error)


def size(connection: Connection) -> int:
    """Bytes of the file, with what is still in its log."""
    found = connection.execute(
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    )
    return found.fetchone()[0]


def _copies(file: Path) -> list[Path]:
    return sorted(file.parent.glob(f"{escape(file.stem)}.before-*.db*"))


def _rewrite(connection: Connection) -> bool:
    # Through a temporary file: a large one would not fit into memory.
    connection.execute("PRAGMA temp_store=FILE")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA temp_store=MEMORY")
    return _empty_log(connection)


def _empty_log(connection: Connection) -> bool:
    """Whether the log is empty now: a reader may be in the way."""
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
