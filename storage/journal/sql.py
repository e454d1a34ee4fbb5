"""Statements with bound values."""

import json
from collections.abc import Iterable
from sqlite3 import Connection
from typing import Any

IN_LIST = "IN (SELECT value FROM json_each(?))"
"""Membership in a list of any length, bound as one parameter by `listed`."""

type Value = str | int | float | None
type Row = tuple[Value, ...]


def sound(text: str) -> str:
    """`text` as UTF-8 can hold it: a lone surrogate becomes "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


def listed(values: Iterable[str] | Iterable[int]) -> str:
    """A list as the one parameter of `IN_LIST`."""
    return json.dumps([sound(value) if isinstance(value, str) else value for value in values])


def rows(con: Connection, sql: str, *values: Value) -> list[tuple]:
    """Every row of a query."""
    return con.execute(sql, _bound(values)).fetchall()


def row(con: Connection, sql: str, *values: Value) -> tuple | None:
    """The first row of a query, or None."""
    return con.execute(sql, _bound(values)).fetchone()


def value(con: Connection, sql: str, *values: Value) -> Any:
    """What a query for one value finds first; None if it finds nothing."""
    found = row(con, sql, *values)
    return None if found is None else found[0]


def put(tx: Connection, table: str, **values: Value) -> None:
    """Write a row, in the place of the one that has its key."""
    names, marks = ", ".join(values), ", ".join("?" for _ in values)
    run(tx, f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", *values.values())


def run(tx: Connection, sql: str, *values: Value) -> int:
    """Execute one statement; the number of rows it changed."""
    return tx.execute(sql, _bound(values)).rowcount


def run_many(tx: Connection, sql: str, batch: list[Row]) -> None:
    """Execute one statement for each row of values."""
    tx.executemany(sql, [_bound(values) for values in batch])


def _bound(values: Row) -> Row:
    return tuple(sound(value) if isinstance(value, str) else value for value in values)
