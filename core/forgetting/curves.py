"""Retention as a curve over idle time: Ebbinghaus, rates by facet, decay score, priority. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..model.memory import Facet, Kind
from .policy import Action
from .population import KINDS, Flags, Floats, Ints, Population, by_facet
from .retention_value import Curve, idle_days

LEAST_IMPORTANCE = 0.05
"""What counts as importance at least, so that nothing is divided by zero or lost at birth."""


def effective_strength(peak: Floats, rate: float, days: Floats, beta: float) -> Floats:
    """`peak` * exp(-`rate` * `days`^`beta`). Algorithms, section 4."""
    return peak * np.exp(-rate * days**beta)


def reinforced(recalls: Ints) -> Floats:
    """1 + ln(1 + recalls): what each further recall adds to, ever less."""
    return 1.0 + np.log1p(recalls)


@dataclass(frozen=True, slots=True)
class Ebbinghaus(Curve):
    """A forgetting curve in two layers: steep in the short-term one, flat in the long-term one.

    The layer is computed, not stored. A memory is long-term if at its last access it was worth
    `promote_at`, and stays so until it is worth `demote_at`. On the first day both curves are
    close to 1 and nothing is demoted. Let go after `least_days` without access at the earliest.
    """

    name: ClassVar[str] = "ebbinghaus"
    measure: ClassVar[str] = "effective_strength"
    label: ClassVar[Mapping[str, str]] = {"zh": "艾宾浩斯", "en": "Ebbinghaus"}

    decay_rate: float = 0.05
    beta_short: float = 1.2
    beta_long: float = 0.8
    promote_at: float = 0.7
    demote_at: float = 0.3
    bin_below: float = 0.1
    least_days: float = 60.0

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Effective strength; never under the floor in the first `least_days`."""
        days = idle_days(population, now)
        strength = self.strength(population, days)
        return np.where(days > self.least_days, strength, np.maximum(strength, self.bin_below))

    def strength(self, population: Population, days: Floats) -> Floats:
        """Effective strength after `days` without access."""
        peak = population.importance * population.trust * reinforced(population.recalls)
        short = effective_strength(peak, self.decay_rate, days, self.beta_short)
        long = effective_strength(peak, self.decay_rate, days, self.beta_long)
        return np.where(self.long_term(peak, long, days), long, short)

    def long_term(self, peak: Floats, strength: Floats, days: Floats) -> Flags:
        """Whether a memory of that peak, now so strong in the long-term layer, is still there.

        Nothing is demoted at more than it is promoted at.
        """
        demote_at = min(self.demote_at, self.promote_at)
        return (peak >= self.promote_at) & ((strength > demote_at) | (days < 1.0))


@dataclass(frozen=True, slots=True)
class Differential(Curve):
    """Retention exp(-rate * idle days), the rate by facet. Algorithms, section 3."""

    name: ClassVar[str] = "differential"
    measure: ClassVar[str] = "retention"
    label: ClassVar[Mapping[str, str]] = {"zh": "按种类", "en": "By facet"}

    instruction: float = 0.01
    preference: float = 0.03
    workflow: float = 0.05
    episodic: float = 0.1
    bin_below: float = 0.05

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Retention, 0..1."""
        return np.exp(-by_facet(population, self.rate) * idle_days(population, now))

    def rate(self, facet: Facet) -> float:
        """Per day."""
        return getattr(self, facet.value)


@dataclass(frozen=True, slots=True)
class DecayScore(Curve):
    """Idle days over ln(accesses + 1) * importance: archived at one score, binned at another.

    Creation is the first access. The retention value is the negative of the score. Algorithms,
    section 5.
    """

    name: ClassVar[str] = "decay_score"
    measure: ClassVar[str] = "negative_decay_score"
    label: ClassVar[Mapping[str, str]] = {"zh": "衰减分", "en": "Decay score"}

    archive_above: float = 100.0
    bin_above: float = 500.0
    semantic_factor: float = 0.3

    @property
    def floor(self) -> float:
        """The negative of the score above which it is binned, never before it is archived."""
        return -max(self.archive_above, self.bin_above)

    @property
    def archive_floor(self) -> float:
        """The negative of the score above which it is archived."""
        return -self.archive_above

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """The negative of the decay score."""
        return -self.score(population, idle_days(population, now))

    def score(self, population: Population, days: Floats) -> Floats:
        """Decay score after `days` without access, 0 and more."""
        importance = np.maximum(population.importance, LEAST_IMPORTANCE)
        ages = np.where(population.kind == KINDS.index(Kind.SEMANTIC), self.semantic_factor, 1.0)
        return ages * days / (np.log(population.recalls + 2.0) * importance)


@dataclass(frozen=True, slots=True)
class Priority(Differential):
    """Importance * retention by facet * (1 + ln(1 + recalls)). Algorithms, section 6."""

    name: ClassVar[str] = "priority"
    measure: ClassVar[str] = "priority"
    label: ClassVar[Mapping[str, str]] = {"zh": "优先级", "en": "Priority"}

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Priority, 0 and more."""
        importance = np.maximum(population.importance, LEAST_IMPORTANCE)
        retention = Differential.retention_value(self, population, now)
        return importance * retention * reinforced(population.recalls)


@dataclass(frozen=True, slots=True)
class Hybrid(Priority):
    """Priority decay, except that what fades together is summarised first."""

    name: ClassVar[str] = "hybrid"
    end: ClassVar[Action] = Action.FOLD_OR_BIN
    label: ClassVar[Mapping[str, str]] = {"zh": "混合", "en": "Hybrid"}
