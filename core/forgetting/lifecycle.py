"""Moves between live, archived and binned. Pure; nothing here deletes. Algorithms, section 9."""

from dataclasses import dataclass, replace

from ..model.memory import Access, Memory, Standing, Status

DAY = 86_400.0

HAND = "by hand"
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
    vitality = replace(
        memory.vitality,
        strength=max(memory.vitality.strength, strength),
        last_decay_at=max(memory.vitality.last_decay_at, now),
        settled_at=max(memory.vitality.settled_at, now),
    )
    return replace(memory, standing=Standing(Status.LIVE, now, reason), vitality=vitality)


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
