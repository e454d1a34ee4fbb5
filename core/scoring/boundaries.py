"""Topic boundaries in a stretch of turns: a logit for each place between two turns. Pure.

Algorithms, section 10.2. The turns of one topic are alike, in meaning or in words, those of two are
less so, and a question is answered by what follows it. What is known of a place between two turns
is how far what lies before differs from what comes after, beside the other places of the stretch.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..languages.language import Marker
from ..languages.markers import marked
from ..languages.terms import content_terms
from ..model.conversation import Role, Turn
from ..model.memory import Vector

type Floats = NDArray[np.float64]

LEAST = 3
"""Turns of a topic, at least."""

EAGER = 1.0
"""By so much the likeliest place may be less likely than that there is none: two short episodes of
one topic are learnt as well as one, two topics in one are read worse."""

SIDE, BLOCK, LINKED = 4, 2, 3
"""Turns on one side of a place, of the smallest blocks, and on each side of a link."""

CONCENTRATION = 0.2
"""Of the prior over the terms of a topic."""

LONGEST, CLOSING = 2_000, 60
"""Characters of a turn that are looked at, and those at its end."""


class BoundaryColumn(StrEnum):
    """A feature of a place between two turns, in deviations from the mean of its stretch.

    By meaning (`M_`) and by terms (`T_`): `CENTROID`, distance of the turn from the four before,
    `AHEAD` of the turn before from the four after; `PAIR`, of the turns beside the place, `BLOCKS`,
    of two turns from two; `APART`, how much more alike pairs on one side are than pairs across;
    `LINK`, how unlike the most alike pair across is. `T_TOPICS`: the gain in likelihood of two
    distributions of terms over one. `BEFORE`: ln of the characters of the turn before, `ASKED`: 1
    if that asks something, else 0.
    """

    M_CENTROID = "m_centroid"
    M_AHEAD = "m_ahead"
    M_PAIR = "m_pair"
    M_BLOCKS = "m_blocks"
    M_APART = "m_apart"
    M_LINK = "m_link"
    T_CENTROID = "t_centroid"
    T_AHEAD = "t_ahead"
    T_PAIR = "t_pair"
    T_BLOCKS = "t_blocks"
    T_APART = "t_apart"
    T_LINK = "t_link"
    T_TOPICS = "t_topics"
    BEFORE = "before"
    ASKED = "asked"


type Signals = Mapping[BoundaryColumn, Floats]
"""A number for each place; the first place is before the second turn."""


@dataclass(frozen=True, slots=True)
class BoundaryModel:
    """The weight of each column, and the logit of there being no boundary."""

    weights: Mapping[BoundaryColumn, float]
    none: float

    def logits(self, known: Signals) -> Floats:
        """For each place the logit of the boundary lying there."""
        size = next(iter(known.values()))
        return sum((known[place] * w for place, w in self.weights.items()), np.zeros_like(size))


@dataclass(frozen=True, slots=True)
class BoundaryModels:
    """The model for turns with vectors, and the one for words alone."""

    meaning: BoundaryModel
    words: BoundaryModel


def best_place(
    turns: Sequence[Turn], vectors: Sequence[Vector] | None, models: BoundaryModels
) -> int | None:
    """The number of turns before the likeliest boundary, `LEAST` at least on either side.

    A person's turn begins a topic: no answer is parted from what it answers. None if there is none
    that is likely.
    """
    last = len(turns) - LEAST
    places = [n for n in range(LEAST, last + 1) if turns[n].role is not Role.ASSISTANT]
    if not places:
        return None
    model = models.words if vectors is None else models.meaning
    logits = model.logits(signals(turns, vectors))
    best = max(places, key=lambda place: logits[place - 1])
    return best if logits[best - 1] > model.none - EAGER else None


def signals(turns: Sequence[Turn], vectors: Sequence[Vector] | None) -> Signals:
    """All that is known of the places of a stretch of at least two turns."""
    texts = [turn.text[:LONGEST] for turn in turns]
    terms = [content_terms(text) for text in texts]
    known = dict(_channel("t", _weighed(terms)))
    known[BoundaryColumn.T_TOPICS] = _standard(_told_apart(terms))
    if vectors is not None:
        rows = np.stack(vectors).astype(np.float64)
        known |= dict(_channel("m", rows - rows.mean(axis=0)))
    before = [math.log(1 + len(text)) for text in texts[:-1]]
    asked = [float(_asks(text[-CLOSING:])) for text in texts[:-1]]
    known |= {BoundaryColumn.BEFORE: _standard(before), BoundaryColumn.ASKED: np.array(asked)}
    return known


def _weighed(terms: Sequence[frozenset[str]]) -> Floats:
    """A row of unit length for each turn: its terms that others have too, the rarer the heavier."""
    held = Counter(term for each in terms for term in each)
    columns = {term: n for n, term in enumerate(sorted(t for t in held if held[t] > 1))}
    rows = np.zeros((len(terms), max(1, len(columns))))
    for row, each in zip(rows, terms, strict=True):
        for term in each & columns.keys():
            row[columns[term]] = math.log(len(terms) / held[term]) + 0.1
    return _unit(rows)


def _channel(name: str, rows: Floats) -> Iterator[tuple[BoundaryColumn, Floats]]:
    sums = np.vstack([np.zeros(rows.shape[1]), rows.cumsum(axis=0)])

    def mean(begin: int, end: int) -> Floats:
        return (sums[end] - sums[begin]) / (end - begin)

    alike = _unit(rows) @ _unit(rows).T
    n = len(rows)

    def far(before: int, at: int, after: int) -> float:
        one, other = mean(max(0, at - before), at), mean(at, min(n, at + after))
        return -float(_unit(one) @ _unit(other))

    ways: dict[str, Callable[[int], float]] = {
        "centroid": lambda at: far(SIDE, at, 1),
        "ahead": lambda at: far(1, at, SIDE),
        "pair": lambda at: far(1, at, 1),
        "blocks": lambda at: far(BLOCK, at, BLOCK),
        "apart": lambda at: _apart(alike, at),
        "link": lambda at: -float(alike[max(0, at - LINKED) : at, at : at + LINKED].max()),
    }
    for way, told in ways.items():
        yield BoundaryColumn(f"{name}_{way}"), _standard([told(at) for at in range(1, n)])


def _apart(alike: Floats, at: int) -> float:
    before, after, across = alike[:at, :at], alike[at:, at:], alike[:at, at:]
    twice = sum(len(side) * (len(side) - 1) for side in (before, after))
    within = sum(float(side.sum() - side.trace()) for side in (before, after))
    return (within / twice if twice else 0.0) - float(across.mean())


def _told_apart(terms: Sequence[frozenset[str]]) -> list[float]:
    """For each place the log likelihood of the terms before and of those after, but a constant.

    Each side is drawn from a distribution of its own under a Dirichlet prior: Eisenstein &
    Barzilay, "Bayesian Unsupervised Topic Segmentation" (2008).
    """
    after = Counter(term for each in terms for term in each)
    before: Counter[str] = Counter()
    sizes, prior = [0, after.total()], CONCENTRATION * len(after)
    likely = sum(_likelihood(count) for count in after.values())
    found: list[float] = []
    for each in terms[:-1]:
        for term in each:
            likely -= _likelihood(before[term]) + _likelihood(after[term])
            before[term] += 1
            after[term] -= 1
            likely += _likelihood(before[term]) + _likelihood(after[term])
        sizes = [sizes[0] + len(each), sizes[1] - len(each)]
        found.append(likely - sum(math.lgamma(size + prior) for size in sizes if prior))
    return found


def _likelihood(count: int) -> float:
    return math.lgamma(count + CONCENTRATION) - math.lgamma(CONCENTRATION)


def _asks(text: str) -> bool:
    return bool(marked(Marker.ASKING, text))


def _standard(values: Sequence[float]) -> Floats:
    """In deviations from the mean; all 0 where they are the same."""
    told = np.asarray(values, np.float64)
    spread = float(told.std())
    return (told - told.mean()) / spread if spread > 1e-9 else np.zeros_like(told)


def _unit(rows: Floats) -> Floats:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)


VERSION = 2
"""Of the columns; numbers fitted for another one say nothing."""


class Unfit(ValueError):
    """A file of numbers that cannot be used; the message says why."""


def parsed(text: str) -> BoundaryModels:
    """The models of a file. Raises Unfit, naming the first thing that does not fit."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise Unfit(f"version {document['version']!r}, not {VERSION}")
        models = document["models"]
        return BoundaryModels(_model(models["meaning"]), _model(models["words"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unfit(f"{type(error).__name__}: {error}") from None


def _model(raw: Mapping[str, Any]) -> BoundaryModel:
    weights = {BoundaryColumn(name): float(weight) for name, weight in raw["weights"].items()}
    none = float(raw["none"])
    if not all(map(math.isfinite, (none, *weights.values()))):
        raise Unfit("a weight is no number")
    return BoundaryModel(weights, none)
