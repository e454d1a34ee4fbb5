"""Choosing what is relevant and not yet said. Pure.

Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
Producing Summaries" (SIGIR 1998).
"""

from collections.abc import Sequence

import numpy as np

from ..likeness import Matrix


def diversified(
    relevance: Sequence[float], similarity: Matrix, *, keep: int, weight: float
) -> list[int]:
    """Places of at most `keep` of the pool in the order of their choice, ties by place.

    Each is the one with the most `weight` of relevance less the rest of its similarity to the
    nearest that was chosen before it. `similarity` is square, 0..1, as wide as the pool; `weight`
    is 0..1, and 1 orders by relevance alone.
    """
    if not 0.0 <= weight <= 1.0:
        raise ValueError(f"weight must be 0..1, not {weight}")
    scores = weight * np.asarray(relevance, np.float64)
    matrix = (1.0 - weight) * np.asarray(similarity, np.float64)
    nearest = np.zeros(len(scores))
    chosen: list[int] = []
    for _ in range(min(keep, len(scores))):
        best = int(np.argmax(scores - nearest))
        chosen.append(best)
        np.maximum(nearest, matrix[best], out=nearest)
        scores[best] = -np.inf
    return chosen
