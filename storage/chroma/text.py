"""One index of terms and mentions per scope, in memory, rebuilt from the records when needed.

The same terms and the same BM25 as every other store, so that results agree.
"""

from array import array
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ...core.languages import terms as tokens
from ...core.model.memory import Kind
from ...core.ports import Scored
from ...core.text import bm25
from .. import ranking
from ..ranking import Column
from .mentions import MentionIndex

type Rows = NDArray[np.uintc]


def numbers() -> "array[int]":
    """An empty column that grows."""
    return array("I")


def column(values: "array[int]") -> Rows:
    """The values as they are, without a copy: no value can be added for as long as it is held."""
    return np.frombuffer(values, np.uintc)


@dataclass(slots=True)
class Posting:
    """One term's rows, ascending; `live` of them have not been removed."""

    live: int = 0
    _rows: "array[int]" = field(default_factory=numbers)
    _times: "array[int]" = field(default_factory=numbers)

    def add(self, row: int, times: int) -> None:
        """One more row, after all others."""
        self._rows.append(row)
        self._times.append(times)
        self.live += 1

    def rows(self) -> Rows:
        """The rows, removed ones included; see `column`."""
        return column(self._rows)

    def counts(self, rows: Rows) -> Column:
        """How often the term is in each of these rows. There is at least one row with it."""
        known = self.rows()
        at = np.minimum(np.searchsorted(known, rows), len(known) - 1)
        return np.where(known[at] == rows, column(self._times)[at], 0).astype(np.float64)


MOST_TERMS = 5_000_000
"""Occurrences of terms held in memory over all scopes; about 24 bytes each."""

MOST_REMOVED = 1_000

_CODES = {kind: code for code, kind in enumerate(Kind)}
_REMOVED = 255


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A recallable memory as the index sees it; `turns` are those it distils.

    `mentions` are ids of entities, each once; times are Unix seconds, `due_at` as in `Memory`.
    """

    id: str
    text: str
    turns: Sequence[int]
    kind: Kind = Kind.SEMANTIC
    created_at: float = 0.0
    happened_at: float = 0.0
    mentions: Sequence[str] = ()
    due_at: float | None = None


class ScopeIndex:
    """Terms and mentions of one scope's recallable memories. Thread-safe."""

    def __init__(self) -> None:
        self.mentions = MentionIndex()
        self._lock = Lock()
        self._clear()

    @property
    def size(self) -> int:
        """Occurrences of terms, those of removed rows included until they are dropped.

        A mention counts as one.
        """
        return self._held + self.mentions.size

    @property
    def rows(self) -> int:
        """Memories in it."""
        with self._lock:
            return len(self._row_of)

    def change(self, gone: Iterable[str], come: Iterable[IndexEntry]) -> None:
        """Remove, then add; one step for every search. An id that is known is replaced."""
        entries = [(entry, tokens.index_terms(entry.text)) for entry in come]
        gone = list(gone)
        self.mentions.change(
            gone, {entry.id: (entry.created_at, entry.mentions) for entry, _ in entries}
        )
        with self._lock:
            for id in gone:
                self._remove(id)
            for entry, terms in entries:
                self._remove(entry.id)
                self._add(entry, terms)
            if self._removed > max(MOST_REMOVED, len(self._row_of)):
                self._compact()

    def search(
        self, query: list[str], limit: int, kinds: Collection[Kind] | None = None, own: str = ""
    ) -> list[Scored]:
        """The best of these kinds by this scope's own statistics, without `own`; best first."""
        with self._lock:
            known = {t: self._vocabulary[t] for t in query if t in self._vocabulary}
            postings = {term: self._postings[number] for term, number in known.items()}
            rows_with = {term: posting.live for term, posting in postings.items()}
            corpus = bm25.Corpus(
                len(self._row_of), self._total / max(len(self._row_of), 1), rows_with
            )
            row = self._row_of.get(own)
            if row is not None:
                having = [term for term, each in postings.items() if row in each.rows()]
                corpus = corpus.without(self._lengths[row], having)
            wanted = [postings[term] for term in ranking.probes(query, corpus)]
            rows = self._candidates(wanted, kinds)
            rows = rows if row is None else rows[rows != row]
            counts = {term: posting.counts(rows) for term, posting in postings.items()}
            scores = ranking.column_scores(query, corpus, counts, self._lengths_of(rows))
            rarest = ranking.rarest(query, corpus, counts, len(rows))
            first = ranking.leading(scores, limit)
            entries = [self._entries[row] for row in rows[first].tolist()]
        found = zip(entries, scores[first].tolist(), rarest[first].tolist(), strict=True)
        most = ranking.most_of(query, corpus)
        told = (Scored(e.id, bm25.shared(n, most), rare, nats=n) for e, n, rare in found if e)
        return ranking.best(told, limit)

    def learnt_from(self, turn: int) -> list[str]:
        """Ids that distil a turn."""
        with self._lock:
            return sorted(self._of_turn.get(turn, ()))

    def of_kinds(self, kinds: Collection[Kind]) -> frozenset[str]:
        """Ids of the memories of these kinds."""
        with self._lock:
            return frozenset(each.id for each in self._entries if each and each.kind in kinds)

    def happened(
        self, first: float, last: float, kinds: Collection[Kind] | None = None
    ) -> list[tuple[float, str]]:
        """What happened from `first` to `last`, both included: when, and the memory's id."""
        with self._lock:
            return [
                (each.happened_at, each.id)
                for each in self._entries
                if each
                and first <= each.happened_at <= last
                and (kinds is None or each.kind in kinds)
            ]

    def due(self, first: float, last: float) -> list[str]:
        """Ids of what is due from `first` to `last`, both included."""
        with self._lock:
            return [id for id, at in self._due_at.items() if first <= at <= last]

    def _candidates(self, wanted: Sequence[Posting], kinds: Collection[Kind] | None) -> Rows:
        """Rows of these kinds with any of the wanted terms, ascending."""
        if not wanted:
            return np.empty(0, np.uintc)
        rows = np.unique(np.concatenate([posting.rows() for posting in wanted]))
        codes = [_CODES[kind] for kind in (Kind if kinds is None else kinds)]
        return rows[np.isin(np.frombuffer(self._kinds, np.ubyte)[rows], codes)]

    def _lengths_of(self, rows: Rows) -> ranking.Column:
        if not rows.size:
            return np.empty(0)
        return column(self._lengths)[rows].astype(np.float64)

    def _add(self, entry: IndexEntry, terms: list[str]) -> None:
        row = len(self._entries)
        words = array("I", [self._number(term) for term in terms])
        # The text has become words, the mentions are in an index of their own.
        self._entries.append(replace(entry, text="", mentions=()))
        self._words.append(words)
        self._row_of[entry.id] = row
        self._kinds.append(_CODES[entry.kind])
        self._lengths.append(len(words))
        for number, times in Counter(words).items():
            self._postings[number].add(row, times)
        for turn in entry.turns:
            self._of_turn[turn].add(entry.id)
        if entry.due_at is not None:
            self._due_at[entry.id] = entry.due_at
        self._total += len(words)
        self._held += len(words)

    def _remove(self, id: str) -> None:
        row = self._row_of.pop(id, None)
        if row is None:
            return
        self._due_at.pop(id, None)
        words, entry = self._words[row], self._entries[row]
        for number in set(words):
            self._postings[number].live -= 1
        for turn in entry.turns if entry else ():
            self._of_turn[turn].discard(id)
        self._entries[row], self._words[row], self._kinds[row] = None, numbers(), _REMOVED
        self._total -= len(words)
        self._removed += 1

    def _number(self, term: str) -> int:
        number = self._vocabulary.setdefault(term, len(self._postings))
        if number == len(self._postings):
            self._postings.append(Posting())
        return number

    def _compact(self) -> None:
        terms = list(self._vocabulary)
        kept = [
            (entry, [terms[number] for number in words])
            for entry, words in zip(self._entries, self._words, strict=True)
            if entry is not None
        ]
        self._clear()
        for entry, words in kept:
            self._add(entry, words)

    def _clear(self) -> None:
        self._entries: list[IndexEntry | None] = []
        self._words: list[array[int]] = []
        self._lengths = numbers()
        self._kinds = array("B")
        self._row_of: dict[str, int] = {}
        self._vocabulary: dict[str, int] = {}
        self._postings: list[Posting] = []
        self._of_turn: defaultdict[int, set[str]] = defaultdict(set)
        self._due_at: dict[str, float] = {}
        self._total = self._held = self._removed = 0


class Indexes:
    """The indexes in memory; the least recently used go when they are too large. Thread-safe."""

    def __init__(self, most_terms: int = MOST_TERMS) -> None:
        self._most_terms = most_terms
        self._lock = Lock()
        self._of_scope: OrderedDict[str, ScopeIndex] = OrderedDict()
        self._growing: dict[str, ScopeIndex] = {}

    def grow(self, scope: str) -> ScopeIndex:
        """A new index of a scope, told of its changes from now on while it is filled."""
        with self._lock:
            self._growing[scope] = ScopeIndex()
            return self._growing[scope]

    def grows(self, scope: str, index: ScopeIndex) -> bool:
        """Whether it is still the one that is filled: a failure may have dropped it."""
        with self._lock:
            return self._growing.get(scope) is index

    def followed(self, scope: str) -> list[ScopeIndex]:
        """Every index that has to be told of a change."""
        with self._lock:
            both = (self._of_scope.get(scope), self._growing.get(scope))
        return [each for each in both if each is not None]

    def at_hand(self, scope: str) -> ScopeIndex | None:
        """The index of a scope, if it is in memory."""
        with self._lock:
            index = self._of_scope.get(scope)
            if index is not None:
                self._of_scope.move_to_end(scope)
            return index

    def keep(self, scope: str, index: ScopeIndex) -> None:
        """Hold a complete index."""
        with self._lock:
            self._growing.pop(scope, None)
            self._of_scope[scope] = index
            held = sum(each.size for each in self._of_scope.values())
            while held > self._most_terms and len(self._of_scope) > 1:
                _, dropped = self._of_scope.popitem(last=False)
                held -= dropped.size

    def drop(self, scopes: Iterable[str]) -> None:
        """Forget what may no longer be true."""
        with self._lock:
            for scope in scopes:
                self._of_scope.pop(scope, None)
                self._growing.pop(scope, None)
