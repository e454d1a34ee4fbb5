"""The index of each recallable row: its terms, which are searched in memory by scope, and whom and
what it mentions, by scope and name.

Both are derived: a row is in them if `memory.indexed` is set, and `settle` makes that follow
`memory.recallable`, so a mass change of status need not wait for them.
"""

import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from sqlite3 import Connection

from ...core.graph.communities import mentions
from ...core.languages import terms as tokens
from ...core.model.errors import StorageError
from ...core.model.memory import Kind, Memory
from ...core.ports import Mention, Scored
from ...core.records.background import Background
from ...core.records.serialisation import indexed_text
from .. import ranking
from ..connections import Database
from ..partitions import Loaded, ScopeKey
from ..term_partition import MOST_HELD, TermPartition, TermRow
from .records import IN_LIST, by_row, listed, select

FORMAT = "rows"
"""How terms are written; another one has the index made anew."""

PAGE = 2_000
"""Rows read at a time when a partition is loaded."""

SETTLED_AT_ONCE = 500
"""Rows brought into step per transaction: a writer waits for so many at most."""

logger = logging.getLogger(__name__)

_CREATE = (
    "DROP TABLE IF EXISTS text_index",
    "CREATE TABLE text_index (memory INTEGER PRIMARY KEY, terms TEXT NOT NULL)",
    "DELETE FROM mention",
    "UPDATE memory SET indexed = 0",
)

_ROWS = f"""
    SELECT memory.row, memory.id, memory.kind, text_index.terms
    FROM memory JOIN text_index ON text_index.memory = memory.row
    WHERE memory.row {IN_LIST} AND memory.recallable = 1
"""

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


def is_current(connection: Connection) -> bool:
    """Whether the index was built by this version of the terms."""
    rows = select(connection, "SELECT value FROM meta WHERE name = 'text_index'")
    return rows == [(_version(),)]


def reset(transaction: Connection) -> None:
    """Empty indexes of this version; `settle` then fills them."""
    for statement in _CREATE:
        transaction.execute(statement)
    query = "INSERT OR REPLACE INTO meta (name, value) VALUES ('text_index', ?)"
    transaction.execute(query, (_version(),))


def add(transaction: Connection, memories: Sequence[tuple[int, int, Memory]]) -> None:
    """Index memories by row and scope; none of the rows is in the index."""
    terms = [(row, tokens.index_terms(indexed_text(memory))) for row, _, memory in memories]
    query = "INSERT INTO text_index (memory, terms) VALUES (?, ?)"
    transaction.executemany(query, [(row, " ".join(own)) for row, own in terms])
    query = "INSERT OR IGNORE INTO mention (scope, name, created_at, memory) VALUES (?, ?, ?, ?)"
    transaction.executemany(
        query,
        [
            (scope, name, memory.created_at, row)
            for row, scope, memory in memories
            for name in mentions(memory)
        ],
    )


def remove(transaction: Connection, rows: Iterable[int]) -> None:
    """Take rows out of the index; unknown ones are skipped."""
    gone = listed(rows)
    for table in ("text_index", "mention"):
        transaction.execute(f"DELETE FROM {table} WHERE memory {IN_LIST}", (gone,))


def is_settled(connection: Connection) -> bool:
    """Whether exactly the recallable memories are in the indexes."""
    query = "SELECT NOT EXISTS (SELECT 1 FROM memory WHERE indexed <> recallable)"
    return bool(select(connection, query)[0][0])


def settle(transaction: Connection, *, limit: int) -> Mapping[int, Sequence[int]]:
    """Bring at most `limit` rows into step with `recallable`; those that were not, by scope."""
    query = "SELECT row, scope, recallable FROM memory WHERE indexed <> recallable LIMIT ?"
    found = select(transaction, query, (limit,))
    remove(transaction, [row for row, _, recallable in found if not recallable])
    stored = by_row(transaction, [row for row, _, recallable in found if recallable])
    scope_of = {row: scope for row, scope, _ in found}
    add(transaction, [(row, scope_of[row], memory) for row, memory in stored.items()])
    query = f"UPDATE memory SET indexed = recallable WHERE row {IN_LIST}"
    transaction.execute(query, (listed(row for row, _, _ in found),))
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for row, scope, _ in found:
        rows[scope].append(row)
    return rows


class Settler(Background):
    """Done when exactly the recallable memories are in the indexes of a file.

    `follow` is told which rows words find from then on.
    """

    def __init__(
        self, database: Database, follow: Callable[[Mapping[int, Iterable[int]]], None]
    ) -> None:
        super().__init__()
        self._database = database
        self._follow = follow

    async def _run(self) -> None:
        try:
            while await self._database.write(
                lambda tx: settle(tx, limit=SETTLED_AT_ONCE), on_commit=self._follow
            ):
                pass
        except StorageError as error:
            logger.warning("indexes not settled, next start goes on: %s", error)


def indexed(snapshot: Connection, scopes: Iterable[str]) -> dict[str, int]:
    """Rows of each of these scopes that are in the index."""
    query = f"SELECT key, rows FROM scope WHERE key {IN_LIST}"
    return dict(select(snapshot, query, (listed(scopes),)))


def known_entities(
    snapshot: Connection, ids: Iterable[str], scopes: Iterable[str]
) -> dict[str, int]:
    exact = "" if is_settled(snapshot) else _STILL_THERE
    numbers = f"SELECT number FROM scope WHERE key {IN_LIST}"
    query = (
        f"SELECT name, count(*) FROM mention WHERE scope IN ({numbers}) AND name {IN_LIST}{exact}"
        " GROUP BY name"
    )
    rows = select(snapshot, query, (listed(scopes), listed(ids)))
    return dict(rows)


def mentioning(
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


@dataclass(frozen=True, slots=True)
class WordsWanted:
    """What a search by words is for: distinct terms, where, how many, of which kinds.

    `own` is the id of a memory that is neither found nor counted.
    """

    terms: list[str]
    scopes: Iterable[str]
    limit: int
    kinds: frozenset[Kind] | None = None
    own: str = ""


def search(
    snapshot: Connection,
    partition_of: Callable[[ScopeKey[int]], TermPartition | None],
    wanted: WordsWanted,
    changes: int,
) -> tuple[list[Scored], list[ScopeKey[int]]]:
    """The best of these kinds by each scope's own statistics, best first.

    With them the scopes whose terms are not in memory. `changes` were committed when it was
    asked for.
    """
    numbers = f"SELECT number FROM scope WHERE key {IN_LIST} AND rows > 0"
    keys = [ScopeKey(number) for (number,) in select(snapshot, numbers, (listed(wanted.scopes),))]
    rows = select(snapshot, "SELECT row FROM memory WHERE id = ?", (wanted.own,))
    own = rows[0][0] if rows else None
    found: list[Scored] = []
    missing: list[ScopeKey[int]] = []
    for key in keys:
        if (partition := partition_of(key)) is None:
            missing.append(key)
            continue
        read = partial(rows_of, snapshot)
        found += partition.search(wanted.terms, wanted.limit, wanted.kinds, own, changes, read)
    return ranking.best(found, wanted.limit), missing


def rows_of(snapshot: Connection, rows: Iterable[int]) -> list[TermRow]:
    """Those of these rows that are recallable."""
    return [TermRow(*each) for each in select(snapshot, _ROWS, (listed(rows),))]


class TermPartitions(Loaded[ScopeKey[int], TermPartition]):
    """The terms in memory."""

    def __init__(self, database: Database) -> None:
        super().__init__(
            lambda key: _pages(database, key.scope), lambda _: TermPartition(), MOST_HELD
        )
        self.changes = 0
        """Committed changes so far; a search looks at those from before it was asked for."""

    def follow(self, changed: Mapping[int, Iterable[int]]) -> None:
        """These rows, by scope, have changed with a commit. Call before the next commit."""
        self.changes += 1
        for key, partition in self._of_scopes(changed):
            for row in changed[key.scope]:
                partition.follow(self.changes, row)


async def _pages(database: Database, scope: int) -> AsyncGenerator[list[TermRow]]:
    """The recallable rows of a scope."""
    query = "SELECT row FROM memory WHERE scope = ? AND recallable = 1 ORDER BY row"
    every = [row for (row,) in await database.read(lambda con: select(con, query, (scope,)))]
    for start in range(0, len(every), PAGE):
        some = every[start : start + PAGE]
        yield await database.read(lambda con, some=some: rows_of(con, some))


def _version() -> str:
    return f"{tokens.INDEX_VERSION} {FORMAT}"
