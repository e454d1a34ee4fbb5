"""Tiered memory decay (TMD): the policy that decides what is kept. Pure; it is told the time.

T0 fades with time, T1 falls when recalled in vain, T2 stays. Algorithms, section 1.
"""

import math
from dataclasses import dataclass, replace

from ..model.memory import Vitality
from .lifecycle import DAY, DecayPlan

DECAYED = "decayed"
"""The reason of what TMD lets go."""

JUDGED_WINDOW = 32
LONGEST_CYCLE = 1e9
"""Days; keeps every time this policy computes finite."""


@dataclass(frozen=True, slots=True)
class TmdParameters:
    """Thresholds are useful scores, cycles are days, speeds are factors > 0."""

    tier0_threshold: float = 3.0
    tier1_threshold: float = 10.0
    consolidate_speed: float = 2.5
    cycle_tier0_days: float = 3.0
    forget_speed: float = 1.0
    tier0_forget_speed: float = 1.0
    useful_boost: int = 1


def round_half_up(value: float) -> int:
    """Nearest integer, halves upwards. Python's `round` would send 2.5 to 2."""
    return math.floor(value + 0.5)


def initial_strength(importance: float) -> int:
    """4..8 by importance (0..1)."""
    return 4 + round_half_up(4 * min(max(importance, 0.0), 1.0))


@dataclass(frozen=True, slots=True)
class Tmd:
    """One policy object, shared by every storage backend."""

    parameters: TmdParameters = TmdParameters()
    keep_current: bool = True
    """Whether what claims something that still holds is exempt from time; the paper knows none."""

    patience: float = 1.0
    """Cycles in which what nothing else says loses one strength; one in the paper."""

    def tier(self, useful_score: float) -> int:
        """0 below the first threshold, 2 from the second on, else 1."""
        if useful_score >= self.parameters.tier1_threshold:
            return 2
        return 1 if useful_score >= self.parameters.tier0_threshold else 0

    @property
    def cycle_seconds(self) -> float:
        """Seconds in which a T0 memory loses one strength; whole days, at least one."""
        p = self.parameters
        days = p.cycle_tier0_days / (p.forget_speed * p.tier0_forget_speed)
        return max(1, round_half_up(min(days, LONGEST_CYCLE))) * DAY

    @property
    def plan(self) -> DecayPlan:
        """What time does: T0 fades, and whatever is not T2 goes when no strength is left."""
        first, second = self.parameters.tier0_threshold, self.parameters.tier1_threshold
        fades_below = min(first, second)
        return DecayPlan(
            self.cycle_seconds, fades_below, second, DECAYED, self.keep_current, self.patience
        )

    def judge(self, vitality: Vitality, *, useful: bool, turn: int, now: float) -> Vitality:
        """Apply one verdict of one turn. A verdict whose turn has been applied changes nothing.

        The newest `JUDGED_WINDOW` turns are kept; anything older than a full window counts as
        applied.
        """
        if already_judged(vitality, turn):
            return vitality
        if useful:
            return replace(
                noted(vitality, turn),
                strength=vitality.strength + self.parameters.useful_boost,
                useful_count=vitality.useful_count + 1,
                useful_score=vitality.useful_score + self.parameters.consolidate_speed,
                last_recalled_at=max(now, vitality.last_recalled_at),
            )
        loss = 1 if self.tier(vitality.useful_score) == 1 else 0
        return replace(noted(vitality, turn), strength=max(0, vitality.strength - loss))


def already_judged(vitality: Vitality, turn: int) -> bool:
    """Whether this turn's verdict has been applied, or is older than the window remembers."""
    if turn in vitality.judged:
        return True
    return len(vitality.judged) >= JUDGED_WINDOW and turn < vitality.judged[0]


def noted(vitality: Vitality, turn: int) -> Vitality:
    """The vitality once what that turn has to say of it has been applied."""
    return replace(vitality, judged=tuple(sorted((*vitality.judged, turn)))[-JUDGED_WINDOW:])


def merged(sources: list[Vitality]) -> Vitality:
    """Vitality of a merge: the maximum of each measure; pinned, or sole, if any was."""
    steadiest = max(sources, key=lambda vitality: vitality.stability)
    return Vitality(
        strength=max(v.strength for v in sources),
        useful_count=max(v.useful_count for v in sources),
        useful_score=max(v.useful_score for v in sources),
        pinned=any(v.pinned for v in sources),
        last_recalled_at=max(v.last_recalled_at for v in sources),
        last_decay_at=max(v.last_decay_at for v in sources),
        judged=tuple(sorted({turn for v in sources for turn in v.judged}))[-JUDGED_WINDOW:],
        settled_at=max(v.settled_at for v in sources),
        stability=steadiest.stability,
        difficulty=steadiest.difficulty,
        sole=any(v.sole for v in sources),
    )
