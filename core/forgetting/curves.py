"""Retention as a curve over idle time: Ebbinghaus, rates by facet, decay score, priority. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..model.declaration import Words, declared
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
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("艾宾浩斯", "遗忘曲线，短期层陡、长期层缓"),
        "en": (
            "Ebbinghaus",
            "A forgetting curve, steep in the short-term layer and flat in the long-term one",
        ),
    }

    decay_rate: float = declared(
        0.05, within=(0.0001, 1.0), zh=("衰减率（每天）", ""), en=("Decay rate (per day)", "")
    )
    beta_short: float = declared(
        1.2, within=(1.0, 2.0), zh=("短期层指数", ""), en=("Exponent of the short-term layer", "")
    )
    beta_long: float = declared(
        0.8, within=(0.1, 1.0), zh=("长期层指数", ""), en=("Exponent of the long-term layer", "")
    )
    promote_at: float = declared(
        0.7,
        within=(0.01, 10.0),
        zh=("升入长期层", "有效强度达到它"),
        en=("Promoted at", "Effective strength from which on it is long-term"),
    )
    demote_at: float = declared(
        0.3,
        within=(0.01, 10.0),
        zh=("降回短期层", "大于升层阈值时按升层阈值算"),
        en=("Demoted at", "Not more than what it is promoted at"),
    )
    bin_below: float = declared(
        0.1, within=(0.0001, 1.0), zh=("遗忘阈值", ""), en=("Let go below", "")
    )
    least_days: float = declared(
        60.0,
        within=(0.0, 3_650.0),
        zh=("至少保留天数", "这么多天没有想起才会忘"),
        en=("Kept at least (days)", "Days without a recall before it can go"),
    )

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
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("按种类", "按种类的每日衰减率"),
        "en": ("By facet", "Rates per day by facet"),
    }

    instruction: float = declared(
        0.01, within=(0.0001, 10.0), zh=("指令", ""), en=("Instructions", "")
    )
    preference: float = declared(
        0.03, within=(0.0001, 10.0), zh=("偏好与事实", ""), en=("Preferences and facts", "")
    )
    workflow: float = declared(
        0.05, within=(0.0001, 10.0), zh=("做法", ""), en=("Ways of working", "")
    )
    episodic: float = declared(0.1, within=(0.0001, 10.0), zh=("经历", ""), en=("Episodes", ""))
    bin_below: float = declared(
        0.05,
        within=(0.0001, 0.99),
        zh=("遗忘阈值", "保持率低于它就忘"),
        en=("Let go below", "Retention"),
    )

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
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("衰减分", "衰减分，越久没用越高"),
        "en": ("Decay score", "A score that grows while a memory is not used"),
    }

    archive_above: float = declared(
        100.0, within=(0.1, 1_000_000.0), zh=("归档分数", ""), en=("Archived above", "")
    )
    bin_above: float = declared(
        500.0,
        within=(0.1, 1_000_000.0),
        zh=("遗忘分数", "小于归档分数时按归档分数算"),
        en=("Let go above", "Not less than the score for archiving"),
    )
    semantic_factor: float = declared(
        0.3,
        within=(0.01, 1.0),
        zh=("事实的系数", "事实的衰减分乘以它"),
        en=("Factor of facts", "What the score of a fact is multiplied by"),
    )

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
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("优先级", "优先级低于阈值就忘"),
        "en": ("Priority", "What has too low a priority is let go"),
    }

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
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("混合", "先把一起淡去的合成摘要，其余按优先级"),
        "en": ("Hybrid", "What fades together is summarised first, the rest goes by priority"),
    }
