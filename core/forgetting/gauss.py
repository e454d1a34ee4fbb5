"""A bell curve over idle time, its width by kind: level at first, then steep. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..model.declaration import Words, declared
from ..model.memory import Kind
from .population import KINDS, Floats, Population
from .retention_value import Curve, idle_days


@dataclass(frozen=True, slots=True)
class Gauss(Curve):
    """Retention 2^-((idle days / days of its kind)^2). Algorithms, section 3.

    Stories age like facts. Intentions do not age under any policy.
    """

    name: ClassVar[str] = "gauss"
    measure: ClassVar[str] = "retention"
    words: ClassVar[Mapping[str, Words]] = {
        "zh": ("高斯", "起初几乎不减，到头才快；宽度按种类"),
        "en": ("Gauss", "Level at first, steep later; the width by kind"),
    }

    semantic_days: float = declared(
        1_825.0,
        within=(1.0, 36_500.0),
        zh=("事实减半的天数", "这么多天没有想起，只剩一半"),
        en=("Facts: days until half is left", "Days without a recall"),
    )
    procedural_days: float = declared(
        1_825.0,
        within=(1.0, 36_500.0),
        zh=("做法减半的天数", ""),
        en=("Ways of working: days until half is left", ""),
    )
    episodic_days: float = declared(
        180.0,
        within=(1.0, 36_500.0),
        zh=("经历减半的天数", ""),
        en=("Episodes: days until half is left", ""),
    )
    evidence_days: float = declared(
        60.0,
        within=(1.0, 36_500.0),
        zh=("原话减半的天数", ""),
        en=("Raw turns: days until half is left", ""),
    )
    bin_below: float = declared(
        0.1,
        within=(0.0001, 0.99),
        zh=("遗忘阈值", "保持率低于它就忘"),
        en=("Let go below", "Retention"),
    )

    def retention_value(self, population: Population, now: Floats) -> Floats:
        """Retention, 0..1."""
        days = np.array([self._days(kind) for kind in KINDS])[population.kind]
        return np.exp2(-((idle_days(population, now) / days) ** 2))

    def _days(self, kind: Kind) -> float:
        match kind:
            case Kind.EVIDENCE:
                return self.evidence_days
            case Kind.EPISODIC:
                return self.episodic_days
            case Kind.PROCEDURAL:
                return self.procedural_days
            case Kind.SEMANTIC | Kind.NARRATIVE | Kind.PROSPECTIVE:
                return self.semantic_days
