"""Moves between live, archived and binned, of one memory or by a plan. Pure. Algorithms, 9."""

import math
from dataclasses import dataclass, replace

from ..model.memory import Access, Kind, Memory, Standing, Status, Vitality

DAY = 86_400.0

HAND = "by_hand"
"""The reason of what a person did. Who it was is in the audit log alone, where it is erased."""

UNDONE = "undone"
"""Why a memory came back: the decision that moved it was taken back."""

RETENTION = "retention"
"""The reason of what is older than its owner wants it kept."""


PURGING = "purging"
"""The reason of what is being deleted for good: from then on it cannot be restored."""

UNDECIDED = "undecided"
"""The reason of what lay in quarantine until nobody could be expected to decide any more."""


@dataclass(frozen=True, slots=True)
class BinPolicy:
    """Days a binned memory can be restored before it may be purged."""

    keep_days: float = 30.0


def to_bin(memory: Memory, *, now: float, reason: str, policy: BinPolicy) -> Memory:
    """Out of recall, restorable until `purge_at`. A binned memory stays as it is."""
    if memory.standing.status is Status.BINNED:
        return memory
    purge_at = now + policy.keep_days * DAY
    return replace(memory, standing=Standing(Status.BINNED, now, reason, purge_at))


def archived(memory: Memory, *, now: float, reason: str) -> Memory:
    """Out of ordinary recall, kept without end. Only a live memory can be archived."""
    if memory.standing.status is not Status.LIVE:
        return memory
    return replace(memory, standing=Standing(Status.ARCHIVED, now, reason))


def quarantined(memory: Memory, *, now: float, reason: str) -> Memory:
    """Apart from what is known, never recalled, until a person keeps or drops it."""
    return replace(memory, standing=Standing(Status.QUARANTINED, now, reason))


def restored(memory: Memory, *, now: float, reason: str, strength: int) -> Memory:
    """Live again, with at least `strength`, ageing from `now` on so it is not binned at once.

    What is being deleted stays as it is: the messages behind it may be gone already.
    """
    if memory.standing.status is Status.LIVE or doomed(memory):
        return memory
    vitality = aged_from(memory.vitality, now)
    vitality = replace(vitality, strength=max(vitality.strength, strength))
    return replace(memory, standing=Standing(Status.LIVE, now, reason), vitality=vitality)


def aged_from(vitality: Vitality, at: float) -> Vitality:
    """With all that time does counted from `at` on, of what it spared until then.

    Else the time in which it was kept would be taken from it at once.
    """
    settled, last = max(vitality.settled_at, at), max(vitality.last_decay_at, at)
    return replace(vitality, settled_at=settled, last_decay_at=last)


def to_purge(memory: Memory, *, now: float) -> Memory:
    """A binned memory marked as being deleted, and due; any other stays as it is."""
    standing = memory.standing
    if standing.status is not Status.BINNED or doomed(memory):
        return memory
    purge_at = now if standing.purge_at is None else min(standing.purge_at, now)
    return replace(memory, standing=replace(standing, reason=PURGING, purge_at=purge_at))


def due(memory: Memory, now: float) -> bool:
    """Whether its time in the bin is over."""
    standing = memory.standing
    passed = standing.purge_at is not None and standing.purge_at <= now
    return standing.status is Status.BINNED and passed


def doomed(memory: Memory) -> bool:
    """Whether it is being deleted for good."""
    return memory.standing.status is Status.BINNED and memory.standing.reason == PURGING


def forgotten_by_hand(memory: Memory) -> bool:
    """Whether a person, not a policy, has put it into the bin."""
    standing = memory.standing
    return standing.status is Status.BINNED and standing.reason == HAND


def accessed(memory: Memory, *, now: float) -> Memory:
    """One more access. It says nothing of what the memory tells."""
    access = memory.access
    seen = Access(access.first_at, max(access.last_at, now), access.count + 1)
    return replace(memory, access=seen)


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
