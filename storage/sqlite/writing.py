"""Inside one transaction: add memories, replace them, delete them, with everything derived."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from ...core import ports
from ...core.languages import terms as tokens
from ...core.model.memory import Memory, Status
from ...core.ports import Amendment, Change
from ...core.records.news import is_news
from ...core.records.serialisation import indexed_text
from ..codec import tag_number
from ..partitions import VectorChange
from . import mentions, text, vector_table, views_table
from .records import COLUMNS, IN_LIST, Condition, encoded, fetch, listed, select

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
class _New:
    memory: Memory
    columns: tuple[Any, ...]
    body: bytes
    terms: list[str]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a memory is and what is derived from it."""

    row: int
    scope: int
    indexed: bool


@dataclass(frozen=True, slots=True)
class _Revision:
    """A memory before and after; `terms` only if its index entry is to be written."""

    place: _Place
    before: Memory
    after: Memory
    columns: tuple[Any, ...]
    body: bytes
    retold: bool
    shelved: bool
    reindexed: bool
    terms: list[str]


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
    unknown = _unknown(transaction, memories)
    if not unknown:
        return frozenset(), {}
    new = [_new(memory) for memory in unknown]
    scopes = _scope_numbers(transaction, {memory.scope for memory in unknown})
    transaction.executemany(
        _INSERT, [(scopes[m.memory.scope], m.memory.recallable, *m.columns) for m in new]
    )
    places = _places(transaction, [memory.id for memory in unknown])
    _insert_parts(transaction, [(places[each.memory.id], each) for each in new])
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
    indexed = [place.row for place in places.values() if place.indexed]
    text.remove(transaction, indexed)
    mentions.remove(transaction, indexed)
    for table in ("document", "source_turn", "vector", "tag"):
        transaction.execute(f"DELETE FROM {table} WHERE memory {IN_LIST}", (rows,))
    views_table.delete(transaction, [place.row for place in places.values()])
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
    found = select(
        transaction,
        f"SELECT id, row, scope, indexed FROM memory WHERE id {IN_LIST}",
        (listed(ids),),
    )
    return {id: _Place(row, scope, bool(indexed)) for id, row, scope, indexed in found}


def _scope_numbers(transaction: Connection, keys: Iterable[str]) -> dict[str, int]:
    wanted = list(keys)
    transaction.executemany(
        "INSERT OR IGNORE INTO scope (key) VALUES (?)", [(key,) for key in wanted]
    )
    found = select(
        transaction, f"SELECT key, number FROM scope WHERE key {IN_LIST}", (listed(wanted),)
    )
    return dict(found)


def _insert_parts(transaction: Connection, new: list[tuple[_Place, _New]]) -> None:
    transaction.executemany(
        "INSERT INTO document (memory, body) VALUES (?, ?)",
        [(place.row, each.body) for place, each in new],
    )
    _link_turns(transaction, [(place.row, each.memory) for place, each in new])
    _link_tags(transaction, [(place.row, each.memory) for place, each in new])
    recallable = [(place, each) for place, each in new if each.memory.recallable]
    text.add(transaction, [(place.row, each.terms) for place, each in recallable])
    mentions.add(transaction, [(place.row, place.scope, e.memory) for place, e in recallable])
    _count(transaction, [(place.scope, 1) for place, _ in recallable])


def _link_turns(transaction: Connection, memories: list[tuple[int, Memory]]) -> None:
    transaction.executemany(
        "INSERT OR IGNORE INTO source_turn (turn, memory) VALUES (?, ?)",
        [(turn, row) for row, memory in memories for turn in memory.origin.turns],
    )


def _link_tags(transaction: Connection, memories: list[tuple[int, Memory]]) -> None:
    transaction.executemany(
        "INSERT OR IGNORE INTO tag (number, memory) VALUES (?, ?)",
        [(tag_number(tag), row) for row, memory in memories for tag in memory.tags],
    )


def _count(transaction: Connection, differences: Iterable[tuple[int, int]]) -> None:
    """Add to the recallable rows of scopes."""
    transaction.executemany(
        "UPDATE scope SET rows = rows + ? WHERE number = ?",
        [(rows, scope) for scope, rows in differences],
    )


def _update(transaction: Connection, revisions: list[_Revision]) -> None:
    transaction.executemany(
        _UPDATE, [(r.after.recallable, *r.columns, r.place.row) for r in revisions]
    )
    transaction.executemany(
        "UPDATE document SET body = ? WHERE memory = ?", [(r.body, r.place.row) for r in revisions]
    )
    relinked = [r for r in revisions if r.before.origin.turns != r.after.origin.turns]
    transaction.executemany(
        "DELETE FROM source_turn WHERE memory = ?", [(r.place.row,) for r in relinked]
    )
    _link_turns(transaction, [(r.place.row, r.after) for r in relinked])
    retagged = [r for r in revisions if r.before.tags != r.after.tags]
    transaction.executemany("DELETE FROM tag WHERE memory = ?", [(r.place.row,) for r in retagged])
    _link_tags(transaction, [(r.place.row, r.after) for r in retagged])
    _reindex(transaction, [r for r in revisions if r.reindexed])
    _relink(transaction, [r for r in revisions if _relinked(r)])
    _count(
        transaction, [(r.place.scope, r.after.recallable - r.before.recallable) for r in revisions]
    )


def _reindex(transaction: Connection, revisions: list[_Revision]) -> None:
    text.remove(transaction, [r.place.row for r in revisions if r.place.indexed])
    text.add(transaction, [(r.place.row, r.terms) for r in revisions if r.after.recallable])


def _relinked(revision: _Revision) -> bool:
    if revision.place.indexed is not revision.after.recallable:
        return True
    return revision.place.indexed and _linked_by(revision.before) != _linked_by(revision.after)


def _linked_by(memory: Memory) -> tuple[Any, ...]:
    """All that its mentions follow from."""
    return (memory.created_at, memory.entities, memory.about, memory.speaker, memory.relations)


def _relink(transaction: Connection, revisions: list[_Revision]) -> None:
    mentions.remove(transaction, [r.place.row for r in revisions if r.place.indexed])
    recallable = [r for r in revisions if r.after.recallable]
    mentions.add(transaction, [(r.place.row, r.place.scope, r.after) for r in recallable])


def _follow_vectors(transaction: Connection, revisions: list[_Revision]) -> list[VectorChange]:
    """What was retold or archived has lost its vector; what is back or of another kind has it."""
    lost = [r.place.row for r in revisions if r.retold or r.shelved]
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


def _new(memory: Memory) -> _New:
    columns, body = encoded(memory)
    return _New(memory, columns, body, tokens.index_terms(indexed_text(memory)))


def _revisions(
    memories: list[Memory], places: dict[str, _Place], change: Change
) -> list[_Revision]:
    pairs = [(memory, change(memory)) for memory in memories]
    for before, after in pairs:
        if (before.id, before.scope) != (after.id, after.scope):
            raise ValueError(f"a change must keep id and scope of {before.id}")
    return [_revision(places[b.id], b, a) for b, a in pairs if b != a]


def _revision(place: _Place, before: Memory, after: Memory) -> _Revision:
    retold = indexed_text(before) != indexed_text(after)
    reindexed = retold or place.indexed is not after.recallable
    terms = tokens.index_terms(indexed_text(after)) if reindexed else []
    shelved = after.standing.status is Status.ARCHIVED
    return _Revision(place, before, after, *encoded(after), retold, shelved, reindexed, terms)
