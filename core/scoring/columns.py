"""The numbers of a recall: a row of them for each candidate, and one row for the turn. Pure.

Algorithms, section 7.7.
"""

import math
from collections.abc import Iterable, Mapping
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
    in nats by `NATS`. `NEAR_BY`: how much more a turn beside it in the same talk tells of what is
    asked. `SIDE`: 1 if it is of somebody the turn names, -1 if of others then. `TIME`: nearness to
    a time that is asked about. `GRAPH`: closeness to what is named, over what memories share.
    """

    MEANING = "meaning"
    WORDS = "words"
    RAREST = "rarest"
    NEAR_BY = "near_by"
    SIDE = "side"
    TIME = "time"
    GRAPH = "graph"


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
