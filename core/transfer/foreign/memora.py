"""memora: its database (version 9) and its export as JSON Lines. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...model.conversation import ScopeKind
from ...ports import ForeignTables
from . import livingmemory
from .chinese_names import LABEL
from .documents import Document, chat_of, memories_of
from .owners import owner_of
from .rows import (
    ForeignMemory,
    ForeignRow,
    ForeignSource,
    NotASource,
    Program,
    Skip,
    SkippedRow,
    SourceProblem,
)
from .values import count, fields, name, text

VERSION = 9
MARK = "canonical_idempotency_keys"
"""The table that tells its database from livingmemory's."""

_EXPORTED = frozenset({"id", "content", "metadata", "exported_at"})


def open_tables(tables: ForeignTables) -> ForeignSource:
    """Its database. Raises NotASource for another version."""
    version = max((count(row.get("version")) for row in tables.rows("db_version")), default=0)
    if version != VERSION:
        raise NotASource(SourceProblem.VERSION, f"{Program.MEMORA} {version or '?'}")

    def documents(now: float) -> Iterator[ForeignRow]:
        doubtful = _doubtful(tables)
        for row in livingmemory.documents(tables, now):
            yield _trusted(row, doubtful)

    return ForeignSource(Program.MEMORA, str(version), documents)


def is_export(fields: Mapping[str, object]) -> bool:
    """Whether a line of JSON is one of its export."""
    return fields.keys() >= _EXPORTED


def open_lines(lines: Iterable[Mapping[str, object]]) -> ForeignSource:
    """Its export as JSON Lines."""

    def documents(now: float) -> Iterator[ForeignRow]:
        for row in lines:
            noted = fields(row.get("metadata"))
            id = name(row.get("id"))
            reason = doubt(noted)
            if reason is not None:
                yield SkippedRow(id, reason)
                continue
            for each in memories_of(Document(id, text(row.get("content")), noted), now):
                yield _trusted(each, {})

    return ForeignSource(Program.MEMORA, "", documents)


def doubt(noted: Mapping[str, Any]) -> Skip | None:
    """Why a row does not come although it is there: what the program marked, or a contradiction
    between where it was said and how private it is.
    """
    if noted.get("quality_gate_action") == "mark_write":
        return Skip.DOUBTFUL
    scope = owner_of(chat_of(noted))
    confidential = noted.get("privacy_level") == "confidential"
    if confidential and scope is not None and scope.kind is ScopeKind.GROUP:
        return Skip.NO_OWNER
    return None


def _doubtful(tables: ForeignTables) -> Mapping[str, Skip]:
    """Why rows do not come, by what they are called."""
    found: dict[str, Skip] = {}
    for row in tables.rows("documents"):
        reason = doubt(fields(row.get("metadata")))
        if reason is not None:
            found[name(row.get("doc_id")) or name(row.get("id"))] = reason
    return found


def _trusted(row: ForeignRow, doubtful: Mapping[str, Skip]) -> ForeignRow:
    if not isinstance(row, ForeignMemory):
        return row
    reason = doubtful.get(row.row) or doubtful.get(row.row.rpartition(".")[0])
    if reason is not None:
        return SkippedRow(row.row, reason)
    return replace(row, text=LABEL.sub("", row.text), about=_unlabelled(row.about))


def _unlabelled(names: Sequence[str]) -> tuple[str, ...]:
    plain = (LABEL.sub("", each).strip() for each in names)
    return tuple(each for each in plain if each and ":" not in each)
