"""How good a ranking is against what should be found. Pure, apart from the given chance."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random
from statistics import fmean

from ..core.recall.trace import Drop, Fused

type Labels = frozenset[str]

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


def found(ranked: Iterable[Labels], gold: Labels) -> Labels:
    """What of the gold is there."""
    return gold.intersection(*[frozenset().union(*ranked)])


def mean(values: Iterable[float]) -> float | None:
    """Rounded to 4 digits; None of nothing."""
    every = list(values)
    return round(fmean(every), 4) if every else None
