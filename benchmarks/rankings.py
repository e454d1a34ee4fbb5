"""How well what is found and how sure a system is fit what is needed. Pure."""

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.recall.trace import Drop

type Labels = frozenset[str]
type Scores = NDArray[np.floating[Any]]

RANKED = frozenset({None, Drop.IRRELEVANT, Drop.LIMIT, Drop.BUDGET})
"""A candidate's fate that leaves it in the ranking; the others are no answers of their own."""


def above(positive: Sequence[float] | Scores, negative: Sequence[float] | Scores) -> float:
    """How often a random positive scores above a random negative; ties count half.

    There is one of either at least.
    """
    ordered = np.sort(negative)
    below, up_to = (np.searchsorted(ordered, positive, side) for side in ("left", "right"))
    return float((below + up_to).sum() / (2 * len(positive) * len(negative)))


def mean(values: Iterable[float]) -> float | None:
    """Rounded to 4 digits; None of nothing."""
    every = list(values)
    return round(fmean(every), 4) if every else None
