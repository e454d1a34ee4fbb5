"""Tiered memory decay (TMD): the policy that decides what is kept. Pure; it is told the time.

T0 fades with time, T1 falls when recalled in vain, T2 stays. Algorithms, section 1.
"""

import math
from dataclasses import dataclass, replace

from ..model.memory import Kind, Memory, Vitality

DAY = 86_400.0
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
    strength_scale: float = 1.0


def round_half_up(value: float) -> int:
    """Nearest integer, halves upwards. Python's `round` would send 2.5 to 2."""
    return math.floor(value + 0.5)


def initial_strength(importance: float, scale: float = 1.0) -> int:
    """4..8 by importance (0..1), times `scale`, at least 1."""
    return max(1, round_half_up((4 + round_half_up(4 * min(max(importance, 0.0), 1.0))) * scale))


@dataclass(frozen=True, slots=True)
class Tmd:
    """One policy object, shared by every storage backend."""

    parameters: TmdParameters = TmdParameters()

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

    def fades(self, memory: Memory) -> bool:
        """Whether time weakens it: tier 0, not exempt, not prospective."""
        tier = self.tier(memory.vitality.useful_score)
        return tier == 0 and not memory.exempt and memory.kind is not Kind.PROSPECTIVE

    def fade(self, memory: Memory, *, now: float) -> Vitality:
        """Natural decay up to `now`. A clock set back changes nothing."""
        if not self.fades(memory):
            return memory.vitality
        vitality = memory.vitality
        since = max(vitality.last_decay_at, vitality.last_recalled_at, memory.created_at)
        steps = math.floor((now - since) / self.cycle_seconds)
        if steps <= 0:
            return vitality
        return replace(
            vitality,
            strength=max(0, vitality.strength - steps),
            last_decay_at=since + steps * self.cycle_seconds,
        )

    def forgets(self, memory: Memory) -> bool:
        """Whether it is spent: no strength left, not exempt, not prospective, not of tier 2."""
        vitality = memory.vitality
        if vitality.strength > 0 or memory.exempt or memory.kind is Kind.PROSPECTIVE:
            return False
        return self.tier(vitality.useful_score) < 2

    def forgotten_at(self, memory: Memory) -> float | None:
        """When it will be spent if nothing happens to it; None if time alone never does it."""
        if self.forgets(memory):
            return max(memory.vitality.last_decay_at, memory.created_at)
        if not self.fades(memory):
            return None
        vitality = memory.vitality
        since = max(vitality.last_decay_at, vitality.last_recalled_at, memory.created_at)
        return since + vitality.strength * self.cycle_seconds


def already_judged(vitality: Vitality, turn: int) -> bool:
    """Whether this turn's verdict has been applied, or is older than the window remembers."""
    if turn in vitality.judged:
        return True
    return len(vitality.judged) >= JUDGED_WINDOW and turn < vitality.judged[0]


def noted(vitality: Vitality, turn: int) -> Vitality:
    """The vitality once what that turn has to say of it has been applied."""
    return replace(vitality, judged=tuple(sorted((*vitality.judged, turn)))[-JUDGED_WINDOW:])


def merged(sources: list[Vitality]) -> Vitality:
    """Vitality of a merge: the maximum of each measure, pinned if any was."""
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
    )
