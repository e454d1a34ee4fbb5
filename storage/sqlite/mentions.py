"""Who and what the memories mention: names by scope, and which recallable rows mention them.

Derived like the terms, and in step with them, see `text.settle`.
"""

from collections.abc import Iterable
from sqlite3 import Connection

from ...core.graph.communities import mentions
from ...core.model.memory import Memory
from ...core.ports import Mention
from .records import IN_LIST, listed, select

_ADD = "INSERT OR IGNORE INTO mention (scope, name, created_at, memory) VALUES (?, ?, ?, ?)"

_NEWEST = """
    SELECT mention.created_at, memory.id
    FROM mention JOIN memory ON memory.row = mention.memory
    WHERE mention.scope = ? AND mention.name = ? AND memory.recallable = 1
    ORDER BY mention.created_at DESC, memory.id LIMIT ?
"""

_STILL_THERE = (
    " AND EXISTS (SELECT 1 FROM memory WHERE memory.row = mention.memory AND recallable = 1)"
)
"""Of a mention, while those of binned memories wait to be removed."""


def add(transaction: Connection, memories: Iterable[tuple[int, int, Memory]]) -> None:
    """Enter the mentions of memories by row and scope."""
    transaction.executemany(
        _ADD,
        [
            (scope, name, memory.created_at, row)
            for row, scope, memory in memories
            for name in mentions(memory)
        ],
    )


def remove(transaction: Connection, rows: Iterable[int]) -> None:
    """Take rows out; unknown ones are skipped."""
    transaction.execute(f"DELETE FROM mention WHERE memory {IN_LIST}", (listed(rows),))


def known(snapshot: Connection, ids: Iterable[str], scopes: Iterable[str]) -> dict[str, int]:
    unsettled = "SELECT EXISTS (SELECT 1 FROM memory WHERE indexed <> recallable)"
    exact = _STILL_THERE if select(snapshot, unsettled)[0][0] else ""
    numbers = f"SELECT number FROM scope WHERE key {IN_LIST}"
    query = (
        f"SELECT name, count(*) FROM mention WHERE scope IN ({numbers}) AND name {IN_LIST}{exact}"
        " GROUP BY name"
    )
    rows = select(snapshot, query, (listed(scopes), listed(ids)))
    return dict(rows)


def newest(
    snapshot: Connection, entities: Iterable[str], scopes: Iterable[str], *, limit: int = 100
) -> list[Mention]:
    query = f"SELECT number FROM scope WHERE key {IN_LIST}"
    numbers = [number for (number,) in select(snapshot, query, (listed(scopes),))]
    most, found = max(0, limit), list[Mention]()
    for name in dict.fromkeys(entities):
        rows = [row for one in numbers for row in select(snapshot, _NEWEST, (one, name, most))]
        rows.sort(key=lambda row: (-row[0], row[1]))
        found += [Mention(name, id) for _, id in rows[:most]]
    return found
