"""The text index: FTS5 over our own terms, each prefixed by its scope's number.

A posting list thus holds one scope's rows only, and a search costs what its own scope costs. The
index is derived: a row is in it if `memory.indexed` is set, and `settle` makes that follow
`memory.recallable`, so a mass change of status need not wait for the index.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from ...core.memory import Kind
from ...core.ports import Scored
from ...core.text import bm25, tokens
from .. import ranking
from .records import IN_LIST, SELECT, Condition, decoded, listed, of_kinds, select

CANDIDATES = 100
"""Rows of one scope that are scored exactly; with more matches, FTS5's rank selects them."""

MERGED_PAGES = 500
"""Pages written per transaction of a merge: a writer waits for these at most."""

_CREATE = (
    "DROP TABLE IF EXISTS text_vocabulary",
    "DROP TABLE IF EXISTS text_index",
    """CREATE VIRTUAL TABLE text_index USING fts5 (terms, tokenize = "ascii tokenchars '_'")""",
    "CREATE VIRTUAL TABLE text_vocabulary USING fts5vocab (text_index, row)",
    "UPDATE memory SET indexed = 0, terms = 0",
    "UPDATE scope SET terms = 0",
)


type _Candidate = tuple[Any, ...]
"""Id, length in terms, and the terms as stored."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The index terms of one row."""

    row: int
    scope: int
    terms: list[str]


def is_current(connection: Connection) -> bool:
    """Whether the index was built by this version of the terms."""
    rows = select(connection, "SELECT value FROM meta WHERE name = 'text_index'")
    return rows == [(str(tokens.INDEX_VERSION),)]


def reset(transaction: Connection) -> None:
    """An empty index of this version; `settle` then fills it."""
    for statement in _CREATE:
        transaction.execute(statement)
    transaction.execute(
        "INSERT OR REPLACE INTO meta (name, value) VALUES ('text_index', ?)",
        (str(tokens.INDEX_VERSION),),
    )


def add(transaction: Connection, entries: Iterable[Entry]) -> None:
    """Index rows that are not in the index."""
    rows = [(entry.row, _stored(entry.scope, entry.terms)) for entry in entries]
    transaction.executemany("INSERT INTO text_index (rowid, terms) VALUES (?, ?)", rows)


def remove(transaction: Connection, rows: Iterable[int]) -> None:
    """Take rows out of the index; unknown ones are skipped."""
    doomed = [(row,) for row in rows]
    transaction.executemany("DELETE FROM text_index WHERE rowid = ?", doomed)


def begin_expunge(transaction: Connection) -> None:
    """Start merging all index segments into one, so that terms of deleted rows leave the file.

    Only sees deletions of earlier transactions.
    """
    _merge(transaction, -MERGED_PAGES)


def expunge(transaction: Connection) -> bool:
    """Merge some more; False once nothing is left to merge."""
    before = transaction.total_changes
    _merge(transaction, MERGED_PAGES)
    # The command itself counts as one change.
    return transaction.total_changes - before > 1


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
    documents = select(
        transaction,
        f"{SELECT} WHERE memory.row {IN_LIST} ORDER BY memory.row",
        (listed(sorted(scope_of)),),
    )
    texts = [ranking.indexed_text(decoded(document)) for document in documents]
    terms = [tokens.terms(text) for text in texts]
    entries = [
        Entry(row, scope_of[row], found) for row, found in zip(sorted(scope_of), terms, strict=True)
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


def search(
    snapshot: Connection,
    query: list[str],
    scopes: Iterable[str],
    limit: int,
    kinds: Iterable[Kind] | None = None,
) -> list[Scored]:
    """The best of these kinds by each scope's own statistics, best first."""
    among = of_kinds(kinds)
    statistics = select(
        snapshot,
        f"SELECT number, rows, terms FROM scope WHERE key {IN_LIST} AND rows > 0",
        (listed(scopes),),
    )
    found: list[Scored] = []
    for scope, rows, terms in statistics:
        rows_with = _rows_with(snapshot, scope, query)
        corpus = bm25.Corpus(rows, terms / rows, rows_with)
        if wanted := ranking.probes(query, corpus):
            candidates = _candidates(snapshot, scope, wanted, corpus, limit, among)
            found += _scores(scope, query, candidates, corpus)
    return ranking.best(found, limit)


def _rows_with(snapshot: Connection, scope: int, query: list[str]) -> dict[str, int]:
    prefix = _prefix(scope)
    counts = select(
        snapshot,
        "SELECT term, doc FROM json_each(?) CROSS JOIN text_vocabulary ON term = value",
        (listed(prefix + term for term in query),),
    )
    known = {term.removeprefix(prefix): count for term, count in counts}
    unsettled = select(
        snapshot, "SELECT 1 FROM memory WHERE scope = ? AND indexed <> recallable LIMIT 1", (scope,)
    )
    if not unsettled:
        return known
    return {term: _recallable_with(snapshot, scope, term) for term in known}


def _recallable_with(snapshot: Connection, scope: int, term: str) -> int:
    """Exact while entries of binned memories still wait to be removed; slower."""
    [(count,)] = select(
        snapshot,
        "SELECT count(*) FROM text_index JOIN memory ON memory.row = text_index.rowid"
        " WHERE text_index MATCH ? AND memory.recallable = 1",
        (_any_of(scope, [term]),),
    )
    return count


def _candidates(
    snapshot: Connection,
    scope: int,
    wanted: list[str],
    corpus: bm25.Corpus,
    limit: int,
    among: Condition,
) -> list[_Candidate]:
    bound = max(CANDIDATES, limit)
    few = sum(corpus.rows_with[term] for term in wanted) <= bound
    return select(
        snapshot,
        "SELECT memory.id, memory.terms, text_index.terms"
        " FROM text_index JOIN memory ON memory.row = text_index.rowid"
        f" WHERE text_index MATCH ? AND memory.recallable = 1 AND {among.sql}"
        f" {'' if few else 'ORDER BY text_index.rank'} LIMIT ?",
        (_any_of(scope, wanted), *among.values, bound),
    )


def _scores(
    scope: int, query: list[str], candidates: list[_Candidate], corpus: bm25.Corpus
) -> list[Scored]:
    # The scope's prefix occurs only where a term begins, a space only where one has ended.
    marks = [(term, f"{_prefix(scope)}{term} ") for term in corpus.rows_with]
    rows = [
        ranking.Row(id, _counts(f"{terms} ", marks), length) for id, length, terms in candidates
    ]
    return ranking.text_scores(query, rows, corpus)


def _counts(terms: str, marks: list[tuple[str, str]]) -> dict[str, int]:
    return {term: times for term, mark in marks if (times := terms.count(mark))}


def _any_of(scope: int, terms: list[str]) -> str:
    # Terms are letters and digits only, so the quotes cannot be escaped from.
    return " OR ".join(f'"{_prefix(scope)}{term}"' for term in terms)


def _stored(scope: int, terms: list[str]) -> str:
    return " ".join(_prefix(scope) + term for term in terms)


def _prefix(scope: int) -> str:
    return f"{scope:x}_"
