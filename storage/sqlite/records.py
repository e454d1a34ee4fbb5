"""Memories as rows: the schema of `memories.db`, its filters in SQL, how rows are read back."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from sqlite3 import Connection
from typing import Any

import numpy as np

from ...core.forgetting.population import KINDS, Population
from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Filter, Order
from ..codec import VITALITY_COLUMNS, decode_body, slot_number, tag_number

COLUMNS = (
    "id",
    "kind",
    "created_at",
    "status",
    "since",
    "reason",
    "purge_at",
    *VITALITY_COLUMNS,
    "exempt",
    "recallable",
    "happened_at",
    "slot",
    "holds",
    "intention",
    "due_at",
)
"""The columns of `memory` that follow from the value alone."""

_READ = COLUMNS[: COLUMNS.index("exempt")]
"""Those that a memory is made of; the others follow from its body, too."""

SELECT = f"""
    SELECT scope.key, document.body, {", ".join(f"memory.{column}" for column in _READ)}
    FROM memory
    JOIN scope ON scope.number = memory.scope
    JOIN document ON document.memory = memory.row
"""

type Row = tuple[Any, ...]
"""A row of `SELECT`."""

ID = 2
"""Where a row of `SELECT` has the id."""

IN_LIST = "IN (SELECT value FROM json_each(?))"
"""Membership in a list of any length, bound as one parameter by `listed`."""

ORDERS = {
    Order.NEWEST: "memory.created_at DESC, memory.id",
    Order.OLDEST: "memory.created_at, memory.id",
    Order.LATEST: "memory.happened_at DESC, memory.id",
    Order.STRONGEST: "memory.strength DESC, memory.id",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A WHERE clause over `memory` and its bound values."""

    sql: str
    values: tuple[Any, ...] = ()

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(f"{self.sql} AND {other.sql}", self.values + other.values)


def listed(values: Iterable[Any]) -> str:
    """A list as the one parameter of `IN_LIST`."""
    return json.dumps(list(values))


def within(scopes: Collection[str] | None, *, ordered: bool = True) -> Condition:
    """Memories of these scopes; None means any, an empty collection none.

    `ordered`: an index by scope and age may be read until there are enough.
    """
    if scopes is None:
        return Condition("TRUE")
    # An index that begins with the scope gives its rows in order only for a single one.
    membership = "=" if ordered and len(scopes) == 1 else "IN"
    numbers = f"SELECT number FROM scope WHERE key {IN_LIST}"
    return Condition(f"memory.scope {membership} ({numbers})", (listed(scopes),))


def of_kinds(kinds: Iterable[Kind] | None) -> Condition:
    """Memories of these kinds; None means any."""
    if kinds is None:
        return Condition("TRUE")
    return Condition(f"memory.kind {IN_LIST}", (listed(kinds),))


def matching(where: Filter) -> Condition:
    """The filter as SQL."""
    # A term with a plus is no reason for SQLite to take its index: most rows are live and
    # recallable, few claim anything.
    claims = where.slots is not None or where.holds is True
    aside = "+" if claims else ""
    condition = within(where.scopes, ordered=where.slots is None) & of_kinds(where.kinds)
    if where.status is not None:
        condition &= Condition(f"{aside}memory.status = ?", (where.status.value,))
    if where.recallable is not None:
        condition &= Condition(f"{aside}memory.recallable = ?", (int(where.recallable),))
    if where.exempt is not None:
        condition &= Condition("memory.exempt = ?", (int(where.exempt),))
    if where.score is not None:
        condition &= Condition("memory.useful_score >= ? AND memory.useful_score < ?", where.score)
    if where.created_before is not None:
        condition &= Condition("memory.created_at < ?", (where.created_before,))
    if where.slots is not None:
        numbers = listed(sorted(map(slot_number, where.slots)))
        condition &= Condition(f"memory.slot {IN_LIST}", (numbers,))
    if where.holds is not None:
        apart = "" if where.slots is None else "+"
        condition &= Condition(f"{apart}memory.holds = {int(where.holds)}")
    if where.intentions is not None:
        condition &= Condition(f"memory.intention {IN_LIST}", (listed(sorted(where.intentions)),))
    if where.due is not None:
        condition &= Condition("memory.due_at BETWEEN ? AND ?", where.due)
    if where.tag is not None:
        condition &= Condition(
            "memory.row IN (SELECT memory FROM tag WHERE number = ?)", (tag_number(where.tag),)
        )
    if where.happened is not None:
        condition &= Condition("memory.happened_at BETWEEN ? AND ?", where.happened)
    return condition


def column_values(memory: Memory) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    standing = memory.standing
    return (
        memory.id,
        memory.kind.value,
        memory.created_at,
        standing.status.value,
        standing.since,
        standing.reason,
        standing.purge_at,
        *(getattr(memory.vitality, column) for column in VITALITY_COLUMNS),
        memory.exempt,
        memory.recallable,
        memory.happened_at,
        None if memory.claim is None else slot_number(memory.claim.slot),
        memory.holds,
        None if memory.intention is None else memory.intention.status.value,
        memory.due_at,
    )


def decoded(row: Row) -> Memory:
    """A row of `SELECT` as a memory. Raises UnreadableRecord."""
    scope, body, id, kind, created_at, status, since, reason, purge_at, *numbers = row
    standing = {"status": status, "since": since, "reason": reason, "purge_at": purge_at}
    columns = {
        "id": id,
        "scope": scope,
        "kind": kind,
        "created_at": created_at,
        "standing": standing,
    }
    return decode_body(body, columns, dict(zip(VITALITY_COLUMNS, numbers, strict=False)))


@dataclass(frozen=True, slots=True)
class Found:
    """The memories of a query, in its order, and the ids of rows that are none."""

    memories: list[Memory]
    unreadable: tuple[str, ...] = ()


def by_row(connection: Connection, rows: Iterable[int]) -> dict[int, Memory]:
    """The readable ones of these rows, in their order."""
    query = f"SELECT row, id FROM memory WHERE row {IN_LIST} ORDER BY row"
    places = select(connection, query, (listed(rows),))
    condition = Condition(f"memory.row {IN_LIST}", (listed(row for row, _ in places),))
    found = {memory.id: memory for memory in fetch(connection, condition).memories}
    return {row: found[id] for row, id in places if id in found}


def select(connection: Connection, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
    """Every row of a query; nothing stays open on the connection."""
    return connection.execute(sql, values).fetchall()


def fetch(
    connection: Connection, condition: Condition, tail: str = "", values: tuple[Any, ...] = ()
) -> Found:
    """The memories of the condition. `tail` orders and limits, with its own bound `values`."""
    rows = select(connection, f"{SELECT} WHERE {condition.sql} {tail}", condition.values + values)
    memories: list[Memory] = []
    unreadable: list[str] = []
    for row in rows:
        try:
            memories.append(decoded(row))
        except UnreadableRecord:
            unreadable.append(row[ID])
    return Found(memories, tuple(unreadable))


_PLANNED = {
    "kind": f"CASE memory.kind {' '.join(f"WHEN '{k}' THEN {n}" for n, k in enumerate(KINDS))} END",
    "kept": "exempt",
    "archived": f"memory.status = '{Status.ARCHIVED}'",
    "created_at": "memory.created_at",
    "holds": "holds",
    **{name: f"memory.{name}" for name in VITALITY_COLUMNS if name != "pinned"},
}
"""By the name in a `Population`, what a decay plan looks at, in SQL."""


def planned(connection: Connection, condition: Condition) -> tuple[list[str], Population] | None:
    """Ids of the condition, and what a decay plan looks at; None if a row cannot be read so."""
    wanted = ", ".join(_PLANNED.values())
    rows = select(
        connection, f"SELECT id, {wanted} FROM memory WHERE {condition.sql}", condition.values
    )
    ids, *numbers = zip(*rows, strict=True) if rows else ((),) * (len(_PLANNED) + 1)
    form = Population.of(())
    told = {each.name: np.zeros(len(ids)) for each in fields(form)}
    try:
        told |= {n: np.array(own, np.float64) for n, own in zip(_PLANNED, numbers, strict=True)}
    except (TypeError, ValueError):
        return None
    if any(np.isnan(own).any() for own in told.values()):
        return None
    fit = {name: own.astype(getattr(form, name).dtype) for name, own in told.items()}
    return [*ids], Population(**fit)


_TABLES = (
    """
    CREATE TABLE scope (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
        rows INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE memory (
        row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL,
        kind TEXT NOT NULL, created_at REAL NOT NULL, status TEXT NOT NULL, since REAL NOT NULL,
        reason TEXT NOT NULL, purge_at REAL, strength INTEGER NOT NULL,
        useful_count INTEGER NOT NULL, useful_score REAL NOT NULL, pinned INTEGER NOT NULL,
        last_recalled_at REAL NOT NULL, last_decay_at REAL NOT NULL, exempt INTEGER NOT NULL,
        recallable INTEGER NOT NULL, indexed INTEGER NOT NULL DEFAULT 0,
        embedder INTEGER NOT NULL DEFAULT 0, happened_at REAL NOT NULL DEFAULT 0, slot INTEGER,
        holds INTEGER NOT NULL DEFAULT 0, intention TEXT, due_at REAL,
        sole INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE TABLE document (memory INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """
    CREATE TABLE source_turn (
        turn INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (turn, memory)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX source_turn_memory ON source_turn (memory)",
    "CREATE TABLE embedder (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE)",
    "CREATE TABLE vector (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """
    CREATE TABLE mention (
        scope INTEGER NOT NULL, name TEXT NOT NULL, created_at REAL NOT NULL,
        memory INTEGER NOT NULL, PRIMARY KEY (scope, name, created_at DESC, memory)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE tag (
        number INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (number, memory)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE unreadable (
        id TEXT PRIMARY KEY, scope TEXT NOT NULL, problem TEXT NOT NULL, raw TEXT NOT NULL
    )
    """,
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

_INDEXES = (
    "CREATE INDEX memory_by_id ON memory (scope, id)",
    "CREATE INDEX memory_by_age ON memory (scope, created_at DESC, id)",
    "CREATE INDEX memory_newest ON memory (created_at DESC, id)",
    "CREATE INDEX memory_census ON memory (scope, status, kind, recallable, useful_score)",
    "CREATE INDEX memory_in_bin ON memory (since, id, purge_at) WHERE status = 'binned'",
    """
    CREATE INDEX memory_by_embedder ON memory (embedder, created_at DESC, id)
    WHERE recallable = 1
    """,
    "CREATE INDEX memory_unindexed ON memory (scope) WHERE indexed <> recallable",
    "CREATE INDEX mention_by_memory ON mention (memory)",
    "CREATE INDEX memory_by_event ON memory (scope, happened_at DESC, id)",
    "CREATE INDEX memory_by_slot ON memory (scope, slot) WHERE slot IS NOT NULL",
    "CREATE INDEX memory_holding ON memory (scope, created_at DESC, id) WHERE holds = 1",
    """
    CREATE INDEX memory_by_intention ON memory (scope, intention, created_at DESC, id)
    WHERE intention IS NOT NULL
    """,
    "CREATE INDEX memory_due ON memory (scope, due_at) WHERE due_at IS NOT NULL",
    "CREATE INDEX tag_of_memory ON tag (memory)",
)


def memory_schema(transaction: Connection) -> None:
    """Records, and what is found of them: by words, vectors, entities, slots, days and tags."""
    for statement in _TABLES + _INDEXES:
        transaction.execute(statement)


STEPS = (memory_schema,)
