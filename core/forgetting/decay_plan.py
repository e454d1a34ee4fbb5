"""Decay that needs no more of a memory than its columns, so that a store can do it in bulk. Pure.

This is the form for one memory. The form for many at once is `storage/sqlite/upkeep.py`; the
contract suite holds it to this one. Algorithms, section 1.
"""

import math
from dataclasses import dataclass, replace

from ..model.memory import Kind, Memory, Vitality
from .lifecycle import BinPolicy, to_bin


@dataclass(frozen=True, slots=True)
class DecayPlan:
    """What time does to live memories that are neither exempt nor prospective.

    With `keep_current` it does nothing either to what claims something that still holds.

    One with a useful score below `fades_below` loses a strength in every `cycle` seconds (> 0)
    since it last lost one, was judged useful or was created; a `sole` one in `patience` (>= 1) of
    them. One below `spent_below` that has no strength left goes to the bin; `reason` is what its
    standing says then.
    """

    cycle: float
    fades_below: float
    spent_below: float
    reason: str
    keep_current: bool = True
    patience: float = 1.0

    def faded(self, memory: Memory, *, now: float) -> Vitality:
        """Its vitality at `now`. A clock set back changes nothing."""
        vitality = memory.vitality
        if vitality.useful_score >= self.fades_below or not self._may_go(memory):
            return vitality
        since = max(vitality.last_decay_at, vitality.last_recalled_at, memory.created_at)
        cycle = self.cycle * (self.patience if vitality.sole else 1.0)
        steps = math.floor((now - since) / cycle)
        if steps <= 0:
            return vitality
        return replace(
            vitality,
            strength=max(0, vitality.strength - steps),
            last_decay_at=since + steps * cycle,
        )

    def spends(self, memory: Memory) -> bool:
        """Whether nothing is left of it."""
        vitality = memory.vitality
        spent = vitality.strength <= 0 and vitality.useful_score < self.spent_below
        return spent and self._may_go(memory)

    def applied(self, memory: Memory, *, now: float, bin_policy: BinPolicy) -> Memory:
        """A live memory at `now`, perhaps in the bin; the same object if it is not touched."""
        vitality = self.faded(memory, now=now)
        after = memory if vitality is memory.vitality else replace(memory, vitality=vitality)
        if self.spends(after):
            return to_bin(after, now=now, reason=self.reason, policy=bin_policy)
        return after

    def _may_go(self, memory: Memory) -> bool:
        holds = self.keep_current and memory.holds
        return not (memory.exempt or holds or memory.kind is Kind.PROSPECTIVE)
