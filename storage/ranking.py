"""How every store ranks and filters: terms, scores, orders, ancestors. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.languages.terms import carries_meaning
from ..core.model.knowledge import Relation
from ..core.model.memory import VIEWS, Memory
from ..core.ports import Ancestor, Filter, Order, Scored, Vector, Views
from ..core.records.serialisation import has_tag
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


SORT_KEYS: dict[Order, Callable[[Memory], tuple[Any, ...]]] = {
    Order.NEWEST: lambda memory: (-memory.created_at, memory.id),
    Order.OLDEST: lambda memory: (memory.created_at, memory.id),
    Order.LATEST: lambda memory: (-memory.happened_at, memory.id),
    Order.STRONGEST: lambda memory: (-memory.vitality.strength, memory.id),
}


def matches(memory: Memory, where: Filter) -> bool:
    """Whether the filter lets the memory through."""
    return (
        (where.scopes is None or memory.scope in where.scopes)
        and (where.status is None or memory.standing.status is where.status)
        and (where.kinds is None or memory.kind in where.kinds)
        and (where.recallable is None or memory.recallable is where.recallable)
        and (where.exempt is None or memory.exempt is where.exempt)
        and (where.score is None or _within(memory.vitality.useful_score, where.score))
        and (where.slots is None or (memory.claim is not None and memory.claim.slot in where.slots))
        and (where.holds is None or memory.holds is where.holds)
        and (
            where.intentions is None
            or (memory.intention is not None and memory.intention.status in where.intentions)
        )
        and (where.due is None or (memory.due_at is not None and _spans(where.due, memory.due_at)))
        and (where.tag is None or has_tag(memory, where.tag))
        and (where.created_before is None or memory.created_at < where.created_before)
        and (where.happened is None or _spans(where.happened, memory.happened_at))
    )


def _within(score: float, bounds: tuple[float, float]) -> bool:
    lowest, end = bounds
    return lowest <= score < end


def _spans(interval: tuple[float, float], moment: float) -> bool:
    first, last = interval
    return first <= moment <= last


type Provenance = Mapping[str, Sequence[Relation]]
"""By the id of each memory that exists: the relations that say what it came from."""


def walk(
    ids: Sequence[str], depth: int, read: Callable[[Sequence[str]], Provenance]
) -> list[Ancestor]:
    """Breadth first from `ids`; `read` is asked once per step, for ids not asked for before."""
    level = list(dict.fromkeys(ids))
    met = set(level)
    provenance = read(level)
    found: list[Ancestor] = []
    for distance in range(1, depth + 1):
        parents = {each.memory: each for each in _parents(level, provenance, distance, met)}
        if not parents:
            break
        met |= parents.keys()
        provenance = read(list(parents))
        level = [id for id in parents if id in provenance]
        found += [parents[id] for id in level]
    return found


def _parents(
    level: Sequence[str], provenance: Provenance, distance: int, met: set[str]
) -> Iterator[Ancestor]:
    named: set[str] = set()
    for id in level:
        for relation in provenance.get(id, ()):
            if relation.object not in met and relation.object not in named:
                named.add(relation.object)
                yield Ancestor(relation.object, id, relation.predicate, distance)
