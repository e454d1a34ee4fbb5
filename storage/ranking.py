"""How every store turns memories into index terms, and scores into an ordered result. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ..core.languages.terms import carries_meaning
from ..core.model.views import VIEWS
from ..core.ports import Scored, Vector, Views
from ..core.text import bm25

type Column = NDArray[np.float64]

PROBES = 64
"""Terms that a row must contain at least one of to be considered: the rarest ones."""

POSTINGS = 5_000
"""Rows that the probes may have together, beyond the rarest one: bounds a search's work."""

SCORE_DIGITS = 6
"""Cosines are rounded to this, so that the order of equals is by id on every machine."""


def counted(query: Iterable[str], corpus: bm25.Corpus) -> Sequence[str]:
    """The terms of a query that count: of few rows those that carry meaning, if it has any."""
    every = list(query)
    return every if corpus.rows >= bm25.FEW else _telling(every)


def probes(query: Iterable[str], corpus: bm25.Corpus) -> list[str]:
    """The at most `PROBES` terms that any row contains, the fewest first, within `POSTINGS`."""
    known = [term for term in counted(query, corpus) if corpus.rows_with.get(term)]
    rarest = sorted(known, key=lambda term: (corpus.rows_with[term], term))[:PROBES]
    reached = accumulate(corpus.rows_with[term] for term in rarest)
    within = sum(postings <= POSTINGS for postings in reached)
    return rarest[: max(1, within)]


def most_of(query: Sequence[str], corpus: bm25.Corpus) -> float:
    """What a row can reach by all the terms that carry meaning: a question has others besides."""
    return bm25.most(_telling(query), corpus)


def rarities(query: Iterable[str], corpus: bm25.Corpus) -> dict[str, float]:
    """How rare each term of the query that carries meaning is there."""
    rows, known = corpus.rows, corpus.rows_with
    return {term: bm25.rarity(rows, known.get(term, 0)) for term in _telling(list(query))}


def _telling(query: Sequence[str]) -> Sequence[str]:
    """Its terms that carry meaning, or all if it has none."""
    return [term for term in query if carries_meaning(term)] or query


def rarest(
    query: Iterable[str], corpus: bm25.Corpus, counts: Mapping[str, Column], rows: int
) -> Column:
    """Of many rows at once, see `column_scores`, how rare the rarest term of each is."""
    reached = np.zeros(rows)
    for term, rarity in rarities(query, corpus).items():
        if (times := counts.get(term)) is not None:
            reached = np.maximum(reached, np.where(times > 0, rarity, 0.0))
    return reached


def column_scores(
    query: Iterable[str], corpus: bm25.Corpus, counts: Mapping[str, Column], lengths: Column
) -> Column:
    """`bm25.scorer` of many rows at once, to the last bit.

    `counts` has a column for each term of the query that any of the rows may contain.
    """
    told = counted(query, corpus)
    weights = {term: bm25.weight(term, corpus) for term in told}
    norms = bm25.K1 * (1 - bm25.B + bm25.B * lengths / max(corpus.mean_length, 1.0))
    reached = np.zeros_like(norms)
    for term, weight in weights.items():
        if (times := counts.get(term)) is not None:
            reached += weight * times * (bm25.K1 + 1) / (times + norms)
    return reached


def leading(scores: Column, limit: int) -> NDArray[np.intp]:
    """Where the first `limit` are, and all that tie with the last of them."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    least = np.partition(scores, -limit)[-limit]
    return np.flatnonzero(scores >= least)


def cosine_score(cosine: float) -> float:
    """A cosine as a score 0..1: negative ones are 0, float noise is rounded away."""
    return round(min(1.0, max(0.0, cosine)), SCORE_DIGITS)


def cosine_scores(cosines: Vector) -> list[float]:
    """The same of many."""
    return np.round(np.clip(cosines.astype(np.float64), 0.0, 1.0), SCORE_DIGITS).tolist()


def best(scores: Iterable[Scored], limit: int) -> list[Scored]:
    """The first `limit` by score descending, then id."""
    return sorted(scores, key=lambda hit: (-hit.score, hit.id))[: max(0, limit)]


def by_best_view(hits: Iterable[Scored]) -> list[Scored]:
    """Each memory once, by its nearest view; of equal ones by the first, the whole before any."""
    nearest: dict[str, Scored] = {}
    for hit in hits:
        if (known := nearest.get(hit.id)) is None or _view_rank(hit) < _view_rank(known):
            nearest[hit.id] = hit
    return list(nearest.values())


def _view_rank(hit: Scored) -> tuple[float, int]:
    return -hit.score, VIEWS.index(hit.view) + 1 if hit.view else 0


def unit(vector: Vector) -> Vector:
    """The vector at length 1 as float32. Raises ValueError if it is no finite direction."""
    straight = np.asarray(vector, dtype=np.float64).reshape(-1)
    length = float(np.linalg.norm(straight))
    if not np.isfinite(length) or length == 0.0:
        raise ValueError("a vector must be finite and not zero")
    return (straight / length).astype(np.float32)


def all_units(
    vectors: Mapping[str, Vector], views: Mapping[str, Views] | None
) -> tuple[dict[str, Vector], dict[str, dict[str, Vector]]]:
    """Vectors and the views of the same memories at unit length.

    Raises ValueError if they differ in dimension, and for a view of an unknown name.
    """
    own = {id: each for id, each in (views or {}).items() if id in vectors and each}
    if unknown := {name for each in own.values() for name in each} - set(VIEWS):
        raise ValueError(f"there is no view called {min(unknown)!r}")
    units = same_length(vectors)
    sizes = {unit.size for unit in units.values()}
    told = {id: same_length(each) for id, each in own.items()}
    if any({vector.size for vector in each.values()} != sizes for each in told.values()):
        raise ValueError("views must have the dimension of the whole")
    return units, told


def same_length(vectors: Mapping[str, Vector]) -> dict[str, Vector]:
    """Each vector at unit length. Raises ValueError if they differ in dimension."""
    units = {id: unit(vector) for id, vector in vectors.items()}
    if len({vector.size for vector in units.values()}) > 1:
        raise ValueError("vectors of one fingerprint must have one dimension")
    return units
