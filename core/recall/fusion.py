"""Combining the legs: weighted relevance, with reciprocal rank fusion beside it. Pure.

Algorithms, section 7.3.

Ranks alone count a weak first hit as much as a strong one; relevances of calibrated legs can be
added. Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009); Bruch, Gai & Ingber,
"An Analysis of Fusion Functions for Hybrid Retrieval" (TOIS 2023).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .trace import Boost, Fused, Hit, Leg

K = 60

EXTENDING: Mapping[Leg, float] = {Leg.TIME: 0.05, Leg.ENTITY: 0.05, Leg.CAUSAL: 0.6}
"""What a hit of full relevance adds, by a leg that only finds what the others might not.

Never part of the mean: without such a leg every score is what the others make of it. Times and
entities find much and tell little; a cause that was asked for counts like a match in words.
"""

NEVER_CUT = (Leg.TIME, Leg.SLOT)
"""Legs that go by what is recorded, not by how near it is to what was asked."""

type Found = Sequence[tuple[str, Hit]]


def reciprocal_rank(ranks: Sequence[int], k: int = K) -> float:
    """Sum of 1 / (k + rank), ranks from 1."""
    return sum(1.0 / (k + rank) for rank in ranks)


def fuse(
    legs: Mapping[Leg, Found], weights: Mapping[Leg, float], *, limit: int | None = None
) -> list[Fused]:
    """Candidates by the weighted mean of their relevance on every leg, best first, ties by id.

    At most `limit`, and what lies in a time that is asked about or fills a slot that is: that is
    told by its record alone. A vector search always finds its fill, so what it did not find is as
    far as the last that it found: no nearer, and no further than that tells. A text leg did not
    find what lacks the words. Hits of a leg without a weight of its own add to the mean as
    `EXTENDING` says.
    The score of an intention is its relevance by meaning, whatever else found it.
    """
    hits: dict[str, list[Hit]] = {}
    for found in legs.values():
        for memory, hit in found:
            hits.setdefault(memory, []).append(hit)
    asked = {leg: weights.get(leg, 0.0) for leg in legs}
    whole = math.fsum(asked.values()) or 1.0
    last = {leg: found[-1][1].relevance for leg, found in legs.items() if found}
    absent = asked.get(Leg.SEMANTIC, 0.0) * last.get(Leg.SEMANTIC, 0.0)
    scores = {memory: _score(mine, asked, absent, whole) for memory, mine in hits.items()}
    certain = {memory for leg in NEVER_CUT for memory, _ in legs.get(leg, ())}
    best = sorted(scores, key=lambda memory: (-scores[memory], memory))
    if limit is not None:
        best = [each for place, each in enumerate(best) if place < limit or each in certain]
    return [
        Fused(
            memory,
            tuple(hits[memory]),
            scores[memory],
            rrf=reciprocal_rank(sorted(hit.rank for hit in hits[memory])),
        )
        for memory in best
    ]


def _score(hits: list[Hit], weights: Mapping[Leg, float], absent: float, whole: float) -> float:
    meant = semantic = -1.0
    shares: list[float] = []
    for hit in hits:
        weight = weights[hit.leg]
        shares.append(weight * hit.relevance / whole if weight else _added(hit))
        if hit.leg is Leg.SEMANTIC:
            semantic = hit.relevance
        elif hit.leg is Leg.PROSPECTIVE:
            meant = max(meant, hit.relevance)
    if meant >= 0.0:
        return meant
    if semantic < 0.0:
        shares.append(absent / whole)
    # Exactly rounded, so that the order of the legs does not matter.
    return math.fsum(shares)


def _added(hit: Hit) -> float:
    return EXTENDING.get(hit.leg, 0.0) * hit.relevance


def boosted(candidate: Fused, boosts: Mapping[Boost, float]) -> Fused:
    """The candidate with these added to its score; zeros are not told."""
    told = tuple((name, value) for name, value in boosts.items() if value)
    return replace(
        candidate,
        score=candidate.score + sum(value for _, value in told),
        boosts=(*candidate.boosts, *told),
    )


def ordered(candidates: Sequence[Fused]) -> list[Fused]:
    """Best first, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.memory))
