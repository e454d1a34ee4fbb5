"""Where memories and the journal live on disk."""

from pathlib import Path

from ..core.ports import Journal
from .journal import open_local


async def open_journal(folder: Path) -> Journal:
    """Open or create the journal in `folder`, which must exist.

    Raises SchemaTooNew for the file of a newer version and StorageError for one that cannot be
    used; either is left as it is.
    """
    return await open_local(folder)
