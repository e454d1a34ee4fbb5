"""Fitting what tells which turn is answered, and how near talks that were found are to the true.

Pure.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .fit_recall_solver import Floats, minimised
from .threads_links import COLUMNS, LinkColumn, LinkModel, Stretch
from .threads_talks import Talk

RIDGE = 0.003
STEPS = 300
STEEPEST = 8.0
FAR = -1e9
"""The logit of what is no place."""

FOR = frozenset(
    {
        LinkColumn.NAMED,
        LinkColumn.ADDRESSED,
        LinkColumn.WORDS,
        LinkColumn.TALK_WORDS,
        LinkColumn.GREETS,
        LinkColumn.PAUSE,
    }
)
"""What may not speak against a link, or against beginning something."""


@dataclass(frozen=True, slots=True)
class Known:
    """A talk, and what is known of each turn that the platform leaves open: [place, column].

    With the true links of the turns before; the last place is none, `right` the true one. A first
    turn tells nothing.
    """

    talk: Talk
    stretch: Stretch
    rows: Sequence[Floats]
    right: Sequence[int]


def known(talk: Talk) -> Known:
    """What is known of it."""
    stretch = Stretch(talk.turns)
    found: list[Floats] = []
    right: list[int] = []
    for at in range(1, len(talk.turns)):
        answered = talk.links[at]
        places, rows = stretch.known(at, talk.links)
        if stretch.fixed(at) is None and (answered is None or answered in places):
            found.append(rows)
            right.append(len(places) if answered is None else answered - places.start)
    return Known(talk, stretch, found, right)


def fitted(told: Sequence[Known]) -> LinkModel:
    """The likeliest weights; sets count alike."""
    sizes = Counter(each.talk.family for each in told for _ in each.right)
    right = np.array([place for each in told for place in each.right])
    weight = np.array(
        [1 / sizes[each.talk.family] / len(sizes) for each in told for _ in each.right]
    )
    rows, there = _side_by_side([rows for each in told for rows in each.rows])
    every = np.arange(len(right))

    def loss(point: Floats) -> tuple[float, Floats]:
        logits = np.where(there, rows @ point, FAR)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        lost = -weight @ np.log(np.maximum(odds[every, right], 1e-300))
        odds[every, right] -= 1.0
        odds *= weight[:, None]
        slope = np.einsum("tp,tpc->c", odds, rows)
        return float(lost + RIDGE * point @ point / 2), slope + RIDGE * point

    lower = np.array([0.0 if column in FOR else -STEEPEST for column in COLUMNS])
    point = minimised(loss, lower, np.full(len(COLUMNS), STEEPEST), STEPS)
    weights = {column: round(float(w), 3) for column, w in zip(COLUMNS, point, strict=True)}
    return LinkModel({column: w for column, w in weights.items() if w})


def _side_by_side(rows: Sequence[Floats]) -> tuple[Floats, np.ndarray]:
    longest = max(len(each) for each in rows)
    sheet = np.zeros((len(rows), longest, len(COLUMNS)))
    there = np.zeros((len(rows), longest), np.bool_)
    for place, each in enumerate(rows):
        sheet[place, : len(each)] = each
        there[place, : len(each)] = True
    return sheet, there


def rand_index(found: Sequence[int], true: Sequence[int]) -> float:
    """Adjusted for chance, 1 where both part the turns alike: Hubert & Arabie (1985)."""
    both = _pairs(zip(found, true, strict=True))
    one, other = _pairs(found), _pairs(true)
    expected = one * other / max(1.0, _pairs([0] * len(true)))
    most = (one + other) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def _pairs(names) -> float:
    return sum(n * (n - 1) / 2 for n in Counter(names).values())


def overlap(found: Sequence[int], true: Sequence[int]) -> float:
    """Share of the turns that agree where each talk is taken for one other, at best."""
    shared = Counter(zip(found, true, strict=True))
    names = sorted({*found})
    reach = [{other for one, other in shared if one == name} for name in names]
    best = {frozenset[int](): 0}
    for place, name in enumerate(names):
        # Of those that are taken only what a later one could take is told apart.
        later = set[int]().union(*reach[place + 1 :])
        following: dict[frozenset[int], int] = {}
        for taken, agreed in best.items():
            for other in (None, *(reach[place] - taken)):
                with_it = taken if other is None else taken | {other}
                open_ = frozenset(with_it & later)
                more = 0 if other is None else shared[name, other]
                following[open_] = max(following.get(open_, 0), agreed + more)
        best = following
    return max(best.values()) / len(true)


def variation(found: Sequence[int], true: Sequence[int]) -> float:
    """Of information, in bits, 0 where both part the turns alike: Meila (2007)."""
    size = len(true)

    def entropy(names) -> float:
        return -sum(n / size * math.log2(n / size) for n in Counter(names).values())

    return 2 * entropy(zip(found, true, strict=True)) - entropy(found) - entropy(true)


def kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Agreement of two labellers beyond chance: Cohen (1960)."""
    size = len(one)
    agreed = sum(a == b for a, b in zip(one, other, strict=True)) / size
    first, second = Counter(one), Counter(other)
    chance = sum(n * second[name] for name, n in first.items()) / size**2
    return 1.0 if chance == 1.0 else (agreed - chance) / (1 - chance)
