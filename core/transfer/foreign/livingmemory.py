"""livingmemory: its database (version 8), and its exports as JSON and CSV. Pure.

Versions: the database's `db_version`; exports carry `schema_version`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ...ports import ForeignTables
from .documents import Document, memories_of
from .rows import ForeignRow, ForeignSource, NotASource, Program, Skip, SkippedRow, SourceProblem
from .values import count, fields, name, text

VERSION = 8
EXPORT_VERSION = 1
EXPORT = "livingmemory"

DOCUMENTS = frozenset({"id", "text", "metadata"})
_EXPORTED = frozenset({"original_id", "content", "importance", "session_id", "persona_id"})
_ESCAPED = "=+-@\t\r"


def open_tables(tables: ForeignTables) -> ForeignSource:
    """Its database. Raises NotASource for another version."""
    versions = [count(row.get("version")) for row in tables.rows("db_version")]
    version = max(versions, default=0)
    if version != VERSION:
        raise NotASource(SourceProblem.VERSION, f"{Program.LIVINGMEMORY} {version or 1}")
    return ForeignSource(Program.LIVINGMEMORY, str(version), lambda now: documents(tables, now))


def documents(tables: ForeignTables, now: float) -> Iterator[ForeignRow]:
    """The rows of a database with documents and atoms."""
    atoms: defaultdict[str, list[Mapping[str, object]]] = defaultdict(list)
    for atom in tables.rows("memory_atoms"):
        atoms[name(atom.get("parent_memory_id"))].append(atom)
    for row in tables.rows("documents"):
        id = name(row.get("id"))
        noted = fields(row.get("metadata"))
        if not noted:
            yield SkippedRow(id, Skip.BROKEN)
            continue
        own = name(row.get("doc_id")) or id
        document = Document(
            own,
            text(row.get("text")),
            noted,
            created_at=row.get("created_at"),
            atoms=atoms.get(id, ()),
        )
        yield from memories_of(document, now)


def open_export(found: Mapping[str, object]) -> ForeignSource:
    """Its export as JSON. Raises NotASource for another version."""
    version = found.get("schema_version")
    if version != EXPORT_VERSION:
        raise NotASource(SourceProblem.VERSION, f"{Program.LIVINGMEMORY} {name(version)}")
    listed = found.get("memories")
    rows = listed if isinstance(listed, list) else []
    return ForeignSource(
        Program.LIVINGMEMORY, str(version), lambda now: _exported(map(fields, rows), now)
    )


def is_export(columns: Iterable[str]) -> bool:
    """Whether a table with these columns is its export as CSV."""
    return frozenset(columns) >= _EXPORTED


def open_sheet(rows: Iterable[Mapping[str, str]]) -> ForeignSource:
    """Its export as CSV."""

    def unescaped() -> Iterator[Mapping[str, str]]:
        for row in rows:
            yield {column: unescape(value) for column, value in row.items()}

    return ForeignSource(
        Program.LIVINGMEMORY, str(EXPORT_VERSION), lambda now: _exported(unescaped(), now)
    )


def unescape(value: str) -> str:
    """The value as it was before a spreadsheet was kept from running it."""
    return value[1:] if value[:1] == "'" and value[1:2] and value[1] in _ESCAPED else value


def _exported(rows: Iterable[Mapping[str, object]], now: float) -> Iterator[ForeignRow]:
    for number, row in enumerate(rows, start=1):
        id = name(row.get("original_id")) or str(number)
        if not text(row.get("content")):
            yield SkippedRow(id, Skip.EMPTY)
            continue
        noted = {**_own(row), **fields(row.get("metadata"))}
        yield from memories_of(
            Document(
                id,
                text(row.get("content")),
                noted,
                importance=row.get("importance"),
                session=name(row.get("session_id")),
                persona=name(row.get("persona_id")),
            ),
            now,
        )


def _own(row: Mapping[str, object]) -> Mapping[str, object]:
    """What the export repeats beside the metadata."""
    return {key: row[key] for key in ("status", "topics", "key_facts") if row.get(key)}
