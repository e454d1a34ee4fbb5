"""ACT-R activation: how readily a memory comes to mind. Pure. Algorithms, section 2.

The short form, -d ln(age + 1) + ln(recalls + 1), and the base-level form of the literature,
ln of the sum of t^-d over all accesses, which is approximated from the first access, the last
one and their number: Petrov (2006) with one recent access kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from .policy import Action
from .population import Floats, Ints, Population
from .retention_value import Curve, age_days, idle_days

YOUNGEST = 1 / 1_440
"""Days, a minute: below it a power law would say more of the clock than of the memory."""

SPREADING = 2.0
"""Activation that a question adds to a memory which says the same. Source: the design, 7.1."""

_SAME_TIME = 1e-6
"""Relative difference of two ages below which the mean between them is not worth an integral."""


def approximate_base_level(oldest: Floats, newest: Floats, count: Ints, d: float) -> Floats:
    """ln of the sum of age^-d of `count` accesses, where only the first and the last are known.

    The last one counts as it is, the others as if spread evenly between the two; ages in days.
    """
    newest = np.maximum(newest, YOUNGEST)
    span = np.maximum(oldest, newest) - newest
    recent = newest**-d
    apart = span > _SAME_TIME * newest
    ends = (newest + span) ** (1 - d) - newest ** (1 - d)
    mean = np.where(apart, ends / ((1 - d) * np.where(apart, span, 1.0)), recent)
    return np.log(recent + (count - 1) * mean)


@dataclass(frozen=True, slots=True)
class Actr(Curve):
    """Let go under an activation of `bin_below`.

    `noise` is the standard deviation of a constant that chance gives to each memory, so that
    rare ones are not all lost at the same age.
    """

    name: ClassVar[str] = "actr"
    measure: ClassVar[str] = "activation"
    label: ClassVar[Mapping[str, str]] = {"zh": "ACT-R", "en": "ACT-R"}

    exponent: float = 0.5
    noise: float = 0.25
    bin_below: float = -2.0

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Activation, about -5..5."""
        return self.level(population, now) + self._noise(population)

    def at_question(self, population: Population, now: Floats, cosines: Floats) -> Floats:
        """Activation while something is asked, at the cosine of each memory with the question."""
        return self.retention_value(population, now) + SPREADING * cosines

    def level(self, population: Population, now: Floats) -> Floats:
        """The activation without noise."""
        age = age_days(population, now)
        return -self.exponent * np.log1p(age) + np.log1p(population.recalls)

    def _noise(self, population: Population) -> Floats:
        if self.noise == 0.0:
            return np.zeros(len(population))
        shares = np.clip(population.luck, 1e-12, 1 - 1e-12)
        return np.array([*map(NormalDist(0.0, self.noise).inv_cdf, shares)], np.float64)


@dataclass(frozen=True, slots=True)
class BaseLevel(Actr):
    """The same by the base level of the literature."""

    name: ClassVar[str] = "actr_base_level"
    label: ClassVar[Mapping[str, str]] = {"zh": "ACT-R 基础激活", "en": "ACT-R base level"}

    def level(self, population: Population, now: Floats) -> Floats:
        """The approximated base level."""
        oldest, newest = age_days(population, now), idle_days(population, now)
        return approximate_base_level(oldest, newest, population.recalls + 1, self.exponent)


@dataclass(frozen=True, slots=True)
class ReflectionSummary(Curve):
    """Memories of the least ACT-R activation are summarised topic by topic and binned.

    A topic with too few such memories is left alone. Algorithms, section 6.
    """

    name: ClassVar[str] = "reflection_summary"
    measure: ClassVar[str] = "activation"
    end: ClassVar[Action] = Action.FOLD
    label: ClassVar[Mapping[str, str]] = {"zh": "摘要", "en": "Summaries"}

    bin_below: float = -2.0

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Activation, about -5..5."""
        return Actr(noise=0.0).retention_value(population, now)
