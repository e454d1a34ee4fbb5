"""Records that cannot be read, set aside in a table of their own, where nothing meets them."""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from sqlite3 import Connection
from typing import Any

from ...core.model.errors import StorageError, UnreadableRecord
from ...core.model.memory import Kind, Status
from ...core.ports import Unreadable
from ..connections import Database, Work
from ..partitions import VectorChange
from . import writing
from .records import COLUMNS, IN_LIST, Found, decoded, listed, select

logger = logging.getLogger(__name__)

_STORED = f"""
    SELECT scope.key, document.body, {", ".join(f"memory.{column}" for column in COLUMNS)}
    FROM memory
    LEFT JOIN scope ON scope.number = memory.scope
    LEFT JOIN document ON document.memory = memory.row
    WHERE memory.id {IN_LIST}
"""

_SUSPECT = f"""
    SELECT memory.id FROM memory LEFT JOIN document ON document.memory = memory.row
    WHERE body IS NULL OR NOT json_valid(CAST(body AS TEXT))
        OR kind NOT {IN_LIST} OR status NOT {IN_LIST}
"""


class CarefulReader:
    """Queries for memories; records that cannot be read are set aside before they return.

    `follow` is told which.
    """

    def __init__(
        self, database: Database, follow: Callable[[Sequence[str], Sequence[VectorChange]], None]
    ) -> None:
        self._database = database
        self._follow = follow

    async def found(self, query: Work[Found]) -> Found:
        """What a query finds."""
        found = await self._database.read(query)
        await self.set_aside(found.unreadable)
        return found

    async def set_aside(self, ids: Sequence[str]) -> None:
        """Move those of the ids that are no memories; where that fails they stay."""
        if not ids:
            return
        try:
            await self._database.write(
                lambda tx: set_aside(tx, ids), on_commit=lambda changes: self._follow(ids, changes)
            )
        except StorageError as error:
            logger.warning("%d unreadable memories stay where they are: %s", len(ids), error)


def set_aside(transaction: Connection, ids: Iterable[str]) -> list[VectorChange]:
    """Move those of the ids that are no memories; what partitions must follow."""
    every = select(transaction, _STORED, (listed(ids),))
    found = {row[2]: (row, problem) for row in every if (problem := _problem(row))}
    transaction.executemany(
        "INSERT OR REPLACE INTO unreadable (id, scope, problem, raw) VALUES (?, ?, ?, ?)",
        [(id, _text(row[0]), problem, _raw(row)) for id, (row, problem) in found.items()],
    )
    _, changes = writing.delete(transaction, found)
    return changes


def suspects(snapshot: Connection) -> list[str]:
    """Ids of records that are plainly damaged, found without reading them as memories."""
    rows = select(snapshot, _SUSPECT, (listed(Kind), listed(Status)))
    return [id for (id,) in rows]


def every(snapshot: Connection) -> list[Unreadable]:
    """What has been set aside, by id."""
    rows = select(snapshot, "SELECT id, scope, problem, raw FROM unreadable ORDER BY id")
    return [Unreadable(id, scope, problem, json.loads(raw)) for id, scope, problem, raw in rows]


def drop(transaction: Connection, ids: Sequence[str]) -> frozenset[str]:
    """Delete for good; the ids that were there."""
    rows = select(
        transaction, f"DELETE FROM unreadable WHERE id {IN_LIST} RETURNING id", (listed(ids),)
    )
    return frozenset(id for (id,) in rows)


def _problem(row: tuple[Any, ...]) -> str:
    try:
        decoded(row)
    except UnreadableRecord as error:
        # Not the words of the error: they quote the memory.
        cause = error.__cause__
        return str(getattr(cause, "field", "")) or type(cause).__name__
    return ""


def _raw(row: tuple[Any, ...]) -> str:
    scope, body, *values = row
    stored = {"scope": scope, "body": body, **dict(zip(COLUMNS, values, strict=True))}
    return json.dumps({name: _json(value) for name, value in stored.items()})


def _json(value: object) -> object:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _text(value: object) -> str:
    return str(_json(value) or "")
