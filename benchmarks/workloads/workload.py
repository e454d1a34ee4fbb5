"""A workload with ground truth: which memories are made, and when each is really needed. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.forgetting.population import FACETS, KINDS, Codes, Flags, Floats, Ints
from .item_profiles import ITEM_PROFILES, PERIOD, ItemProfile, Rhythm

SPREAD = 0.05
"""Standard deviation of captured importance."""

MISTAKEN_FACETS = 0.1
"""Share of memories whose facet is captured as a random one; raw turns have theirs by rule."""

JITTER = 0.15
"""Of a period: standard deviation of when a need arises."""


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """Memories in order of their day, 1..`days`, and needs in order of theirs.

    `born[i]` to `kept[i]` describe memory `i`; `needed` and `needed_on` are the memory and the
    day of each need. `first_of_day[d]` is the first memory of day `d`, `needs_of_day[d]` likewise.
    """

    days: int
    profiles: Sequence[ItemProfile]
    profile: Codes
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

    def of_profile(self, chosen: Callable[[ItemProfile], bool]) -> Flags:
        """Which memories have a profile like that."""
        flags = np.array([chosen(profile) for profile in self.profiles])
        return flags[self.profile]


def make_workload(
    rng: np.random.Generator,
    days: int,
    per_day: float,
    profiles: Sequence[ItemProfile] = ITEM_PROFILES,
) -> Workload:
    """With `per_day` new memories a day on average."""
    born = np.repeat(np.arange(1, days + 1), rng.poisson(per_day, days))
    count = len(born)
    shares = np.array([profile.share for profile in profiles])
    profile = rng.choice(len(profiles), count, p=shares / shares.sum()).astype(np.int8)
    needed, needed_on = _needs(rng, born, profile, profiles, days)
    edges = np.arange(days + 2)
    return Workload(
        days,
        profiles,
        profile,
        born,
        kind=np.array([KINDS.index(n.kind) for n in profiles], dtype=np.int8)[profile],
        facet=_facets(rng, profile, profiles),
        importance=_importance(rng, profile, profiles),
        trust=np.clip(rng.normal(0.7, 0.1, count), 0.0, 1.0),
        kept=rng.random(count) < np.array([n.marked for n in profiles])[profile],
        needed=needed,
        needed_on=needed_on,
        first_of_day=np.searchsorted(born, edges),
        needs_of_day=np.searchsorted(needed_on, edges),
    )


def _importance(
    rng: np.random.Generator, profile: Codes, profiles: Sequence[ItemProfile]
) -> Floats:
    mean = np.array([n.importance for n in profiles])[profile]
    # A raw turn is not weighed at all: its importance is exactly 0.
    return np.clip(mean + (mean > 0) * rng.normal(0.0, SPREAD, len(profile)), 0.0, 1.0)


def _facets(rng: np.random.Generator, profile: Codes, profiles: Sequence[ItemProfile]) -> Codes:
    right = np.array([FACETS.index(n.facet) for n in profiles], dtype=np.int8)[profile]
    weighed = np.array([n.importance > 0 for n in profiles])[profile]
    mistaken = weighed & (rng.random(len(profile)) < MISTAKEN_FACETS)
    return np.where(mistaken, rng.integers(0, len(FACETS), len(profile)), right).astype(np.int8)


def _needs(
    rng: np.random.Generator, born: Ints, profile: Codes, profiles: Sequence[ItemProfile], days: int
) -> tuple[Ints, Ints]:
    """The memory and the day of every need, by day."""
    memories: list[Ints] = [np.zeros(0, dtype=np.int64)]
    moments: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for code, each in enumerate(profiles):
        if each.rhythm is Rhythm.NEVER:
            continue
        own = np.flatnonzero(profile == code)
        memory, day = _of_one(rng, own, born[own], each, days)
        memories.append(memory)
        moments.append(day)
    needed, needed_on = np.concatenate(memories), np.concatenate(moments)
    order = np.argsort(needed_on, kind="stable")
    return needed[order], needed_on[order]


def _of_one(
    rng: np.random.Generator, own: Ints, born: Ints, profile: ItemProfile, days: int
) -> tuple[Ints, Ints]:
    period = PERIOD[profile.rhythm]
    if profile.rhythm is Rhythm.ONE_OFF:
        day = born + 1 + rng.exponential(period, len(own)).astype(np.int64)
        return own[day <= days], day[day <= days]
    left = np.minimum(days - born, profile.lasts)
    times = np.floor(left / period).astype(np.int64)
    starts = np.cumsum(times) - times
    nth = np.arange(times.sum()) - np.repeat(starts, times) + 1
    late = rng.normal(0.0, JITTER * min(period, 30.0), len(nth))
    day = np.repeat(born, times) + np.maximum(1, np.round(nth * period + late)).astype(np.int64)
    return np.repeat(own, times)[day <= days], day[day <= days]
