"""The features of the candidates of one turn: a row for each, a column for each feature. Pure.

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
    """A feature of a candidate.

    `MEANING`: relevance by meaning, in the light of the turns before; `ALONE`: without these.
    `CONTRAST`: how much more relevant than the others of its kind in this turn. `WORDS`: relevance
    by words; `RAREST`: what the rarest word that matches tells, or the rarest name, in nats by
    `NATS`. `SIDE`: 1 if it is of somebody the turn names, -1 if of others then. `TIME`: nearness
    to a time that is asked about. `GRAPH`: closeness to what is named, over what memories share.
    Of raw turns alone: `LENGTH` (ln of characters by the usual), `ASKS`, `RAW`, and `NEAR_BY`: how
    much more a turn beside it in the same talk tells of what is asked than it does.
    """

    MEANING = "meaning"
    ALONE = "alone"
    CONTRAST = "contrast"
    WORDS = "words"
    RAREST = "rarest"
    SIDE = "side"
    TIME = "time"
    GRAPH = "graph"
    LENGTH = "length"
    ASKS = "asks"
    RAW = "raw"
    NEAR_BY = "near_by"


class TurnColumn(StrEnum):
    """A feature of a turn, the same for all its candidates.

    `SIZE`: sqrt(2 ln n), what the best of n background scores is expected to reach. What it does, 1
    or 0: `OF_BOT` is about the bot alone, `OF_BOTH` asks the bot of both, `TELLS` asks nothing;
    `OF_NOBODY` asks and names neither the speaker nor the bot nor anybody known; `OWN` asks about
    the speaker's own life in a form that the rules know. `RECALLS`: how likely it is, 0..1, to ask
    for what only a memory can tell, see `memory_need`. `SEEN`: how likely it is, 0..1.5, to ask for
    what the conversation that the model sees tells anyway.
    """

    SIZE = "size"
    OF_BOT = "of_bot"
    OF_BOTH = "of_both"
    TELLS = "tells"
    OF_NOBODY = "of_nobody"
    OWN = "own"
    RECALLS = "recalls"
    SEEN = "seen"


type Known = Mapping[TurnColumn, float]
"""What is known of a turn; what is not given is 0."""

PLACES: Mapping[Column, int] = {column: place for place, column in enumerate(Column)}

NATS = 8.0
"""What a word of one memory in 3 000 tells."""

SMALLEST = 3
"""Memories that a scope counts as at least: 8 are the fewest that were fitted on."""

FEW = 30
"""Memories below which a word of one memory tells what it does in so many."""


def sheet(columns: Mapping[Column, Iterable[float]], rows: int) -> Sheet:
    """Of so many rows; a column that is not given is 0."""
    filled = np.zeros((rows, len(PLACES)), np.float32)
    for column, values in columns.items():
        filled[:, PLACES[column]] = np.fromiter(values, np.float32, rows)
    return filled


def expected_best(memories: int) -> float:
    """The expected maximum of the scores of so many unrelated memories, in standard deviations."""
    return math.sqrt(2.0 * math.log(max(SMALLEST, memories)))


def telling(rarity: float, memories: int) -> float:
    """A `bm25.rarity` as nats by `NATS`: of few memories many match by chance.

    In fewer than `FEW` a word of one memory tells what it does in so many.
    """
    few = bm25.rarity(FEW, 1) / bm25.rarity(memories, 1) if 0 < memories < FEW else 1.0
    return min(1.0, few * rarity) * math.log(max(FEW, memories)) / NATS
