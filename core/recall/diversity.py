"""Choosing what is relevant and not yet said. Pure. Algorithms, section 7.3.

Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
Producing Summaries" (SIGIR 1998).
"""

from collections.abc import Callable, Sequence


def diversified(
    relevance: Sequence[float],
    similarity: Callable[[int, int], float],
    *,
    keep: int,
    weight: float,
) -> list[int]:
    """Places of at most `keep` of the pool in the order of their choice, ties by place.

    Each is the one with the most `weight` of relevance less the rest of its similarity to the
    nearest that was chosen before it. `similarity` of two places is 0..1 and asked only where it
    can decide; `weight` is 0..1, and 1 orders by relevance alone.
    """
    if not 0.0 <= weight <= 1.0:
        raise ValueError(f"weight must be 0..1, not {weight}")
    nearest = [0.0] * len(relevance)
    compared = [0] * len(relevance)
    chosen: list[int] = []

    def value(place: int) -> float:
        for other in chosen[compared[place] :]:
            nearest[place] = max(nearest[place], similarity(place, other))
        compared[place] = len(chosen)
        return weight * relevance[place] - (1.0 - weight) * nearest[place]

    left = sorted(range(len(relevance)), key=lambda place: (-relevance[place], place))
    while left and len(chosen) < keep:
        best, most = left[0], value(left[0])
        for place in left[1:]:
            # Nobody further down has more without any repetition.
            if weight * relevance[place] < most:
                break
            if (worth := value(place)) > most or (worth == most and place < best):
                best, most = place, worth
        chosen.append(best)
        left.remove(best)
    return chosen
