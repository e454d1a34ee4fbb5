"""The text index: FTS5 over digests of our own terms, each prefixed by its scope's number.

A posting list thus holds one scope's rows only, and a search costs what its own scope costs. FTS5
keeps the terms of deleted rows until it merges its segments, which costs what the index costs. So
a term is there as a digest made with a secret of its scope: nobody reads what is left of it, and
with the scope's last memory the secret is gone. What is left is merged away behind the deletions.

Of a large scope the terms are held in memory once somebody has searched it (`term_partitions`);
until then, and in a small scope, FTS5's rank selects what is scored.

The index is derived: a row is in it if `memory.indexed` is set, and `settle` makes that follow
`memory.recallable`, so a mass change of status need not wait for the index.
"""

from base64 import b32encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from sqlite3 import Connection
from typing import Any

from ...core.languages import terms as tokens
from ...core.model.memory import Kind
from ...core.ports import Scored
from ...core.records.searched_text import indexed_text
from ...core.text import bm25
from .. import ranking
from .records import IN_LIST, Condition, by_row, listed, of_kinds, select
from .term_partitions import TermKey, TermPartitions, rows_of

CANDIDATES = 100
"""Rows of one scope that are scored exactly; with more matches, FTS5's rank selects them."""

MERGED_PAGES = 200
"""Pages written per transaction of a merge: a writer waits for these at most."""

FORMAT = "salted"
"""How terms are written; another one has the index made anew."""

DIGEST = 5
"""Bytes that stand for a term within its scope: among 50 000 of them two are rarely the same."""

DELETED = "text_deleted"
"""Entry of `meta`: how many rows have left the index that it may hold something of."""

_CREATE = (
    "DROP TABLE IF EXISTS text_vocabulary",
    "DROP TABLE IF EXISTS text_index",
    """CREATE VIRTUAL TABLE text_index USING fts5 (terms, tokenize = "ascii tokenchars '_'")""",
    "CREATE VIRTUAL TABLE text_vocabulary USING fts5vocab (text_index, row)",
    "UPDATE memory SET indexed = 0, terms = 0",
    "UPDATE scope SET terms = 0",
)

_DELETED = "SELECT value FROM meta WHERE name = ?"

type _Candidate = tuple[Any, ...]
"""Id, length in terms, and the terms as stored."""


@dataclass(frozen=True, slots=True)
class TextEntry:
    """The index terms of one row."""

    row: int
    scope: int
    terms: list[str]


def is_current(connection: Connection) -> bool:
    """Whether the index was built by this version of the terms."""
    rows = select(connection, "SELECT value FROM meta WHERE name = 'text_index'")
    return rows == [(_version(),)]


def reset(transaction: Connection) -> None:
    """An empty index of this version; `settle` then fills it."""
    for statement in _CREATE:
        transaction.execute(statement)
    transaction.execute(
        "INSERT OR REPLACE INTO meta (name, value) VALUES ('text_index', ?)", (_version(),)
    )


def add(transaction: Connection, entries: Iterable[TextEntry]) -> None:
    """Index rows that are not in the index."""
    every = list(entries)
    salts = _salts(transaction, {entry.scope for entry in every})
    rows = [
        (entry.row, " ".join(_stored(salts[entry.scope], entry.scope, entry.terms)))
        for entry in every
    ]
    transaction.executemany("INSERT INTO text_index (rowid, terms) VALUES (?, ?)", rows)


def remove(transaction: Connection, rows: Iterable[int]) -> None:
    """Take rows out of the index; unknown ones are skipped."""
    doomed = [(row,) for row in rows]
    transaction.executemany("DELETE FROM text_index WHERE rowid = ?", doomed)


def note_deleted(transaction: Connection, rows: int) -> None:
    """The index holds something of so many more rows that are deleted."""
    transaction.execute(
        "INSERT INTO meta (name, value) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
        (DELETED, rows),
    )


def deleted(connection: Connection) -> int:
    """Of how many deleted rows the index may hold something."""
    return sum(int(value) for (value,) in select(connection, _DELETED, (DELETED,)))


def begin_expunge(transaction: Connection) -> None:
    """Start merging all index segments into one, so that what deleted rows left goes.

    Only sees deletions of earlier transactions.
    """
    _merge(transaction, -MERGED_PAGES)


def expunge(transaction: Connection) -> bool:
    """Merge some more; False once nothing is left to merge."""
    before = transaction.total_changes
    _merge(transaction, MERGED_PAGES)
    # The command itself counts as one change.
    return transaction.total_changes - before > 1


def note_expunged(transaction: Connection, rows: int) -> None:
    """So many of the deleted rows have left nothing in the index."""
    transaction.execute("UPDATE meta SET value = value - ? WHERE name = ?", (rows, DELETED))
    transaction.execute(
        "DELETE FROM meta WHERE name = ? AND CAST(value AS INTEGER) <= 0", (DELETED,)
    )


def _merge(transaction: Connection, pages: int) -> None:
    transaction.execute("INSERT INTO text_index (text_index, rank) VALUES ('merge', ?)", (pages,))


def is_settled(connection: Connection) -> bool:
    """Whether exactly the recallable memories are in the index."""
    query = "SELECT EXISTS (SELECT 1 FROM memory WHERE indexed <> recallable)"
    [(unsettled,)] = select(connection, query)
    return not unsettled


def settle(transaction: Connection, *, limit: int) -> int:
    """Bring at most `limit` rows into step with `recallable`; returns how many were not."""
    found = select(
        transaction,
        "SELECT row, scope, recallable FROM memory WHERE indexed <> recallable LIMIT ?",
        (limit,),
    )
    remove(transaction, [row for row, _, recallable in found if not recallable])
    _index(transaction, {row: scope for row, scope, recallable in found if recallable})
    transaction.execute(
        f"UPDATE memory SET indexed = recallable WHERE row {IN_LIST}",
        (listed(row for row, _, _ in found),),
    )
    return len(found)


def _index(transaction: Connection, scope_of: dict[int, int]) -> None:
    """Index stored memories and write down their lengths, which a reset had cleared."""
    entries = [
        TextEntry(row, scope_of[row], tokens.index_terms(indexed_text(memory)))
        for row, memory in by_row(transaction, scope_of).items()
    ]
    add(transaction, entries)
    transaction.executemany(
        "UPDATE scope SET terms = terms + ? - (SELECT terms FROM memory WHERE row = ?)"
        " WHERE number = ?",
        [(len(entry.terms), entry.row, entry.scope) for entry in entries],
    )
    transaction.executemany(
        "UPDATE memory SET terms = ? WHERE row = ?",
        [(len(entry.terms), entry.row) for entry in entries],
    )


def indexed(snapshot: Connection, scopes: Iterable[str]) -> dict[str, int]:
    """Rows of each of these scopes that are in the index."""
    query = f"SELECT key, rows FROM scope WHERE key {IN_LIST}"
    return dict(select(snapshot, query, (listed(scopes),)))


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
    snapshot: Connection, wanted: WordsWanted, partitions: TermPartitions, changes: int
) -> tuple[list[Scored], list[TermKey]]:
    """The best of these kinds by each scope's own statistics, best first.

    With them the scopes whose terms should be in memory, and are not. `changes` were committed
    when it was asked for.
    """
    statistics = select(
        snapshot,
        f"SELECT number, rows, terms, salt FROM scope WHERE key {IN_LIST} AND rows > 0",
        (listed(wanted.scopes),),
    )
    own = "SELECT row FROM memory WHERE id = ?"
    own_rows = select(snapshot, own, (wanted.own,)) if wanted.own else []
    found: list[Scored] = []
    missing: list[TermKey] = []
    for scope, rows, terms, salt in statistics:
        marks = dict(zip(wanted.terms, _stored(salt, scope, wanted.terms), strict=True))
        key = TermKey(scope, salt)
        if partition := partitions.at_hand(key):
            found += partition.search(
                wanted.terms,
                marks,
                wanted.limit,
                wanted.kinds,
                own_rows[0][0] if own_rows else None,
                changes,
                lambda some: rows_of(snapshot, some),
            )
            continue
        if partitions.wants(rows, terms):
            missing.append(key)
        found += _by_index(snapshot, wanted, marks, (scope, rows, terms))
    return ranking.best(found, wanted.limit), missing


def _by_index(
    snapshot: Connection, wanted: WordsWanted, marks: dict[str, str], of: tuple[int, int, int]
) -> list[Scored]:
    """Of a scope with so many rows and terms, as FTS5 tells."""
    scope, rows, terms = of
    rows_with = _rows_with(snapshot, scope, marks)
    corpus = bm25.Corpus(rows, terms / rows, rows_with)
    if wanted.own:
        corpus = _without(snapshot, wanted.own, scope, marks, corpus)
    probes = ranking.probes(wanted.terms, corpus)
    if not probes:
        return []
    few = sum(rows_with[term] for term in probes) <= max(CANDIDATES, wanted.limit)
    probed = [marks[term] for term in probes]
    among = of_kinds(wanted.kinds)
    candidates = _candidates(snapshot, probed, few, wanted.limit + bool(wanted.own), among)
    candidates = [each for each in candidates if each[0] != wanted.own]
    return _scores(wanted.terms, marks, candidates, corpus)


def _without(
    snapshot: Connection, own: str, scope: int, marks: dict[str, str], corpus: bm25.Corpus
) -> bm25.Corpus:
    found = select(
        snapshot,
        "SELECT memory.terms, text_index.terms FROM memory"
        " JOIN text_index ON text_index.rowid = memory.row"
        " WHERE memory.id = ? AND memory.scope = ? AND memory.recallable = 1",
        (own, scope),
    )
    for length, terms in found:
        inside = set(terms.split())
        corpus = corpus.without(length, [term for term, mark in marks.items() if mark in inside])
    return corpus


def _rows_with(snapshot: Connection, scope: int, marks: dict[str, str]) -> dict[str, int]:
    counts = dict(
        select(
            snapshot,
            "SELECT term, doc FROM json_each(?) CROSS JOIN text_vocabulary ON term = value",
            (listed(marks.values()),),
        )
    )
    known = {term: counts[mark] for term, mark in marks.items() if mark in counts}
    unsettled = select(
        snapshot, "SELECT 1 FROM memory WHERE scope = ? AND indexed <> recallable LIMIT 1", (scope,)
    )
    if not unsettled:
        return known
    return {term: _recallable_with(snapshot, marks[term]) for term in known}


def _recallable_with(snapshot: Connection, mark: str) -> int:
    """Exact while entries of binned memories still wait to be removed; slower."""
    [(count,)] = select(
        snapshot,
        "SELECT count(*) FROM text_index JOIN memory ON memory.row = text_index.rowid"
        " WHERE text_index MATCH ? AND memory.recallable = 1",
        (_any_of([mark]),),
    )
    return count


def _candidates(
    snapshot: Connection, marks: list[str], few: bool, limit: int, among: Condition
) -> list[_Candidate]:
    return select(
        snapshot,
        "SELECT memory.id, memory.terms, text_index.terms"
        " FROM text_index JOIN memory ON memory.row = text_index.rowid"
        f" WHERE text_index MATCH ? AND memory.recallable = 1 AND {among.sql}"
        f" {'' if few else 'ORDER BY text_index.rank'} LIMIT ?",
        (_any_of(marks), *among.values, max(CANDIDATES, limit)),
    )


def _scores(
    query: list[str], marks: dict[str, str], candidates: list[_Candidate], corpus: bm25.Corpus
) -> list[Scored]:
    # The scope's prefix occurs only where a term begins, a space only where one has ended.
    ends = [(term, f"{marks[term]} ") for term in corpus.rows_with]
    rows = [ranking.Row(id, _counts(f"{terms} ", ends), length) for id, length, terms in candidates]
    return ranking.text_scores(query, rows, corpus)


def _counts(terms: str, ends: list[tuple[str, str]]) -> dict[str, int]:
    return {term: times for term, end in ends if (times := terms.count(end))}


def _any_of(marks: Iterable[str]) -> str:
    # Letters, digits and underscores only, so the quotes cannot be escaped from.
    return " OR ".join(f'"{mark}"' for mark in marks)


def _salts(connection: Connection, scopes: Iterable[int]) -> dict[int, bytes]:
    query = f"SELECT number, salt FROM scope WHERE number {IN_LIST}"
    return dict(select(connection, query, (listed(scopes),)))


def _stored(salt: bytes, scope: int, terms: Iterable[str]) -> list[str]:
    """The terms as the index has them, in the same order."""
    prefix = f"{scope:x}_"
    return [prefix + _digest(salt, term) for term in terms]


def _digest(salt: bytes, term: str) -> str:
    digest = blake2b(term.encode(), digest_size=DIGEST, key=salt).digest()
    return b32encode(digest).decode("ascii").lower()


def _version() -> str:
    return f"{tokens.INDEX_VERSION} {FORMAT}"
