"""The numbers of a recall, and what follows of them: the order to show, and how many. Pure."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..text import bm25

type Sheet = NDArray[np.float32]
"""A row for each candidate, the columns in the order of `Column`."""

type Figures = NDArray[np.float32]
"""A number for each candidate."""


class Column(StrEnum):
    """A number of a candidate.

    `MEANING`: relevance by meaning, in the light of the turns before. `WORDS`: BM25 as a share of
    the best of the turn; `RAREST`: how telling the rarest word that matches is, or the rarest name,
    in nats by `NATS`. `SIDE`: 1 if it is of somebody the turn names, -1 if of others then. `TIME`:
    nearness to a time that is asked about. `GRAPH`: closeness to what is named, over what memories
    share. `LASTS`: what its vector says of whether it tells something that is worth knowing weeks
    later, as a logit by `SURE`, -1..1, and nothing of the question.
    """

    MEANING = "meaning"
    WORDS = "words"
    RAREST = "rarest"
    SIDE = "side"
    TIME = "time"
    GRAPH = "graph"
    LASTS = "lasts"


class TurnColumn(StrEnum):
    """A number of a turn, over the candidates that could be shown.

    `NATS`: the best BM25, by `NATS`. `TOP`: the logit of the best in the ranking, in which all
    their numbers meet. `ASKS`: what the vector of the turn itself says, as a logit, whatever is
    remembered.
    """

    NATS = "nats"
    TOP = "top"
    ASKS = "asks"


type Known = Mapping[TurnColumn, float]
"""The numbers of a turn; one that is not given is 0."""

PLACES: Mapping[Column, int] = {column: place for place, column in enumerate(Column)}

ASKED = tuple(place for column, place in PLACES.items() if column is not Column.LASTS)
"""Places of the columns that tell of the question."""

SURE = 4.0
NATS = 8.0
"""What a word of one memory in 3 000 tells."""


def sheet(columns: Mapping[Column, Iterable[float]], rows: int) -> Sheet:
    """Of so many rows; a column that is not given is 0."""
    filled = np.zeros((rows, len(PLACES)), np.float32)
    for column, values in columns.items():
        filled[:, PLACES[column]] = np.fromiter(values, np.float32, rows)
    return filled


def telling(rarity: float, memories: int) -> float:
    """A `bm25.rarity` as nats by `NATS`: of few memories many match by chance.

    In fewer than `bm25.FEW` a word of one memory tells what it does in so many.
    """
    few = bm25.rarity(bm25.FEW, 1) / bm25.rarity(memories, 1) if 0 < memories < bm25.FEW else 1.0
    return min(1.0, few * rarity) * math.log(max(bm25.FEW, memories)) / NATS


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
    """Candidates are ordered by their numbers, by the legs' ranks alone, or by ACT-R activation."""

    WEIGHTED = "weighted"
    RANKS = "ranks"
    ACTIVATION = "activation"


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
    In the `space` of one embedder (its fingerprint) `scales` weigh single vectors, in the order of
    `core.similarity.calibration.Scales`, each with the logit of none at its end.
    """

    ranking: Mapping[Column, float]
    turn: Mapping[TurnColumn, float]
    base: float
    low: float
    high: float
    shift: float = 1.0
    scales: tuple[tuple[float, ...], ...] = ()
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
