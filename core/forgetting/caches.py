"""Policies that do not look at what a memory says: least recently used, and chance. Pure.

Algorithms, section 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from .lifecycle import DAY
from .population import Floats, Population
from .retention_value import Curve, age_days

_GOLDEN = 0.618_033_988_749_895


@dataclass(frozen=True, slots=True)
class Lru(Curve):
    """The `capacity` most recently accessed memories of a scope stay; exempt ones do not count.

    `oldest_kept`: the last access of the last one that stays, once it is `fitted` to a scope.
    """

    name: ClassVar[str] = "lru"
    measure: ClassVar[str] = "days_before_last_kept"
    label: ClassVar[Mapping[str, str]] = {"zh": "最久未用", "en": "Least recently used"}

    capacity: int = 2000
    oldest_kept: float = 0.0

    @property
    def needs_other_memories(self) -> bool:
        """Always: least recently used is a rank among all memories of the scope."""
        return True

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Days between the last access and that of the last one that stays; 0 of that one."""
        return (population.last_access_at - self.oldest_kept) / DAY

    def fitted(self, population: Population) -> Self:
        """For a scope with these memories."""
        if len(population) <= self.capacity:
            return replace(self, oldest_kept=0.0)
        ranked = np.partition(population.last_access_at, -self.capacity)
        return replace(self, oldest_kept=float(ranked[-self.capacity]))


@dataclass(frozen=True, slots=True)
class RandomDrop(Curve):
    """Every day each memory is dropped with the same probability, whatever it is worth.

    Chance is drawn once: the memory's `luck`, turned by the seed, is the quantile of its life
    span. So a sweep that is repeated drops nothing more, and a life span can be foretold.
    """

    name: ClassVar[str] = "random_drop"
    measure: ClassVar[str] = "luck_left"
    label: ClassVar[Mapping[str, str]] = {"zh": "随机", "en": "Random"}

    daily_probability: float = 0.02
    seed: int = 0

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Probability to be still there at that age, less the memory's quantile: luck is left."""
        quantile = np.mod(population.luck + self.seed * _GOLDEN, 1.0)
        return (1.0 - self.daily_probability) ** age_days(population, now) - quantile
