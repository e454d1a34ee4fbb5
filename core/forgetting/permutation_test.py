"""Whether two groups of people differ in how often their memories were of use. Pure.

Algorithms, section 1.2.
"""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .rates import Posterior

MOST_EXACT = 20_000
"""Divisions of the people that are all tried; beyond that so many are drawn, always the same."""

BATCH = 500
"""Drawn divisions that are computed at a time."""

ROUNDING = 1e-12

type Flags = NDArray[np.bool_]


def chance_of_difference(one: Sequence[Posterior], other: Sequence[Posterior]) -> float:
    """Two-sided p-value that it does not matter who is in which group; 1.0 if nothing can be said.

    A permutation test over people (each the verdicts of one), since the verdicts of one person
    depend on each other: how many divisions of the same people into groups of these sizes set
    the two shares of useful verdicts at least as far apart. With few people it is never small.
    """
    people = [each for each in (*one, *other) if each.judged]
    size = sum(each.judged > 0 for each in one)
    if not 0 < size < len(people):
        return 1.0
    useful = np.array([each.useful for each in people], dtype=np.float64)
    judged = np.array([each.judged for each in people], dtype=np.float64)
    first = np.array([number < size for number in range(len(people))])
    found = _gaps(first, useful, judged)[0]
    if math.comb(len(people), size) <= MOST_EXACT:
        gaps = _gaps(_every(len(people), size), useful, judged)
        return float((gaps >= found - ROUNDING).mean())
    further = sum(
        np.count_nonzero(_gaps(part, useful, judged) >= found - ROUNDING)
        for part in _drawn(len(people), size)
    )
    return (1 + further) / (1 + MOST_EXACT)


def _gaps(
    first: Flags, useful: NDArray[np.float64], judged: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far apart the shares are, for each row of `first`: who is in the first group."""
    rows = np.atleast_2d(first)
    shares: NDArray[np.float64] = (rows @ useful) / (rows @ judged)
    others: NDArray[np.float64] = (~rows @ useful) / (~rows @ judged)
    return np.abs(shares - others)


def _every(people: int, size: int) -> Flags:
    chosen = np.zeros((math.comb(people, size), people), dtype=np.bool_)
    for row, members in enumerate(combinations(range(people), size)):
        chosen[row, list(members)] = True
    return chosen


def _drawn(people: int, size: int) -> list[Flags]:
    rng = np.random.default_rng(0)
    return [rng.random((BATCH, people)).argsort(axis=1) < size for _ in range(MOST_EXACT // BATCH)]
