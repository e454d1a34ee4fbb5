"""What went wrong in Chroma, as the errors this plugin raises."""

import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from ...core.model.errors import Fault, StorageError
from ..connections import reason_of
from .child import DATABASE

FOLDER = "chroma"

MISSING = (
    "the package chromadb is not installed in AstrBot's Python: run"
    ' `python -m pip install "chromadb>=1.5,<2"` there, or set storage.backend to sqlite'
)

_OF_SQLITE = re.compile(r"\(code: (\d+)\)")
_OF_SYSTEM = re.compile(r"os error(?: (\d+))?")
"""What the text of Chroma's errors tells; they have no code of their own."""

_CODES = {28: sqlite3.SQLITE_FULL, 30: sqlite3.SQLITE_READONLY, 13: sqlite3.SQLITE_READONLY}
"""Errors of the system as SQLite's; any other is that it cannot be opened."""


class CollectionGone(StorageError):
    """A collection that was there is not on the server any more: somebody else deleted it."""


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Chroma's errors inside the block come out as StorageError; `place` is folder or address."""
    try:
        yield
    except httpx.HTTPStatusError as error:
        raise _refusal(place, error.response.status_code) from error
    except httpx.HTTPError as error:
        text = f"the Chroma server at {place} does not answer ({error or type(error).__name__})"
        raise StorageError(text, file=place, fault=Fault.UNREACHABLE) from error
    except (UnicodeEncodeError, OverflowError, *_of_chroma()) as error:
        if isinstance(error, _of_chroma("NotFoundError")):
            text = f"{place} has lost a collection ({error})"
            raise CollectionGone(text, file=place) from error
        raise told(place, str(error)) from error


def inspect(folder: Path) -> None:
    """Raises StorageError unless Chroma may open the folder: its own, or one it will make."""
    file = folder / DATABASE
    if folder.exists() and not folder.is_dir():
        raise StorageError(f"{folder.name} is not a folder", file=folder.name, fault=Fault.FOREIGN)
    if not file.exists() or file.stat().st_size == 0:
        return
    try:
        # Not read-only: what a kill has left half written is rolled back by whoever comes first.
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as probe:
            tables = {name for (name,) in probe.execute("SELECT name FROM sqlite_schema")}
    except sqlite3.Error as error:
        text = f"(code: {getattr(error, 'sqlite_errorcode', 0)}) {error}"
        raise told(folder.name, text) from error
    if tables and tables.isdisjoint({"migrations", "collections"}):
        text = f"{folder.name}/{DATABASE} belongs to another program"
        raise StorageError(text, file=folder.name, fault=Fault.FOREIGN)


def _of_chroma(name: str = "ChromaError") -> tuple[type[Exception], ...]:
    # Not imported here: that takes seconds, and nothing raises them before it is done.
    errors = sys.modules.get("chromadb.errors")
    return () if errors is None else (getattr(errors, name),)


def _refusal(place: str, status: int) -> StorageError:
    if status in (401, 403):
        text = f"the Chroma server at {place} refuses the token or headers (status {status})"
        return StorageError(text, file=place, fault=Fault.REFUSED)
    text = f"the Chroma server at {place} fails (status {status})"
    return StorageError(text, file=place, fault=Fault.UNREACHABLE)


def told(place: str, text: str) -> StorageError:
    """The error that the text of one of Chroma's stands for."""
    code = 0
    if found := _OF_SQLITE.search(text):
        code = int(found[1])
    elif found := _OF_SYSTEM.search(text):
        code = _CODES.get(int(found[1] or 0), sqlite3.SQLITE_CANTOPEN)
    fault, reason = reason_of(code)
    return StorageError(f"{place} {reason} ({text})", file=place, fault=fault)
