"""How often memories of a sort prove useful. Pure.

Algorithms, section 1.2.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..model.memory import Kind, Memory, Source


@dataclass(frozen=True, slots=True)
class Posterior:
    """Beta(1 + useful, 1 + useless): the probability of being useful, given the verdicts."""

    useful: int = 0
    useless: int = 0

    @property
    def judged(self) -> int:
        """Verdicts so far."""
        return self.useful + self.useless

    @property
    def mean(self) -> float:
        """Expected probability, 0..1; a half without verdicts."""
        return (1 + self.useful) / (2 + self.judged)

    @property
    def deviation(self) -> float:
        """Standard deviation of the probability."""
        return math.sqrt(self.mean * (1 - self.mean) / (3 + self.judged))

    def __add__(self, other: "Posterior") -> "Posterior":
        return Posterior(self.useful + other.useful, self.useless + other.useless)


@dataclass(frozen=True, slots=True)
class UsefulnessRates:
    """Usefulness of all memories, by kind and by source."""

    overall: Posterior = Posterior()
    by_kind: Mapping[Kind, Posterior] = field(default_factory=lambda: MappingProxyType({}))
    by_source: Mapping[Source, Posterior] = field(default_factory=lambda: MappingProxyType({}))

    def with_verdicts(self, memory: Memory, verdicts: Posterior) -> "UsefulnessRates":
        """The rates once verdicts on a memory are counted."""
        kind, source = memory.kind, memory.source
        by_kind = {**self.by_kind, kind: self.by_kind.get(kind, Posterior()) + verdicts}
        by_source = {**self.by_source, source: self.by_source.get(source, Posterior()) + verdicts}
        return UsefulnessRates(self.overall + verdicts, by_kind, by_source)
