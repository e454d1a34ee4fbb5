"""The hits of all legs in one list of candidates. Pure.

Reciprocal rank fusion decides which candidates are read at all, and their order where it is set.
Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
"""

from collections.abc import Mapping, Sequence

from .trace import Fused, Hit, Leg

K = 60

CONSIDERED = 120
"""Candidates whose records are read."""

NEVER_CUT = (Leg.TIME, Leg.CAUSAL)
"""Legs that go by what is recorded, not by how near it is to what was asked."""

type Found = Sequence[tuple[str, Hit]]


def reciprocal_rank(ranks: Sequence[int], k: int = K) -> float:
    """Sum of 1 / (k + rank), ranks from 1."""
    return sum([1.0 / (k + rank) for rank in ranks])


def pooled(found: Mapping[Leg, Found]) -> list[Fused]:
    """The best candidates of all legs by reciprocal ranks, ties by id; `score` is the relevance."""
    hits: dict[str, list[Hit]] = {}
    for hits_of_leg in found.values():
        for memory, hit in hits_of_leg:
            hits.setdefault(memory, []).append(hit)
    ranks = {id: reciprocal_rank(sorted([hit.rank for hit in own])) for id, own in hits.items()}
    best = sorted(hits, key=lambda id: (-ranks[id], id))
    certain = {memory for leg in NEVER_CUT for memory, _ in found.get(leg, ())}
    best = [id for place, id in enumerate(best) if place < CONSIDERED or id in certain]
    return ordered(
        [
            Fused(id, tuple(hits[id]), max([hit.relevance for hit in hits[id]]), rrf=ranks[id])
            for id in best
        ]
    )


def ordered(candidates: Sequence[Fused]) -> list[Fused]:
    """Best first, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.memory))
