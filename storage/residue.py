"""Keeping the unused space of a SQLite file empty, so that what is deleted is gone from it.

`secure_delete` overwrites a deleted row where it lies. But a page that SQLite fills anew keeps, in
the space between its list of cells and its first cell, what was there before: copies of rows that
now lie on other pages and are deleted there. That space is part of no row, so whatever it holds
can be overwritten with zeros in the file itself.

Every page is written to the log first, and the log tells which. So whenever the log is merged into
the file, and nobody can write, the unused space of just these pages is overwritten before the log
is emptied: between merges the file has none that holds anything.
"""

import logging
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from sqlite3 import Connection, Error
from typing import Any

logger = logging.getLogger(__name__)

LOG_BYTES = 16 << 20
"""A log that has grown to this is merged into its file."""

CLEAN = 1
"""`user_version` of a file whose unused space is empty."""

_LOG_HEADER, _FRAME_HEADER, _FILE_HEADER = 32, 24, 100
_FRAMES_AT_ONCE = 1_024
_LEAVES, _BRANCHES = (10, 13), (2, 5)
_ATTEMPTS = 3

type Pages = set[int] | None
"""Numbers of pages, from 1; None is all of them."""


class WalWriter(Connection):
    """The connection that writes a file in WAL mode: merges the log itself, and closes clean.

    To be used with `wal_autocheckpoint=0`, on one thread at a time.
    """

    def __init__(self, database: Path, *args: Any, **options: Any) -> None:
        super().__init__(database, *args, **options)
        self._path = database
        self._log = log_of(database)
        self._file: FileIO | None = None
        self._due: Pages = set()
        self._version = -1

    def adopt(self, written: Pages) -> None:
        """Take note of what others have written since the file was last clean; changes nothing."""
        self._due = written if self._value("user_version") == CLEAN else None
        self._version = self._value("data_version")

    def commit(self) -> None:
        """Commit, and merge the log if it has grown; what is in the way of that fails nothing."""
        super().commit()
        if _size(self._log) >= LOG_BYTES:
            self.tidy_if_free()

    def tidy(self, *, forget: bool = False) -> bool:
        """Merge the log, empty the unused space, empty the log; False if a reader is in the way.

        `forget` also empties this connection's memory, from which a later write would bring back
        what was deleted. Outside of any transaction. Raises sqlite3.Error and OSError.
        """
        if forget:
            self.execute("PRAGMA shrink_memory")
        if not self._due and self._due is not None and not _size(self._log):
            return True
        return any(self._merged("FULL") and self._emptied(forget) for _ in range(_ATTEMPTS))

    def tidy_if_free(self) -> None:
        """Tidy without waiting for anybody; what is in the way fails nothing."""
        patience = self._value("busy_timeout")
        self._tidied_at_once()
        self.execute(f"PRAGMA busy_timeout={patience}")

    def close(self) -> None:
        """Tidy and close. What could not be done is done when the file is next opened."""
        if (self._due or _size(self._log)) and not self._tidied_at_once():
            with suppress(Error):
                self.execute("PRAGMA user_version=0")
        super().close()
        # Only now: to close any handle of a file gives up every lock that the process has on it.
        if self._file is not None:
            self._file.close()

    def _tidied_at_once(self) -> bool:
        self.execute("PRAGMA busy_timeout=0")
        try:
            return self.tidy()
        except (Error, OSError) as error:
            logger.warning("the log of %s is not merged yet: %s", self._path.name, error)
            return False

    def _emptied(self, durably: bool) -> bool:
        """Empty unused space and log, if nobody has written since the merge."""
        self.execute("BEGIN IMMEDIATE")
        try:
            known, self._version = self._version, self._value("data_version")
            if self._due is not None:
                self._due |= logged_pages(self._log)
            if known != self._version:
                # Another program has written, and may have merged what we do not know of.
                self._due = None
                return False
            self._scrub(durably)
        finally:
            self.rollback()
        if self._value("user_version") != CLEAN:
            self.execute(f"PRAGMA user_version={CLEAN}")
            self._merged("FULL")
        return self._merged("TRUNCATE")

    def _scrub(self, durably: bool) -> None:
        if self._file is None:
            self._file = FileIO(self._path, "r+")
        if scrub(self._file, self._due) and durably:
            os.fsync(self._file.fileno())
        self._due = set()

    def _merged(self, how: str) -> bool:
        busy, _, _ = self.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        return not busy

    def _value(self, pragma: str) -> int:
        return self.execute(f"PRAGMA {pragma}").fetchone()[0]


def log_of(file: Path) -> Path:
    """The write-ahead log of a database file."""
    return file.with_name(file.name + "-wal")


def logged_pages(log: Path) -> set[int]:
    """The pages that a log holds, or held before it was begun anew; empty if there is none."""
    try:
        with log.open("rb", buffering=0) as frames:
            return set(_logged(frames))
    except FileNotFoundError:
        return set()


def scrub(file: FileIO, pages: Pages = None) -> int:
    """Empty the unused space of pages of a file that nobody is writing; how many had any."""
    file.seek(0)
    header = file.read(_FILE_HEADER)
    if len(header) < _FILE_HEADER:
        return 0
    size = _page_size(header[16:18])
    count = file.seek(0, os.SEEK_END) // size
    numbers = range(1, count + 1) if pages is None else sorted(pages)
    return sum(_scrub_page(file, size, number) for number in numbers if 0 < number <= count)


def _scrub_page(file: FileIO, size: int, number: int) -> bool:
    start = (number - 1) * size
    file.seek(start)
    page = file.read(size)
    begin, end = _unused(page, _FILE_HEADER if number == 1 else 0)
    zeros = bytes(end - begin)
    if page[begin:end] == zeros:
        return False
    file.seek(start + begin)
    file.write(zeros)
    return True


def _unused(page: bytes, header: int) -> tuple[int, int]:
    """From where to where a page is part of nothing; an empty range if it is no tree's page.

    A page of another sort begins with the number of the next one: with a zero, up to 64 GB.
    """
    kind, _, cells, content = struct.unpack_from(">BHHH", page, header)
    if kind not in _LEAVES and kind not in _BRANCHES:
        return 0, 0
    begin = header + (8 if kind in _LEAVES else 12) + 2 * cells
    end = content or 65_536
    return (begin, end) if begin < end <= len(page) else (0, 0)


def _logged(log: FileIO) -> Iterator[int]:
    header = log.read(_LOG_HEADER)
    if len(header) < _LOG_HEADER:
        return
    frame = _FRAME_HEADER + int.from_bytes(header[8:12])
    while frames := log.read(frame * _FRAMES_AT_ONCE):
        yield from _first_words(frames, frame)


def _first_words(frames: bytes, frame: int) -> Iterable[int]:
    starts = range(0, len(frames) - 3, frame)
    return (int.from_bytes(frames[start : start + 4]) for start in starts)


def _page_size(written: bytes) -> int:
    size = int.from_bytes(written)
    return 65_536 if size == 1 else size


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
