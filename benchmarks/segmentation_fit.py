"""Fitting what tells where a topic ends: one place of a stretch is chosen, or none. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.scoring.boundaries import LEAST, BoundaryColumn, BoundaryModel, Signals
from .convex import Floats, minimised
from .segmentation_stretches import Stretch

BY_MEANING = frozenset(place for place in BoundaryColumn if place.value.startswith("m_"))
AGAINST = frozenset({BoundaryColumn.ASKED})
EITHER = frozenset({BoundaryColumn.BEFORE})
"""What speaks against a boundary, and what may do both."""

RIDGE = 0.02
STEPS = 200
FAR = -1e9
"""The logit of what is no place of a stretch."""


@dataclass(frozen=True, slots=True)
class Known:
    """A stretch and what is known of its places."""

    stretch: Stretch
    signals: Signals


@dataclass(frozen=True, slots=True)
class Sheet:
    """Stretches side by side: [stretch, place, column], which places there are, and the right one.

    Of a stretch without a boundary the right one is the last, which is none.
    """

    rows: Floats
    places: NDArray[np.bool_]
    right: NDArray[np.int64]


def columns(*, meaning: bool) -> list[BoundaryColumn]:
    """What is fitted."""
    return [one for one in BoundaryColumn if meaning or one not in BY_MEANING]


def sheet(known: Sequence[Known], using: Sequence[BoundaryColumn]) -> Sheet:
    """Places within `LEAST` turns of an end are none, as in use."""
    longest = max(len(each.stretch.turns) for each in known)
    rows = np.zeros((len(known), longest, len(using)))
    places = np.zeros((len(known), longest), np.bool_)
    right = np.full(len(known), longest - 1)
    for n, each in enumerate(known):
        size = len(each.stretch.turns) - 1
        rows[n, :size] = np.stack([each.signals[column] for column in using], axis=1)
        places[n, LEAST - 1 : size - LEAST + 1] = True
        if each.stretch.boundary is not None:
            right[n] = each.stretch.boundary - 1
    places[:, -1] = True
    return Sheet(rows, places, right)


def fitted(known: Sequence[Known], *, meaning: bool) -> BoundaryModel:
    """The likeliest weights, none against its sense. Sets, and their conversations, count alike."""
    using = columns(meaning=meaning)
    told = sheet(known, using)
    weight, every = _weights(known), np.arange(len(known))
    ridge = RIDGE * np.append(np.ones(len(using)), 0.0)

    def loss(point: Floats) -> tuple[float, Floats]:
        odds = _chances(told, point)
        lost = -weight @ np.log(np.maximum(odds[every, told.right], 1e-300))
        odds[every, told.right] -= 1.0
        odds *= weight[:, None]
        slope = np.append(np.einsum("sp,spc->c", odds, told.rows), odds[:, -1].sum())
        return float(lost + ridge @ point**2 / 2), slope + ridge * point

    lower = [0.0 if one not in AGAINST | EITHER else -10.0 for one in using]
    upper = [0.0 if one in AGAINST else 10.0 for one in using]
    point = minimised(loss, np.array([*lower, -10.0]), np.array([*upper, 20.0]), STEPS)
    weights = {one: round(float(w), 3) for one, w in zip(using, point, strict=False)}
    return BoundaryModel({one: w for one, w in weights.items() if w}, round(float(point[-1]), 3))


def _chances(told: Sheet, point: Floats) -> Floats:
    logits = np.where(told.places, told.rows @ point[:-1], FAR)
    logits[:, -1] = point[-1]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def _weights(known: Sequence[Known]) -> Floats:
    of = [(each.stretch.family, each.stretch.conversation) for each in known]
    sizes = Counter(of)
    conversations = Counter(family for family, _ in sizes)
    return np.array([1 / sizes[key] / conversations[key[0]] / len(conversations) for key in of])


def named(known: Known, model: BoundaryModel) -> int | None:
    """The place the model names, in turns before it."""
    last = len(known.stretch.turns) - LEAST
    logits = model.logits(known.signals)[LEAST - 1 : last]
    if not logits.size:
        return None
    return LEAST + int(logits.argmax())
