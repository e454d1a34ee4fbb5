"""Which program wrote a file, told by what is in it. Blocks."""

import codecs
import csv
import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from ...ports import ForeignTables
from . import chats, documents, flat, split_json
from .rows import (
    LONGEST_LINE,
    Content,
    ForeignSource,
    NotASource,
    Row,
    Rows,
    SourceProblem,
    limited,
    name,
)

FORMATS = (*chats.FORMATS, *documents.FORMATS, *flat.FORMATS)

SQLITE = b"SQLite format 3\0"
ZIP = b"PK\x03\x04"
LARGEST_DOCUMENT = 128 << 20
"""Bytes of a JSON document, which is read as a whole."""

LONGEST_FIELD = 1 << 20
HEAD = 64 << 10

MOST_ENTRIES = 100_000
LARGEST_UNPACKED = 256 << 20
"""Bytes of what is unpacked, together."""

HIGHEST_RATIO = 200
"""Bytes that come of one: text shrinks to a tenth, nothing to a thousandth."""

_CONVERSATIONS = re.compile(r"conversations(-\d{1,4})?\.json")
_LINK = 0o120000


@contextmanager
def opened(
    file: Path, open_tables: Callable[[Path], ForeignTables], columns: Mapping[str, str]
) -> Iterator[ForeignSource]:
    """The source in a file, as long as it is needed; `columns` as in `flat.table`.

    Raises NotASource, StorageError for a damaged database, and OSError.
    """
    with file.open("rb") as raw:
        head = raw.read(HEAD)
    if not head.strip():
        raise NotASource(SourceProblem.EMPTY)
    if not head.startswith(SQLITE):
        packed = head.startswith(ZIP)
        content = _listing(_conversations(file)) if packed else _text(file, head, columns)
        yield _source(content, columns)
        return
    tables = open_tables(file)
    try:
        found = {each: partial(tables.rows, each) for each in tables.columns()}
        yield _source(Content(found, tables.columns()), columns)
    finally:
        tables.discard()


def _source(content: Content, wanted: Mapping[str, str]) -> ForeignSource:
    for each in FORMATS:
        if each.known(content):
            version = each.version(content)
            if version not in each.versions:
                raise NotASource(SourceProblem.VERSION, f"{each.program} {name(version) or '?'}")
            return ForeignSource(each.program, name(version), partial(each.read, content))
    if not content.tabular:
        raise NotASource(SourceProblem.FOREIGN)
    return flat.table(content, wanted)


def _listing(rows: Rows) -> Content:
    first = next(filter(None, map(Row.of, rows())), Row())
    return Content({"": rows}, {"": frozenset(first)}, tabular=bool(first))


def _conversations(file: Path) -> Rows:
    """The conversations of ChatGPT's export, file by file, unpacked no further than is safe."""
    try:
        with zipfile.ZipFile(file) as packed:
            found = [_listed(packed, entry) for entry in _wanted(packed)]
            return partial(chain.from_iterable, found)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise NotASource(SourceProblem.FOREIGN) from error


def _wanted(packed: zipfile.ZipFile) -> Sequence[zipfile.ZipInfo]:
    entries = packed.infolist()
    if len(entries) > MOST_ENTRIES or any(map(_leads_out, entries)):
        raise NotASource(SourceProblem.BOMB)
    found = [e for e in entries if _CONVERSATIONS.fullmatch(PurePosixPath(e.filename).name)]
    if not found:
        raise NotASource(SourceProblem.FOREIGN)
    if any(e.file_size > HIGHEST_RATIO * max(1, e.compress_size) for e in found):
        raise NotASource(SourceProblem.BOMB)
    if sum(entry.file_size for entry in found) > LARGEST_UNPACKED:
        raise NotASource(SourceProblem.TOO_LARGE, f"{LARGEST_UNPACKED >> 20}")
    return sorted(found, key=lambda entry: entry.filename)


def _leads_out(entry: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    linked = (entry.external_attr >> 16) & 0o170000 == _LINK
    return linked or path.is_absolute() or ".." in path.parts


def _listed(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> list[Any]:
    # What an entry says of its own size may be a lie.
    with packed.open(entry) as content:
        read = content.read(entry.file_size + 1)
    if len(read) > entry.file_size:
        raise NotASource(SourceProblem.BOMB)
    found = _json(io.TextIOWrapper(io.BytesIO(read), "utf-8-sig"))
    return found if isinstance(found, list) else []


def _text(file: Path, head: bytes, wanted: Mapping[str, str]) -> Content:
    encoding = _encoding(head)
    if encoding is None:
        raise NotASource(SourceProblem.FOREIGN)
    start = head.decode(encoding, "ignore").lstrip()
    if start.startswith("{") and (first := _object(start.partition("\n")[0])) is not None:
        lines = partial(_lines, file, encoding)
        if len(list(islice(lines(), 2))) == 2:
            return Content({"": lines}, {"": frozenset(first)}, first, tabular=True)
    if start[:1] in ("{", "["):
        return _document(_whole(file, encoding))
    if start.startswith(("#", "- ", "---")):
        raise NotASource(SourceProblem.PROSE)
    return _sheet(file, encoding, wanted)


def _document(found: Any) -> Content:
    if not isinstance(found, dict):
        return _listing(partial(iter, found if isinstance(found, list) else []))
    lists = {key: partial(iter, value) for key, value in found.items() if isinstance(value, list)}
    columns = {key: frozenset(Row.of(next(rows(), None))) for key, rows in lists.items()}
    # One line of JSON Lines is a document, too.
    return Content(
        {**lists, "": partial(iter, [found])}, {**columns, "": frozenset(found)}, Row(found)
    )


def _sheet(file: Path, encoding: str, wanted: Mapping[str, str]) -> Content:
    csv.field_size_limit(min(sys.maxsize, LONGEST_FIELD))
    with file.open(encoding=encoding, errors="replace", newline="") as text:
        columns = _reader(text).fieldnames or []
    if len([column for column in columns if column]) != len(set(columns)):
        raise NotASource(SourceProblem.FOREIGN)
    rows, tabular = partial(_records, file, encoding), len(columns) > 1 or bool(wanted)
    return Content({"": rows}, {"": frozenset(columns)}, tabular=tabular)


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


def _lines(file: Path, encoding: str) -> Iterator[Row]:
    """The JSON object of each line; an empty one of a line that holds none."""
    with file.open(encoding=encoding, errors="replace") as text:
        for line in limited(text):
            if len(line) <= LONGEST_LINE and line.strip():
                yield _object(line) or Row()


def _object(line: str) -> Row | None:
    try:
        found = split_json.loads(line)
    except (ValueError, RecursionError):
        return None
    return Row(found) if isinstance(found, dict) else None


def _whole(file: Path, encoding: str) -> Any:
    if file.stat().st_size > LARGEST_DOCUMENT:
        raise NotASource(SourceProblem.TOO_LARGE, f"{LARGEST_DOCUMENT >> 20}")
    with file.open(encoding=encoding, errors="replace") as content:
        return _json(content)


def _json(content: TextIO) -> Any:
    try:
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
