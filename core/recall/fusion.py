"""Combining the legs: reciprocal rank fusion. Pure.

Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
"""

from collections.abc import Mapping, Sequence

from .trace import Fused, Hit, Leg

K = 60


def reciprocal_rank(ranks: Sequence[int], k: int = K) -> float:
    """Sum of 1 / (k + rank), ranks from 1."""
    return sum(1.0 / (k + rank) for rank in ranks)


def fuse(legs: Mapping[Leg, Sequence[tuple[str, Hit]]]) -> list[Fused]:
    """Candidates by fused score, best first, ties by id."""
    hits: dict[str, list[Hit]] = {}
    for found in legs.values():
        for memory, hit in found:
            hits.setdefault(memory, []).append(hit)
    fused = [
        Fused(memory, tuple(mine), reciprocal_rank([hit.rank for hit in mine]))
        for memory, mine in hits.items()
    ]
    return sorted(fused, key=lambda candidate: (-candidate.score, candidate.memory))
