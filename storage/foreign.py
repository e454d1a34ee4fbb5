"""Databases of other programs: copied while they are in use, read a page at a time."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..core.model.errors import Fault, StorageError
from .connections import BUSY_SECONDS, translated
from .snapshot import LOGS

PAGE = 500
MOST_TABLES = 1_000
LARGEST_VALUE = 8 << 20
"""Bytes of one value; a longer one is read as nothing."""


@dataclass(frozen=True, slots=True)
class CopiedTables:
    """`ForeignTables` over a copy. No connection outlives a call, so any thread may make it."""

    file: Path

    @classmethod
    def of(cls, source: Path, copy: Path) -> "CopiedTables":
        """Copy a database with what its log holds. Raises StorageError."""
        copy.parent.mkdir(parents=True, exist_ok=True)
        copied = cls(copy)
        copied.discard()
        try:
            with (
                translated(source),
                closing(_connected(source)) as original,
                closing(sqlite3.connect(copy)) as target,
            ):
                original.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")
            copied.columns()
        except BaseException:
            copied.discard()
            raise
        return copied

    def columns(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table, by its name."""
        with translated(self.file), closing(_connected(self.file)) as found:
            query = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT ?"
            names = [name for (name,) in found.execute(query, (MOST_TABLES,))]
            return {name: _columns(found, name) for name in names if isinstance(name, str)}

    def rows(self, table: str) -> Iterator[Mapping[str, object]]:
        """Every row of a table by rowid; values of another type than its text as they are."""
        named = self.columns().get(table)
        if named is None:
            return
        last = -(1 << 63)
        while page := self._page(table, sorted(named), last):
            for rowid, row in page:
                yield row
                last = rowid

    def discard(self) -> None:
        """Delete the copy. Idempotent."""
        for each in (self.file, *(self.file.with_name(self.file.name + log) for log in LOGS)):
            each.unlink(missing_ok=True)

    def _page(
        self, table: str, columns: list[str], after: int
    ) -> list[tuple[int, Mapping[str, object]]]:
        named = ", ".join(map(_quoted, columns))
        query = (
            f"SELECT rowid, {named} FROM {_quoted(table)} WHERE rowid > ? ORDER BY rowid LIMIT ?"
        )
        with translated(self.file), closing(_connected(self.file)) as found:
            rows = found.execute(query, (after, PAGE)).fetchall()
        return [(row[0], dict(zip(columns, map(_sound, row[1:]), strict=True))) for row in rows]


def _connected(file: Path) -> sqlite3.Connection:
    """Opened to be read. Raises StorageError if there is no such file."""
    if not file.is_file():
        text = f"{file.name} is missing"
        raise StorageError(text, file=file.name, fault=Fault.UNREADABLE)
    found = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", timeout=BUSY_SECONDS, uri=True)
    found.text_factory = lambda value: value.decode("utf-8", "replace")
    return found


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Only stored ones: a generated column is an expression of the file's, which is not run."""
    found = connection.execute(f"PRAGMA table_info({_quoted(table)})")
    return frozenset(column for _, column, *_ in found)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sound(value: object) -> object:
    large = isinstance(value, str | bytes) and len(value) > LARGEST_VALUE
    return None if large else value
