"""Which program wrote a file, told by what is in it. Blocks."""

import codecs
import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from ...ports import ForeignTables
from . import (
    angel_memory,
    archive,
    chatgpt,
    livingmemory,
    mem0,
    memora,
    sillytavern,
    split_json,
    table,
)
from .rows import ForeignSource, NotASource, SourceProblem
from .values import fields

SQLITE = b"SQLite format 3\0"
ZIP = b"PK\x03\x04"
LARGEST_DOCUMENT = 128 << 20
"""Bytes of a JSON document, which is read as a whole."""

LONGEST_LINE = 4 << 20
LONGEST_FIELD = 1 << 20
HEAD = 64 << 10


@dataclass(frozen=True, slots=True)
class Opening:
    """What opening a file takes besides the file: its columns, and how a database is opened."""

    tables: Callable[[Path], ForeignTables]
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


@contextmanager
def opened(file: Path, wanted: Opening) -> Iterator[ForeignSource]:
    """The source in a file, as long as it is needed.

    Raises NotASource, StorageError for a damaged database, and OSError.
    """
    with file.open("rb") as raw:
        head = raw.read(HEAD)
    if not head.strip():
        raise NotASource(SourceProblem.EMPTY)
    if head.startswith(ZIP):
        found = [each for each in archive.conversations(file) if chatgpt.is_export(each)]
        if not found:
            raise NotASource(SourceProblem.FOREIGN)
        yield chatgpt.open_list(_Anew(lambda: chain.from_iterable(found)))
        return
    if not head.startswith(SQLITE):
        yield _text(file, head, wanted)
        return
    tables = wanted.tables(file)
    try:
        yield _database(tables)
    finally:
        tables.discard()


def _database(tables: ForeignTables) -> ForeignSource:
    columns = tables.columns()
    if angel_memory.RECORDS in columns:
        return angel_memory.open_tables(tables)
    if not columns.get("documents", frozenset()) >= livingmemory.DOCUMENTS:
        raise NotASource(SourceProblem.FOREIGN)
    if memora.MARK in columns:
        return memora.open_tables(tables)
    return livingmemory.open_tables(tables)


def _text(file: Path, head: bytes, wanted: Opening) -> ForeignSource:
    encoding = _encoding(head)
    if encoding is None:
        raise NotASource(SourceProblem.FOREIGN)
    start = head.decode(encoding, "ignore").lstrip()
    if start.startswith("{") and (first := _object(start.partition("\n")[0])) is not None:
        lines = _lines(file, encoding)
        known = memora.is_export(first) or sillytavern.is_chat(first)
        if known or len(list(islice(lines, 2))) == 2:
            return _jsonl(file, encoding, first, wanted)
    if start[:1] in ("{", "["):
        return _document(_whole(file, encoding), wanted)
    if start.startswith(("#", "- ", "---")):
        raise NotASource(SourceProblem.PROSE)
    return _sheet(file, encoding, wanted)


def _document(found: Any, wanted: Opening) -> ForeignSource:
    if chatgpt.is_export(found):
        return chatgpt.open_list(found)
    held = fields(found)
    if held.get("format") == livingmemory.EXPORT:
        return livingmemory.open_export(held)
    if angel_memory.is_export(held):
        return angel_memory.open_export(held)
    rows = mem0.listed(found)
    if rows is not None:
        return mem0.open_list(rows)
    if isinstance(found, list) and (first := next((row for row in found if fields(row)), None)):
        return table.open_rows(lambda: map(fields, found), first.keys(), wanted.columns)
    raise NotASource(SourceProblem.FOREIGN)


def _jsonl(file: Path, encoding: str, first: Mapping[str, Any], wanted: Opening) -> ForeignSource:
    if memora.is_export(first):
        return memora.open_lines(_Anew(lambda: _lines(file, encoding)))
    if sillytavern.is_chat(first):
        return sillytavern.open_lines(_Anew(lambda: _lines(file, encoding)))
    if mem0.listed([first]) is not None and "text" not in first:
        return mem0.open_list(_Anew(lambda: _lines(file, encoding)))
    return table.open_rows(lambda: _lines(file, encoding), first.keys(), wanted.columns)


def _sheet(file: Path, encoding: str, wanted: Opening) -> ForeignSource:
    csv.field_size_limit(min(sys.maxsize, LONGEST_FIELD))
    with file.open(encoding=encoding, errors="replace", newline="") as text:
        columns = _reader(text).fieldnames or []
    if len([column for column in columns if column]) != len(set(columns)):
        raise NotASource(SourceProblem.FOREIGN)
    if livingmemory.is_export(columns):
        return livingmemory.open_sheet(_Anew(lambda: _records(file, encoding)))
    if len(columns) < 2 and not wanted.columns:
        raise NotASource(SourceProblem.FOREIGN)
    return table.open_rows(lambda: _records(file, encoding), columns, wanted.columns)


@dataclass(frozen=True, slots=True)
class _Anew[T]:
    """Read from the beginning as often as it is gone through."""

    begin: Callable[[], Iterator[T]]

    def __iter__(self) -> Iterator[T]:
        return self.begin()


def _records(file: Path, encoding: str) -> Iterator[Mapping[str, str]]:
    with file.open(encoding=encoding, errors="replace", newline="") as text:
        try:
            for row in _reader(text):
                yield {key: value or "" for key, value in row.items() if isinstance(key, str)}
        except csv.Error as error:
            raise NotASource(SourceProblem.FOREIGN) from error


def _reader(text: TextIO) -> csv.DictReader[str]:
    sample = text.read(HEAD).partition("\n")[0]
    text.seek(0)
    delimiter = max(",;\t", key=sample.count)
    try:
        reader = csv.DictReader(text, delimiter=delimiter)
        reader.fieldnames = [name.strip() for name in reader.fieldnames or []]
    except csv.Error as error:
        raise NotASource(SourceProblem.FOREIGN) from error
    return reader


def _lines(file: Path, encoding: str) -> Iterator[Mapping[str, Any]]:
    """The JSON object of each line; an empty one of a line that holds none."""
    with file.open(encoding=encoding, errors="replace") as text:
        while line := text.readline(LONGEST_LINE):
            whole = line.endswith("\n") or len(line) < LONGEST_LINE
            while not whole:
                rest = text.readline(LONGEST_LINE)
                whole = rest.endswith("\n") or len(rest) < LONGEST_LINE
                line = ""
            if line.strip():
                yield _object(line) or {}


def _object(line: str) -> Mapping[str, Any] | None:
    try:
        found = split_json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _whole(file: Path, encoding: str) -> Any:
    if file.stat().st_size > LARGEST_DOCUMENT:
        raise NotASource(SourceProblem.TOO_LARGE, f"{LARGEST_DOCUMENT >> 20}")
    try:
        with file.open(encoding=encoding, errors="replace") as content:
            return split_json.load(content)
    except (ValueError, RecursionError) as error:
        raise NotASource(SourceProblem.FOREIGN) from error


def _encoding(head: bytes) -> str | None:
    """UTF-8 or GB18030; None for what is no text."""
    if b"\0" in head:
        return None
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            # What is cut at the end of the head may be half a character.
            codecs.getincrementaldecoder(encoding)().decode(head)
        except UnicodeDecodeError:
            continue
        return encoding
    return None
