"""BM25 with scores in 0..1, computed from one scope's own statistics. Pure.

Algorithms, section 7.2.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the
idf that cannot go negative. Every store ranks its text candidates with it, so results agree.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

K1 = 1.2
B = 0.75
FEW = 30
"""Rows below which rarity tells little."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """One scope's statistics: rows, mean length in terms, rows that contain each query term."""

    rows: int
    mean_length: float
    rows_with: Mapping[str, int]

    def without(self, length: int, terms: Collection[str]) -> "Corpus":
        """The statistics without one row of so many terms, these of the query's among them."""
        rows = self.rows - 1
        mean = (self.mean_length * self.rows - length) / max(rows, 1)
        left = {term: number - (term in terms) for term, number in self.rows_with.items()}
        return Corpus(rows, mean, {term: number for term, number in left.items() if number})


def idf(rows: int, rows_with: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)), never negative."""
    return math.log(1.0 + (max(rows - rows_with, 0) + 0.5) / (rows_with + 0.5))


def rarity(rows: int, rows_with: int) -> float:
    """0..1 of a term that so many rows have: `idf` / ln(rows + 1)."""
    return min(1.0, idf(rows, rows_with) / math.log(rows + 1)) if rows and rows_with else 0.0


def weight(term: str, corpus: Corpus) -> float:
    """The `idf` of a term; of fewer than `FEW` rows as if the others of so many lacked it.

    Of three rows two have most words, and yet they tell.
    """
    return idf(max(corpus.rows, FEW), corpus.rows_with.get(term, 0))


def most(query: Iterable[str], corpus: Corpus) -> float:
    """The BM25 in nats that no row can exceed by these terms."""
    return (K1 + 1) * sum(weight(term, corpus) for term in query)


def scorer(query: Iterable[str], corpus: Corpus) -> Callable[[Mapping[str, int], int], float]:
    """BM25 in nats of many rows, each given as its counts of the query's terms and its length."""
    weights = {term: weight(term, corpus) for term in query}

    def scored(counts: Mapping[str, int], length: int) -> float:
        norm = K1 * (1 - B + B * length / max(corpus.mean_length, 1.0))
        reached = 0.0
        for term, own in weights.items():
            if times := counts.get(term, 0):
                reached += own * times * (K1 + 1) / (times + norm)
        return reached

    return scored


def shared(nats: float, most: float) -> float:
    """A BM25 as a share of the `most` that is possible, 0..1."""
    return min(1.0, nats / most) if most > 0 else 0.0


def score(query: Iterable[str], row: Counter[str], corpus: Corpus) -> float:
    """Share of the best score any row could reach for the whole query, 0..1.

    `query` holds distinct terms; those unknown to the corpus count in the denominator, so a
    row that matches one word of a long question scores low.
    """
    terms = list(query)
    return shared(scorer(terms, corpus)(row, row.total()), most(terms, corpus))
