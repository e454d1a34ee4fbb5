"""From columns to a decision: what to show, in which order, or nothing. Pure.

Algorithms, section 7.7.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .coefficients import Coefficients
from .columns import PLACES, Column, Figures, Known, Sheet

DOUBT = 2.0
"""As much as takes no more than .015 from what is served of what is needed, over all data sets."""

FARTHEST = -20.0

USUAL_LINES = 8
"""For so many lines at most the share was fitted; it is what `recall.max_items` is by default."""

REASONS = 3
"""Columns that are told of a candidate."""


class Eagerness(StrEnum):
    """How readily something is brought up."""

    QUIET = "quiet"
    BALANCED = "balanced"
    EAGER = "eager"


_SHIFTS = {Eagerness.QUIET: 1.0, Eagerness.BALANCED: 0.0, Eagerness.EAGER: -1.0}

_COLUMNS = tuple(PLACES)

type Reason = tuple[Column, float]
"""A column, and what it added to the logit."""


@dataclass(frozen=True, slots=True)
class Logits:
    """For each candidate the logit of being needed, and its logit in the ranking."""

    needed: Figures
    ranked: Figures


def scores(sheet: Sheet, model: Coefficients) -> Logits:
    """Both logits of each row."""
    # einsum: a product is shared with threads that wait for each other.
    needed = model.base + np.einsum("ij,j->i", sheet, model.candidate_vector())
    ranked = np.einsum("ij,j->i", sheet, model.ranking_vector())
    return Logits(np.asarray(needed, np.float32), np.asarray(ranked, np.float32))


def worth(needed: Sequence[float], known: Known, model: Coefficients) -> float:
    """The logit that a turn needs any of its candidates, from their logits in any order.

    Not the best alone: of many unrelated ones some is always near, while a turn that is about what
    is remembered is near to several. The last stands for those that are not there.
    """
    if not needed:
        return -math.inf
    best = sorted(needed, reverse=True)
    first, second, fifth = (best[min(place, len(best) - 1)] for place in (0, 1, 4))
    told = sum(weight * known.get(column, 0.0) for column, weight in model.turn.items())
    together = model.best * first + model.second * second + model.fifth * fifth
    return together + told - model.level


def is_worth(logit: float, model: Coefficients, eagerness: Eagerness) -> bool:
    """Whether anything is shown for a turn of this `worth`."""
    return logit >= model.shift * _SHIFTS[eagerness]


def share_within(limit: int, share: float) -> float:
    """The share of the first one's odds that a line needs where `limit` lines have room.

    Whoever gives room for more than usual wants to miss less, and pays with lines in vain.
    """
    return share * min(1.0, USUAL_LINES / limit)


def line_share(share: float, logit: float) -> float:
    """The share of the first one's odds that a line needs in a turn of this `worth`, up to 1.

    share * (1 + DOUBT * odds that the turn needs nothing): where nothing may be needed at all,
    the lines after the first are the likeliest to be junk.
    """
    return min(1.0, share * (1.0 + DOUBT * math.exp(-max(FARTHEST, logit))))


def reasons(sheet: Sheet, usual: Figures, model: Coefficients) -> list[tuple[Reason, ...]]:
    """Of each row the columns that spoke most for it, or against; against the `usual` row."""
    told = (sheet - usual) * model.candidate_vector()
    best = np.argsort(-np.abs(told), axis=1, kind="stable")[:, :REASONS]
    most = np.take_along_axis(told, best, axis=1)
    rows = zip(best.tolist(), most.tolist(), strict=True)
    return [
        tuple([(_COLUMNS[place], value) for place, value in zip(*row, strict=True) if value])
        for row in rows
    ]
