"""How good a ranking is against what should be found. Pure, apart from the given chance."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random
from statistics import fmean

from ..core.recall.trace import Drop, Fused

type Labels = frozenset[str]
type Scores = dict[str, float]

RANKED = frozenset({None, Drop.IRRELEVANT, Drop.LIMIT, Drop.BUDGET})
"""A candidate's fate that leaves it in the ranking; the others are no answers of their own."""


def ranking(
    candidates: Sequence[Fused], labels: Mapping[str, Labels], chance: Random
) -> list[Labels]:
    """What each candidate stands for, best first; neighbours with equal scores in any order."""
    kept = [candidate for candidate in candidates if candidate.drop in RANKED]
    ordered: list[Labels] = []
    for _, tied in groupby(kept, key=lambda candidate: candidate.score):
        group = [labels.get(candidate.memory, frozenset()) for candidate in tied]
        chance.shuffle(group)
        ordered += group
    return ordered


def scores(ranked: Sequence[Labels], gold: Labels) -> Scores:
    """Every measure of one question; `gold` is not empty."""
    five, ten = found(ranked[:5], gold), found(ranked[:10], gold)
    return {
        "recall@5": len(five) / len(gold),
        "recall@10": len(ten) / len(gold),
        "any@5": float(bool(five)),
        "any@10": float(bool(ten)),
        "all@10": float(ten == gold),
        "mrr": reciprocal_rank(ranked, gold),
        "ndcg@10": discounted_gain(ranked[:10], gold) / ideal_gain(len(gold), 10),
    }


def found(ranked: Iterable[Labels], gold: Labels) -> Labels:
    """What of the gold is there."""
    return gold.intersection(*[frozenset().union(*ranked)])


def reciprocal_rank(ranked: Sequence[Labels], gold: Labels) -> float:
    """1 / rank of the first that is gold, ranks from 1; 0 without any."""
    ranks = (rank for rank, labels in enumerate(ranked, start=1) if labels & gold)
    return 1.0 / next(ranks, math.inf)


def discounted_gain(ranked: Sequence[Labels], gold: Labels) -> float:
    """Discounted cumulative gain; what says only what was said before gains nothing."""
    gain, seen = 0.0, frozenset[str]()
    for rank, labels in enumerate(ranked, start=1):
        fresh = (labels & gold) - seen
        gain += bool(fresh) / math.log2(rank + 1)
        seen |= fresh
    return gain


def ideal_gain(relevant: int, depth: int) -> float:
    """The gain of a ranking with all that is relevant at its head."""
    return sum(1 / math.log2(rank + 1) for rank in range(1, min(relevant, depth) + 1))


def mean_scores(every: Sequence[Scores]) -> Scores:
    """The mean of each measure, to 4 digits; nothing for no questions."""
    names = every[0] if every else ()
    return {name: round(fmean(one[name] for one in every), 4) for name in names}


def mean(values: Iterable[float]) -> float | None:
    """Rounded to 4 digits; None of nothing."""
    every = list(values)
    return round(fmean(every), 4) if every else None
