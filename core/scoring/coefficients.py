"""The fitted numbers, and reading them from the text of their file. Pure."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np

from .asked_attributes import UNREAD as UNASKED
from .asked_attributes import AskedAttributes
from .columns import PLACES, Column, Figures, Known, TurnColumn
from .memory_need import UNREAD, MemoryNeed

VERSION = 2
"""Of the columns and of what is made of them; numbers fitted for another one say nothing."""

OF_WORDS = 0.6
"""Share of their weight in the order that words keep beside an embedder that finds everything.

At it none of five published embedders finds less than it does alone, see docs/embedders.md.
"""

type Weights = Mapping[Column, float]


class Footing(StrEnum):
    """What a turn was searched by: an embedder that knows meanings, hashed words, or words alone.

    `STRONG`: meanings of an embedder that finds everything in the sample it is calibrated on.
    """

    DENSE = "dense"
    STRONG = "strong"
    HASHED = "hashed"
    WORDS = "words"


class Unfit(ValueError):
    """A file of coefficients that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The models of one footing.

    `candidate` and `ranking` weigh the columns; `base` is the candidate's logit without any.
    `best`, `second` and `fifth` weigh the turn's best logits, `turn` what is known of the turn, and
    `level` is what the sum must reach. `shift` is how far an eagerness moves the level.
    Shown is what has at least `share` of the best candidate's odds in the ranking. `need` tells
    whether a turn asks for what is remembered, and `asked` for which attribute of a life, the same
    on every footing.
    """

    candidate: Weights
    base: float
    turn: Known
    ranking: Weights
    best: float
    second: float
    fifth: float
    level: float
    share: float
    shift: float = 0.6
    need: MemoryNeed = UNREAD
    asked: AskedAttributes = UNASKED

    def candidate_vector(self) -> Figures:
        """The candidate's weights in the order of the columns."""
        return _vector(self.candidate)

    def ranking_vector(self) -> Figures:
        """The ranking's weights in the order of the columns."""
        return _vector(self.ranking)


type Fitted = Mapping[Footing, Coefficients]


def fitted(dense: Coefficients, hashed: Coefficients, words: Coefficients) -> Fitted:
    """The models of every footing; a strong embedder's is `dense` with less weight on words."""
    less = {
        column: weight * (OF_WORDS if column in (Column.WORDS, Column.RAREST) else 1.0)
        for column, weight in dense.ranking.items()
    }
    return MappingProxyType(
        {
            Footing.DENSE: dense,
            Footing.STRONG: replace(dense, ranking=less),
            Footing.HASHED: hashed,
            Footing.WORDS: words,
        }
    )


def parsed(text: str) -> Fitted:
    """The coefficients of a file. Raises Unfit, naming the first thing that does not fit."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unfit(f"no JSON: {error}") from None
    if not isinstance(document, dict):
        raise Unfit("no JSON object")
    if document.get("version") != VERSION:
        raise Unfit(f"version {document.get('version')!r}, not {VERSION}")
    models = document.get("models")
    if not isinstance(models, dict):
        raise Unfit("no models")
    dense, hashed, words = (
        _coefficients(models, each) for each in (Footing.DENSE, Footing.HASHED, Footing.WORDS)
    )
    return fitted(dense, hashed, words)


def _coefficients(models: Mapping[str, Any], footing: Footing) -> Coefficients:
    raw = models.get(footing.value)
    if not isinstance(raw, dict):
        raise Unfit(f"no model for {footing.value}")
    numbers = {
        name: _number(raw, name, footing)
        for name in ("base", "best", "second", "fifth", "level", "share", "shift")
    }
    if not 0.0 < numbers["share"] <= 1.0:
        raise Unfit(f"{footing.value}.share must be within 0..1, not {numbers['share']}")
    return Coefficients(
        _weights(raw, "candidate", Column, footing),
        turn=_weights(raw, "turn", TurnColumn, footing),
        ranking=_weights(raw, "ranking", Column, footing),
        need=UNREAD,
        asked=UNASKED,
        **numbers,
    )


def _weights[C: (Column, TurnColumn)](
    raw: Mapping[str, Any], name: str, of: type[C], footing: Footing
) -> Mapping[C, float]:
    given = raw.get(name)
    if not isinstance(given, dict) or not given:
        raise Unfit(f"{footing.value}.{name} is missing")
    if unknown := set(given) - {column.value for column in of}:
        raise Unfit(f"{footing.value}.{name} has no column {min(unknown)!r}")
    return {of(column): _number(given, column, footing) for column in given}


def _number(raw: Mapping[str, Any], name: str, footing: Footing) -> float:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unfit(f"{footing.value}.{name} must be a number, not {value!r}")
    return float(value)


def _vector(weights: Weights) -> Figures:
    vector = np.zeros(len(PLACES), np.float32)
    for column, weight in weights.items():
        vector[PLACES[column]] = weight
    return vector
