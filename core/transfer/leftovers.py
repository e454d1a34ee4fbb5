"""Removes what a killed process left half done in a data folder: copies that nobody lists."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from .backup import FOLDER
from .places import EXPORTS
from .residue import WRITING
from .restoring import STAGING


def remove_leftovers(folder: Path) -> None:
    """Delete what was never finished and will never be; nothing of the folder may be open. Blocks.

    Raises OSError.
    """
    for left in list(_leftovers(folder)):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink(missing_ok=True)


def _leftovers(folder: Path) -> Iterator[Path]:
    """Backups, restorings, rewrites, exports and copies of databases that were cut short."""
    yield from (each for each in (folder / STAGING, folder / WRITING) if each.exists())
    yield from (folder / FOLDER).glob(".*.partial")
    yield from (folder / EXPORTS).glob(".*.partial")
    yield from folder.glob("*.db.partial")
