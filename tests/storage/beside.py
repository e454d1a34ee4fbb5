"""The memories' file as another program sees it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from astrbot_plugin_tidemark.storage.sqlite import FILE


def beside[T](folder: Path, work: Callable[[sqlite3.Connection], T]) -> T:
    """Read or change the file over a connection of one's own, in one transaction."""
    with closing(sqlite3.connect(folder / FILE)) as other, other:
        # Only the store may merge its log.
        other.execute("PRAGMA wal_autocheckpoint=0").fetchall()
        return work(other)
