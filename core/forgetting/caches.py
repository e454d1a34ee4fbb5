"""Policies that do not look at what a memory says: least recently used, and chance. Pure.

Algorithms, section 6.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from .lifecycle import DAY
from .policy import PolicyName
from .population import Floats, Population
from .retention_value import Curve, age_days

_GOLDEN = 0.618_033_988_749_895


@dataclass(frozen=True, slots=True)
class Lru(Curve):
    """The `capacity` most recently accessed memories of a scope stay; exempt ones do not count.

    `oldest_kept`: the last access of the last one that stays, once it is `fitted` to a scope.
    """

    name: ClassVar[PolicyName] = PolicyName.LRU
    measure: ClassVar[str] = "days_before_last_kept"

    capacity: int = 2_000
    oldest_kept: float = 0.0

    @property
    def floor(self) -> float:
        """What is exactly as old as the last one that stays, stays too."""
        return 0.0

    @property
    def looks_around(self) -> bool:
        """Always: who was accessed least recently is a question of rank."""
        return True

    def worth(self, population: Population, now: Floats) -> Floats:
        """Days between the last access and that of the last one that stays."""
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

    name: ClassVar[PolicyName] = PolicyName.RANDOM_DROP
    measure: ClassVar[str] = "luck_left"

    daily_probability: float = 0.02
    seed: int = 0

    @property
    def floor(self) -> float:
        """Luck that has run out."""
        return 0.0

    def worth(self, population: Population, now: Floats) -> Floats:
        """Probability to be still there at that age, less the memory's quantile."""
        quantile = np.mod(population.luck + self.seed * _GOLDEN, 1.0)
        return (1.0 - self.daily_probability) ** age_days(population, now) - quantile
