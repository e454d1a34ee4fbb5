"""The work queue: what is still to be done, and the keys of everything that ever was queued.

A READY or DEAD item is a row of `work`. Finishing it leaves only its key, in `finished`, so
that the queue stays as small as its backlog and no key is ever accepted twice.
"""

import json
from collections.abc import Collection, Mapping
from sqlite3 import Connection
from typing import Any

from ...core.ports import Work, WorkKind, WorkState
from .sql import listed, row, rows, run

_KINDS = frozenset(WorkKind)
_STATES = frozenset(WorkState)
_READABLE = "CASE WHEN json_valid(payload) THEN json_type(payload) = 'object' ELSE 0 END"
_SELECT = "SELECT id, kind, key, payload, attempts, not_before, error FROM work"

KEYS = (
    "IN (SELECT known.key FROM json_each(?) JOIN {table} AS known"
    " ON known.key >= value AND known.key < value || '(')"
)
"""Keys of the queue in a list, also with the apostrophes that trying again adds to them."""


def enqueue(
    tx: Connection, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
) -> bool:
    """Queue work; False if the key is known. `payload` is a JSON object."""
    if row(tx, "SELECT 1 FROM finished WHERE key = ?", key):
        return False
    return enqueue_new(tx, kind, key, payload, not_before=not_before)


def enqueue_new(
    tx: Connection, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
) -> bool:
    """Queue work whose key was never finished, as of one minted just now; False if it waits."""
    query = (
        "INSERT INTO work (kind, key, payload, not_before) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (key) DO NOTHING"
    )
    return run(tx, query, kind.value, key, json.dumps(dict(payload)), not_before) == 1


def due(
    con: Connection, now: float, *, kinds: frozenset[WorkKind], limit: int, skip: frozenset[int]
) -> list[Work]:
    query = (
        f"{_SELECT} WHERE state = 'ready' AND not_before <= ? AND {_READABLE}"
        " AND kind IN (SELECT value FROM json_each(?))"
        " AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?"
    )
    found = rows(con, query, now, listed(sorted(kinds)), listed(sorted(skip)), max(0, limit))
    return [_work(item) for item in found]


def keyed(con: Connection, key: str) -> Work | None:
    """The work of this key, unless it is done."""
    found = row(con, f"{_SELECT} WHERE key = ?", key)
    return _work(found) if found else None


def finish(tx: Connection, work_id: int) -> None:
    run(tx, "INSERT INTO finished SELECT key FROM work WHERE id = ?", work_id)
    run(tx, "DELETE FROM work WHERE id = ?", work_id)


def postpone(tx: Connection, work_id: int, *, until: float, error: str) -> None:
    query = (
        "UPDATE work SET attempts = attempts + 1, not_before = ?, error = ?, state = 'ready'"
        " WHERE id = ? AND state = 'ready'"
    )
    run(tx, query, until, error, work_id)


def bury(tx: Connection, work_id: int, error: str) -> None:
    run(tx, "UPDATE work SET state = 'dead', error = ? WHERE id = ?", error, work_id)


def backlog(con: Connection) -> dict[tuple[WorkKind, WorkState], int]:
    counts = rows(con, "SELECT kind, state, count(*) FROM work GROUP BY kind, state")
    return {
        (WorkKind(kind), WorkState(state)): count
        for kind, state, count in counts
        if kind in _KINDS and state in _STATES
    }


def dead(con: Connection, *, limit: int = 10) -> list[tuple[Work, str]]:
    query = f"{_SELECT} WHERE state = 'dead' AND {_READABLE} ORDER BY id DESC LIMIT ?"
    found = rows(con, query, max(0, limit))
    return [(_work(item), item[-1]) for item in found if item[1] in _KINDS]


def forget(
    tx: Connection, keys: Collection[str], tables: Collection[str] = ("work", "finished")
) -> None:
    """Drop the items of these keys, and that there ever were any."""
    for table in tables:
        run(tx, f"DELETE FROM {table} WHERE key {KEYS.format(table=table)}", listed(keys))


def any_unreadable(con: Connection) -> bool:
    """Whether there is work that nobody can read and that is not given up yet."""
    return bool(row(con, f"SELECT 1 FROM work WHERE NOT ({_READABLE}) LIMIT 1"))


def bury_unreadable(tx: Connection) -> None:
    """Give up work that cannot be read: it can never be done, and is listed with dead work."""
    run(
        tx,
        "UPDATE work SET state = 'dead', error = 'unreadable', payload = '{}'"
        f" WHERE NOT ({_READABLE})",
    )


def _work(item: tuple) -> Work:
    number, kind, key, payload, attempts, not_before, _ = item
    return Work(number, WorkKind(kind), key, json.loads(payload), attempts, not_before)
