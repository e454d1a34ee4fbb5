"""The turns next to a raw turn in its conversation. Pure."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..model.memory import Kind, Memory
from ..scoring.columns import Figures

REACH = 3
"""Of the turns of its episode that were found, so many on either side stand beside a turn."""


def near_by(own: Sequence[Memory], told: Figures, lifts: NDArray[np.bool_]) -> Figures:
    """How much more of the question than a raw turn itself the best turn next to it tells.

    "Luna, she is three" says nothing of cats; the turn before it does. Only what `lifts` counts.
    0 for what no better turn is beside, and for other memories.
    """
    beside = np.zeros(len(own), np.float32)
    said = _in_order(own)
    if len(said) < 2:
        return beside
    places = np.array([place for *_, place in said])
    talks = [talk for talk, *_ in said]
    joined = [one == other for one, other in pairwise(talks)]
    talk = np.append(0, np.cumsum(~np.array(joined, np.bool_)))
    tells = np.maximum(told, 0.0)[places]
    counted = np.where(lifts[places], tells, np.float32(0.0))
    best = np.zeros_like(tells)
    for step in range(1, min(REACH, len(said) - 1) + 1):
        same = talk[step:] == talk[:-step]
        best[step:] = np.maximum(best[step:], same * counted[:-step])
        best[:-step] = np.maximum(best[:-step], same * counted[step:])
    beside[places] = np.maximum(best - tells, 0.0)
    return beside


def _in_order(own: Sequence[Memory]) -> list[tuple[tuple[str, str], int, int]]:
    """Scope and episode, seq and place of each raw turn whose episode is known, in this order."""
    return sorted(
        [
            ((memory.scope, memory.origin.episode), memory.origin.turns[0], place)
            for place, memory in enumerate(own)
            if memory.kind is Kind.EVIDENCE and memory.origin.episode and memory.origin.turns
        ]
    )
