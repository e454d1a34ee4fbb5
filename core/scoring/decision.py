"""From numbers to a decision: in which order to show candidates, and how many. Pure.

Algorithms, section 7.7: one linear model ranks, one logistic model tells how likely the turn needs
a memory. Below a low mark nothing is shown, from a high one on as many as fit, between them few.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from .columns import PLACES, Column, Figures, Known, Sheet, TurnColumn

IN_DOUBT = 3
"""Lines that are shown where it is most in doubt whether the turn needs any."""

REASONS, EXPLAINED = 3, 40
"""Columns that are told of a candidate, and candidates of which they are."""

_COLUMNS = tuple(PLACES)

type Reason = tuple[Column, float]
"""A column, and what it added to the rank beside the usual candidate of the turn."""


class Eagerness(StrEnum):
    """How readily something is brought up."""

    QUIET = "quiet"
    BALANCED = "balanced"
    EAGER = "eager"


class Fusion(StrEnum):
    """Candidates are ordered by their numbers, or by the legs' ranks alone (fusion by ranks)."""

    WEIGHTED = "weighted"
    RANKS = "ranks"


class Footing(StrEnum):
    """What a turn was searched by: the meanings of the embedder whose vectors of questions were
    fitted, those of any other, hashed words, or words alone.
    """

    LOCAL = "local"
    DENSE = "dense"
    HASHED = "hashed"
    WORDS = "words"


_SHIFTS = {Eagerness.QUIET: 1.0, Eagerness.BALANCED: 0.0, Eagerness.EAGER: -1.0}


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The models of one footing.

    `ranking` weighs a candidate's numbers, `turn` those of the turn, and `base` is the turn's logit
    without any. `low` and `high` are the marks, in logits; an eagerness moves both by `shift`.
    `asking` weighs the vector of the turn in the `space` of one embedder (its fingerprint).
    """

    ranking: Mapping[Column, float]
    turn: Mapping[TurnColumn, float]
    base: float
    low: float
    high: float
    shift: float = 1.0
    asking: tuple[float, ...] = ()
    space: str = ""

    @property
    def weights(self) -> Figures:
        """Those of the ranking, in the order of the columns."""
        return np.array([self.ranking.get(column, 0.0) for column in Column], np.float32)

    def reweighted(self, meaning: float, graph: float) -> "Coefficients":
        """With what likeness and the graph say counted so many times."""
        times = {Column.MEANING: meaning, Column.GRAPH: graph}
        return replace(self, ranking={c: w * times.get(c, 1.0) for c, w in self.ranking.items()})


type Fitted = Mapping[Footing, Coefficients]


def ranks(sheet: Sheet, model: Coefficients) -> Figures:
    """The logit of each row in the ranking."""
    # einsum: a product is shared with threads that wait for each other.
    return np.asarray(np.einsum("ij,j->i", sheet, model.weights), np.float32)


def worth(known: Known, model: Coefficients) -> float:
    """The logit that a turn needs a memory."""
    told = (weight * known.get(column, 0.0) for column, weight in model.turn.items())
    return model.base + math.fsum(told)


def probability(logit: float) -> float:
    """1 / (1 + exp(-logit)), without its overflow."""
    return 0.5 * (1.0 + math.tanh(logit / 2.0))


def room(logit: float, model: Coefficients, eagerness: Eagerness, most: int) -> int:
    """How many lines a turn of this `worth` is shown: none below the low mark, `most` from the high
    one on, between them from `IN_DOUBT` on with the square of the way.
    """
    moved = logit - model.shift * _SHIFTS[eagerness]
    if moved < model.low:
        return 0
    if moved >= model.high:
        return most
    way = (moved - model.low) / (model.high - model.low)
    return min(most, round(IN_DOUBT + max(0, most - IN_DOUBT) * way**2))


def reasons(sheet: Sheet, told: Figures, model: Coefficients) -> dict[int, tuple[Reason, ...]]:
    """By row, of the best as `told`, what spoke most for or against it beside the usual row."""
    usual = sheet.mean(axis=0) if len(sheet) > 1 else 0.0
    first = np.argsort(-told, kind="stable")[:EXPLAINED]
    told = (sheet[first] - usual) * model.weights
    best = np.argsort(-np.abs(told), axis=1, kind="stable")[:, :REASONS]
    most = np.take_along_axis(told, best, axis=1)
    rows = zip(first.tolist(), best.tolist(), most.tolist(), strict=True)
    return {
        row: tuple([(_COLUMNS[at], value) for at, value in zip(*told, strict=True) if value])
        for row, *told in rows
    }
