"""Inside one transaction: add memories, replace them, delete them, with everything derived."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from ...core import ports
from ...core.model.memory import Memory, Status
from ...core.ports import Amendment, Change
from ...core.records.news import is_news
from ...core.records.serialisation import indexed_text
from ..codec import encode_body, tag_number
from ..partitions import VectorChange
from . import text, vector_table
from .records import COLUMNS, IN_LIST, Condition, column_values, fetch, listed, select

_INSERT = f"""
    INSERT INTO memory (scope, indexed, {", ".join(COLUMNS)})
    VALUES (?, ?, {", ".join("?" for _ in COLUMNS)})
"""
_UPDATE = f"""
    UPDATE memory
    SET indexed = ?, {", ".join(f"{name} = ?" for name in COLUMNS)}
    WHERE row = ?
"""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a memory is and what is derived from it."""

    row: int
    scope: int
    indexed: bool


@dataclass(frozen=True, slots=True)
class _Revision:
    """A memory before and after; `retold` if its text is another one."""

    place: _Place
    before: Memory
    after: Memory
    retold: bool

    @property
    def reindexed(self) -> bool:
        """Whether its index entry is to be written."""
        if self.place.indexed is not self.after.recallable:
            return True
        return self.retold or _linked_by(self.before) != _linked_by(self.after)


type Rows = Mapping[int, Sequence[int]]
"""Rows by scope."""


@dataclass(frozen=True, slots=True)
class Amended:
    """What was replaced, the vectors that follow, and the rows that words find otherwise.

    `news` are the scopes in which a sleep would see it.
    """

    amendments: list[Amendment]
    vectors: list[VectorChange]
    rows: Rows
    news: frozenset[int]


def insert(transaction: Connection, memories: Iterable[Memory]) -> tuple[frozenset[str], Rows]:
    """Add those whose id is new; returns their ids, and their rows."""
    new = _unknown(transaction, memories)
    if not new:
        return frozenset(), {}
    scopes = _scope_numbers(transaction, {memory.scope for memory in new})
    transaction.executemany(
        _INSERT, [(scopes[m.scope], m.recallable, *column_values(m)) for m in new]
    )
    places = _places(transaction, [memory.id for memory in new])
    _insert_parts(transaction, [(places[memory.id], memory) for memory in new])
    return frozenset(places), _by_scope(places.values())


def amend(transaction: Connection, ids: Sequence[str], change: Change) -> Amended:
    """Replace what `change` changes."""
    places = _places(transaction, ids)
    found = fetch(transaction, Condition(f"memory.id {IN_LIST}", (listed(places),)))
    by_id = {memory.id: memory for memory in found.memories}
    ordered = [by_id[id] for id in dict.fromkeys(ids) if id in by_id]
    revisions = _revisions(ordered, places, change)
    if revisions:
        _update(transaction, revisions)
    changes = _follow_vectors(transaction, revisions)
    amendments = [Amendment(each.before, each.after) for each in revisions]
    rows = _by_scope(r.place for r in revisions if r.reindexed or r.before.kind is not r.after.kind)
    news = frozenset(r.place.scope for r in revisions if is_news(r.before, r.after))
    return Amended(amendments, changes, rows, news)


def delete(
    transaction: Connection, ids: Iterable[str], only: ports.Condition | None = None
) -> tuple[frozenset[str], list[VectorChange]]:
    """Delete those for which `only` holds, with every derived row; returns the ids that are gone.

    Without `only`, all that exist.
    """
    places = _places(transaction, ids)
    if only is not None:
        found = fetch(transaction, Condition(f"memory.id {IN_LIST}", (listed(places),)))
        places = {m.id: places[m.id] for m in found.memories if only(m)}
    if not places:
        return frozenset(), []
    rows = listed(place.row for place in places.values())
    transaction.execute(
        "UPDATE scope SET rows = scope.rows - gone.rows"
        " FROM (SELECT scope, sum(recallable) AS rows"
        f" FROM memory WHERE row {IN_LIST} GROUP BY scope) AS gone"
        " WHERE scope.number = gone.scope",
        (rows,),
    )
    text.remove(transaction, [place.row for place in places.values() if place.indexed])
    for table in ("document", "source_turn", "tag"):
        transaction.execute(f"DELETE FROM {table} WHERE memory {IN_LIST}", (rows,))
    vector_table.delete(transaction, [place.row for place in places.values()])
    transaction.execute(f"DELETE FROM memory WHERE row {IN_LIST}", (rows,))
    transaction.execute(
        f"DELETE FROM scope WHERE number {IN_LIST}"
        " AND NOT EXISTS (SELECT 1 FROM memory WHERE memory.scope = scope.number)",
        (listed({place.scope for place in places.values()}),),
    )
    return frozenset(places), [VectorChange(p.scope, p.row) for p in places.values()]


def _by_scope(places: Iterable[_Place]) -> Rows:
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for place in places:
        rows[place.scope].append(place.row)
    return rows


def _unknown(transaction: Connection, memories: Iterable[Memory]) -> list[Memory]:
    first: dict[str, Memory] = {}
    for memory in memories:
        first.setdefault(memory.id, memory)
    known = _places(transaction, first)
    return [memory for memory in first.values() if memory.id not in known]


def _places(transaction: Connection, ids: Iterable[str]) -> dict[str, _Place]:
    query = f"SELECT id, row, scope, indexed FROM memory WHERE id {IN_LIST}"
    found = select(transaction, query, (listed(ids),))
    return {id: _Place(row, scope, bool(indexed)) for id, row, scope, indexed in found}


def _scope_numbers(transaction: Connection, keys: Iterable[str]) -> dict[str, int]:
    wanted = list(keys)
    query = "INSERT OR IGNORE INTO scope (key) VALUES (?)"
    transaction.executemany(query, [(key,) for key in wanted])
    query = f"SELECT key, number FROM scope WHERE key {IN_LIST}"
    found = select(transaction, query, (listed(wanted),))
    return dict(found)


def _insert_parts(transaction: Connection, new: list[tuple[_Place, Memory]]) -> None:
    query = "INSERT INTO document (memory, body) VALUES (?, ?)"
    transaction.executemany(query, [(place.row, encode_body(memory)) for place, memory in new])
    _link(transaction, [(place.row, memory) for place, memory in new])
    recallable = [(place, memory) for place, memory in new if memory.recallable]
    text.add(transaction, [(place.row, place.scope, memory) for place, memory in recallable])
    _count(transaction, [(place.scope, 1) for place, _ in recallable])


def _link(transaction: Connection, memories: list[tuple[int, Memory]]) -> None:
    """Enter the turns and the tags of memories, by row."""
    transaction.executemany(
        "INSERT OR IGNORE INTO source_turn (turn, memory) VALUES (?, ?)",
        [(turn, row) for row, memory in memories for turn in memory.origin.turns],
    )
    transaction.executemany(
        "INSERT OR IGNORE INTO tag (number, memory) VALUES (?, ?)",
        [(tag_number(tag), row) for row, memory in memories for tag in memory.tags],
    )


def _count(transaction: Connection, differences: Iterable[tuple[int, int]]) -> None:
    """Add to the recallable rows of scopes."""
    query = "UPDATE scope SET rows = rows + ? WHERE number = ?"
    transaction.executemany(query, [(rows, scope) for scope, rows in differences])


def _update(transaction: Connection, revisions: list[_Revision]) -> None:
    transaction.executemany(
        _UPDATE, [(r.after.recallable, *column_values(r.after), r.place.row) for r in revisions]
    )
    query = "UPDATE document SET body = ? WHERE memory = ?"
    transaction.executemany(query, [(encode_body(r.after), r.place.row) for r in revisions])
    relinked = [
        r
        for r in revisions
        if (r.before.origin.turns, r.before.tags) != (r.after.origin.turns, r.after.tags)
    ]
    for table in ("source_turn", "tag"):
        query = f"DELETE FROM {table} WHERE memory = ?"
        transaction.executemany(query, [(r.place.row,) for r in relinked])
    _link(transaction, [(r.place.row, r.after) for r in relinked])
    reindexed = [r for r in revisions if r.reindexed]
    text.remove(transaction, [r.place.row for r in reindexed if r.place.indexed])
    recallable = [r for r in reindexed if r.after.recallable]
    text.add(transaction, [(r.place.row, r.place.scope, r.after) for r in recallable])
    _count(
        transaction, [(r.place.scope, r.after.recallable - r.before.recallable) for r in revisions]
    )


def _linked_by(memory: Memory) -> tuple[Any, ...]:
    """All that its mentions follow from."""
    return (memory.created_at, memory.entities, memory.about, memory.speaker, memory.relations)


def _follow_vectors(transaction: Connection, revisions: list[_Revision]) -> list[VectorChange]:
    """What was retold or archived has lost its vector; what is back or of another kind has it."""
    lost = [
        r.place.row for r in revisions if r.retold or r.after.standing.status is Status.ARCHIVED
    ]
    if lost:
        vector_table.detach(transaction, lost)
    moved = [
        r
        for r in revisions
        if (r.before.recallable, r.before.kind) != (r.after.recallable, r.after.kind)
    ]
    gone = [VectorChange(r.place.scope, r.place.row) for r in revisions if r.retold or r in moved]
    back = [r.place.row for r in moved if r.after.recallable]
    return gone + (vector_table.stored(transaction, back) if back else [])


def _revisions(
    memories: list[Memory], places: dict[str, _Place], change: Change
) -> list[_Revision]:
    pairs = [(memory, change(memory)) for memory in memories]
    for before, after in pairs:
        if (before.id, before.scope) != (after.id, after.scope):
            raise ValueError(f"a change must keep id and scope of {before.id}")
    return [
        _Revision(places[before.id], before, after, indexed_text(before) != indexed_text(after))
        for before, after in pairs
        if before != after
    ]
