"""The terms of one scope in memory: which rows have which, how often, as columns.

A projection of what is stored. What a search by words costs is then what its postings cost.
"""

from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ..core.model.memory import Kind
from ..core.ports import Scored
from ..core.text import bm25
from . import ranking
from .partitions import Fillable

MOST_HELD = 10_000_000
"""`TermPartition.size` of all in memory, some 8 bytes each; one is held however large it is."""

MOST_DEAD = 1_000
"""Places of rows that are gone or have changed, where there are no more others than that."""

_CODES = {kind.value: code for code, kind in enumerate(Kind)}

type Places = NDArray[np.uint32]
type Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TermRow:
    """A recallable row: its memory, its kind, and its terms as the index has them."""

    row: int
    id: str
    kind: str
    terms: str


type ReadRows = Callable[[Sequence[int]], Iterable[TermRow]]
"""Those of these rows that are recallable."""


@dataclass(frozen=True, slots=True)
class _Posting:
    """The places of the live rows with a term, ascending, and how often it is in each."""

    places: Places
    times: NDArray[np.uint16]


class TermPartition(Fillable[Sequence[TermRow]]):
    """One scope. Thread-safe but for `fill`, which is over before anybody searches."""

    def __init__(self) -> None:
        self._lock, self._noting = Lock(), Lock()
        self._pending: deque[tuple[int, int]] = deque()
        self._numbers: dict[str, int] = {}
        self._ids: list[str] = []
        self._terms = 0
        self._place_of: dict[int, int] = {}
        self._kinds, self._lengths, self._alive = array("B"), array("I"), array("B")
        self._pages: list[tuple[Places, Places, NDArray[np.uint16]]] = []
        self._starts = np.zeros(1, np.int64)
        self._places: Places = np.empty(0, np.uint32)
        self._times = np.empty(0, np.uint16)
        self._later: dict[int, tuple[array[int], array[int]]] = {}

    @property
    def size(self) -> int:
        """What it holds, in postings: a term costs as much as twenty of them, a row as forty."""
        postings = len(self._places) + 20 * len(self._later)
        return postings + 20 * len(self._numbers) + 40 * len(self._ids)

    @property
    def worn(self) -> bool:
        return len(self._ids) > 2 * max(MOST_DEAD, len(self._place_of))

    def follow(self, change: int, row: int) -> None:
        """Take note that a row has changed with that committed change."""
        with self._noting:
            self._pending.append((change, row))

    def fill(self, rows: Sequence[TermRow], /) -> None:
        terms = [each.terms.split() for each in rows]
        places = [self._placed(each, len(own)) for each, own in zip(rows, terms, strict=True)]
        every = [term for own in terms for term in own]
        numbers = np.fromiter(map(self._number, every), np.uint64, len(every))
        where = np.repeat(np.array(places, np.uint64), [len(own) for own in terms])
        both, times = np.unique(numbers << np.uint64(32) | where, return_counts=True)
        few = np.minimum(times, 0xFFFF).astype(np.uint16)
        self._pages.append(((both >> np.uint64(32)).astype(np.uint32), both.astype(np.uint32), few))

    def filled(self) -> None:
        if self._pages:
            numbers, places, times = map(np.concatenate, zip(*self._pages, strict=True))
            order = np.argsort(numbers, kind="stable")
            self._places, self._times = places[order], times[order]
            counts = np.bincount(numbers, minlength=len(self._numbers))
            self._starts = np.append(0, np.cumsum(counts))
        self._pages = []
        super().filled()

    def search(
        self,
        query: Sequence[str],
        limit: int,
        kinds: Collection[Kind] | None,
        own: int | None,
        until: int,
        read: ReadRows,
    ) -> list[Scored]:
        """The best of these kinds by this scope's own statistics, in no particular order.

        `own` is a row that is left out. What changed with the committed changes `until` one is
        read first.
        """
        with self._lock:
            self._catch_up(until, read)
            postings = {
                term: posting for term in query if (posting := self._posting(term)) is not None
            }
            rows = len(self._place_of)
            corpus = bm25.Corpus(
                rows,
                self._terms / max(rows, 1),
                {term: len(posting.places) for term, posting in postings.items()},
            )
            place = self._place_of.get(own) if own is not None else None
            if place is not None:
                having = [term for term, each in postings.items() if place in each.places]
                corpus = corpus.without(self._lengths[place], having)
            candidates = self._candidates(
                [postings[term] for term in ranking.probes(query, corpus)], kinds
            )
            candidates = candidates[candidates != place] if place is not None else candidates
            return self._best(query, corpus, postings, candidates, limit)

    def _best(
        self,
        query: Sequence[str],
        corpus: bm25.Corpus,
        postings: dict[str, _Posting],
        candidates: Rows,
        limit: int,
    ) -> list[Scored]:
        if not candidates.size:
            return []
        at = np.full(len(self._ids), -1, np.int32)
        at[candidates] = np.arange(len(candidates), dtype=np.int32)
        counts = {term: _counts(own, at, len(candidates)) for term, own in postings.items()}
        lengths = np.frombuffer(self._lengths, np.uint32)[candidates].astype(np.float64)
        scores = ranking.column_scores(query, corpus, counts, lengths)
        rarest = ranking.rarest(query, corpus, counts, len(candidates))
        first = ranking.leading(scores, limit)
        told = zip(
            candidates[first].tolist(), scores[first].tolist(), rarest[first].tolist(), strict=True
        )
        most = ranking.most_of(query, corpus)
        return [
            Scored(self._ids[place], bm25.shared(nats, most), rare, nats=nats)
            for place, nats, rare in told
        ]

    def _candidates(self, wanted: Sequence[_Posting], kinds: Collection[Kind] | None) -> Rows:
        """The places of rows of these kinds with any of the wanted terms."""
        if not wanted:
            return np.empty(0, np.intp)
        among = np.zeros(len(self._ids), np.bool_)
        for posting in wanted:
            among[posting.places] = True
        places = np.flatnonzero(among)
        if kinds is None:
            return places
        codes = np.array([_CODES[kind.value] for kind in kinds], np.uint8)
        return places[np.isin(np.frombuffer(self._kinds, np.uint8)[places], codes)]

    def _posting(self, term: str) -> _Posting | None:
        """Of the live rows; None if none of them has the term."""
        number = self._numbers.get(term)
        if number is None:
            return None
        places, times = self._places[:0], self._times[:0]
        if number + 1 < len(self._starts):
            own = slice(self._starts[number], self._starts[number + 1])
            places, times = self._places[own], self._times[own]
        if number in self._later:
            more, counted = self._later[number]
            places = np.concatenate([places, np.array(more, np.uint32)])
            times = np.concatenate([times, np.array(counted, np.uint16)])
        if len(self._place_of) < len(self._ids):
            live = np.frombuffer(self._alive, np.bool_)[places]
            places, times = places[live], times[live]
        return _Posting(places, times) if places.size else None

    def _catch_up(self, until: int, read: ReadRows) -> None:
        with self._noting:
            due = list(takewhile(lambda each: each[0] <= until, self._pending))
        if not due:
            return
        changed = list(dict.fromkeys(row for _, row in due))
        now = list(read(changed))
        # Not before: whoever reads may be interrupted, and the next search begins here again.
        for _ in due:
            self._pending.popleft()
        for row in changed:
            if (place := self._place_of.pop(row, None)) is not None:
                self._alive[place], self._ids[place] = 0, ""
                self._terms -= self._lengths[place]
        for each in now:
            terms = each.terms.split()
            place = self._placed(each, len(terms))
            for number, times in Counter(map(self._number, terms)).items():
                places, counted = self._later.setdefault(number, (array("I"), array("I")))
                places.append(place)
                counted.append(min(times, 0xFFFF))

    def _placed(self, each: TermRow, length: int) -> int:
        place = self._place_of[each.row] = len(self._ids)
        self._ids.append(each.id)
        self._kinds.append(_CODES.get(each.kind, len(_CODES)))
        self._lengths.append(length)
        self._alive.append(1)
        self._terms += length
        return place

    def _number(self, term: str) -> int:
        return self._numbers.setdefault(term, len(self._numbers))


def _counts(posting: _Posting, at: NDArray[np.int32], rows: int) -> ranking.Column:
    """How often the term is in each of the rows, which `at` tells the number of."""
    told = np.zeros(rows)
    numbers = at[posting.places]
    known = numbers >= 0
    told[numbers[known]] = posting.times[known]
    return told
