"""A world with ground truth: which memories are made, and when each is really needed. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.forgetting.population import FACETS, KINDS, Codes, Flags, Floats, Ints
from .item_profiles import NATURES, PERIOD, Nature, Rhythm

SPREAD = 0.05
"""Standard deviation of captured importance."""

MISTAKEN_FACETS = 0.1
"""Share of memories whose facet is captured as a random one; raw turns have theirs by rule."""

JITTER = 0.15
"""Of a period: standard deviation of when a need arises."""


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Memories in order of their day, 1..`days`, and needs in order of theirs.

    `born[i]` to `kept[i]` describe memory `i`; `needed` and `needed_on` are the memory and the
    day of each need. `first_of_day[d]` is the first memory of day `d`, `needs_of_day[d]` likewise.
    """

    days: int
    natures: Sequence[Nature]
    nature: Codes
    born: Ints
    kind: Codes
    facet: Codes
    importance: Floats
    trust: Floats
    kept: Flags
    needed: Ints
    needed_on: Ints
    first_of_day: Ints
    needs_of_day: Ints

    def __len__(self) -> int:
        return len(self.born)

    def of_nature(self, chosen: Callable[[Nature], bool]) -> Flags:
        """Which memories have a nature like that."""
        flags = np.array([chosen(nature) for nature in self.natures])
        return flags[self.nature]


def make_world(
    rng: np.random.Generator, days: int, per_day: float, natures: Sequence[Nature] = NATURES
) -> World:
    """With `per_day` new memories a day on average."""
    born = np.repeat(np.arange(1, days + 1), rng.poisson(per_day, days))
    count = len(born)
    shares = np.array([nature.share for nature in natures])
    nature = rng.choice(len(natures), count, p=shares / shares.sum()).astype(np.int8)
    needed, needed_on = _needs(rng, born, nature, natures, days)
    edges = np.arange(days + 2)
    return World(
        days,
        natures,
        nature,
        born,
        kind=np.array([KINDS.index(n.kind) for n in natures], dtype=np.int8)[nature],
        facet=_facets(rng, nature, natures),
        importance=_importance(rng, nature, natures),
        trust=np.clip(rng.normal(0.7, 0.1, count), 0.0, 1.0),
        kept=rng.random(count) < np.array([n.marked for n in natures])[nature],
        needed=needed,
        needed_on=needed_on,
        first_of_day=np.searchsorted(born, edges),
        needs_of_day=np.searchsorted(needed_on, edges),
    )


def _importance(rng: np.random.Generator, nature: Codes, natures: Sequence[Nature]) -> Floats:
    mean = np.array([n.importance for n in natures])[nature]
    # A raw turn is not weighed at all: its importance is exactly 0.
    return np.clip(mean + (mean > 0) * rng.normal(0.0, SPREAD, len(nature)), 0.0, 1.0)


def _facets(rng: np.random.Generator, nature: Codes, natures: Sequence[Nature]) -> Codes:
    right = np.array([FACETS.index(n.facet) for n in natures], dtype=np.int8)[nature]
    weighed = np.array([n.importance > 0 for n in natures])[nature]
    mistaken = weighed & (rng.random(len(nature)) < MISTAKEN_FACETS)
    return np.where(mistaken, rng.integers(0, len(FACETS), len(nature)), right).astype(np.int8)


def _needs(
    rng: np.random.Generator, born: Ints, nature: Codes, natures: Sequence[Nature], days: int
) -> tuple[Ints, Ints]:
    """The memory and the day of every need, by day."""
    memories: list[Ints] = [np.zeros(0, dtype=np.int64)]
    moments: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for code, each in enumerate(natures):
        if each.rhythm is Rhythm.NEVER:
            continue
        own = np.flatnonzero(nature == code)
        memory, day = _of_one(rng, own, born[own], each, days)
        memories.append(memory)
        moments.append(day)
    needed, needed_on = np.concatenate(memories), np.concatenate(moments)
    order = np.argsort(needed_on, kind="stable")
    return needed[order], needed_on[order]


def _of_one(
    rng: np.random.Generator, own: Ints, born: Ints, nature: Nature, days: int
) -> tuple[Ints, Ints]:
    period = PERIOD[nature.rhythm]
    if nature.rhythm is Rhythm.ONE_OFF:
        day = born + 1 + rng.exponential(period, len(own)).astype(np.int64)
        return own[day <= days], day[day <= days]
    left = np.minimum(days - born, nature.lasts)
    times = np.floor(left / period).astype(np.int64)
    starts = np.cumsum(times) - times
    nth = np.arange(times.sum()) - np.repeat(starts, times) + 1
    late = rng.normal(0.0, JITTER * min(period, 30.0), len(nth))
    day = np.repeat(born, times) + np.maximum(1, np.round(nth * period + late)).astype(np.int64)
    return np.repeat(own, times)[day <= days], day[day <= days]
