"""Profiles: how kinds of memories are made and how often they come up. Pure.

The six of the published experiment are the default. Algorithms, section 1.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..forgetting.population import Floats

LEAST_WEIGHT = 0.0001
YEARLY_WEIGHT = 0.05
YEAR = 365
"""Days between the sure recalls of a yearly profile."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of memory: its initial strength, its share of recalls, its share of new memories.

    The share of recalls is `p_start` up to day `hot_days`, else it goes linearly from `p_start`
    over `p_mid` at half time to `p_end`. With `yearly` it is constant, and every memory is judged
    useful once a year after its creation. Shares are relative: they need not add up to 1.
    """

    name: str
    strength: int
    p_start: float = 0.0
    p_mid: float = 0.0
    p_end: float = 0.0
    hot_days: int = 0
    new_prob: float = 1.0
    yearly: bool = False

    @property
    def importance(self) -> float:
        """0..1: what gives a memory this initial strength."""
        return min(max((self.strength - 4) / 4, 0.0), 1.0)

    def weight(self, day: int, days: int) -> float:
        """Share of the recalls of day 1..`days`, at least 0.0001."""
        if self.yearly:
            return YEARLY_WEIGHT
        if day <= self.hot_days:
            return max(self.p_start, LEAST_WEIGHT)
        half = days // 2
        if day < half:
            weight = self.p_start + (self.p_mid - self.p_start) * day / half
        else:
            weight = self.p_mid + (self.p_end - self.p_mid) * (day - half) / (days - half)
        return max(weight, LEAST_WEIGHT)


PROFILES: tuple[Profile, ...] = (
    Profile("crammed then dropped", 8, 0.80, 0.05, 0.0, hot_days=60, new_prob=0.30),
    Profile("seen every day", 6, 0.35, 0.35, 0.35, new_prob=0.80),
    Profile("hot lately, then gone", 7, 0.45, 0.10, 0.0, hot_days=180, new_prob=0.45),
    Profile("reviewed once a year", 6, new_prob=0.15, yearly=True),
    Profile("occasional", 5, 0.03, 0.02, 0.01, new_prob=0.70),
    Profile("one-off noise", 4, 0.005, 0.002, 0.0, new_prob=0.95),
)


def recall_shares(profiles: Sequence[Profile], days: int) -> Floats:
    """Probability of each profile (column) to get a recall slot on each day (row, from day 1)."""
    weights = [[profile.weight(day, days) for profile in profiles] for day in range(1, days + 1)]
    table = np.array(weights)
    return table / table.sum(axis=1, keepdims=True)


def creation_shares(profiles: Sequence[Profile]) -> Floats:
    """Probability of each profile to get a new memory."""
    shares = np.array([profile.new_prob for profile in profiles])
    return shares / shares.sum()
