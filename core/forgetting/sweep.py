"""Applying the forgetting policy to the whole store, and emptying the bin. Async."""

import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..memory import Memory, Status
from ..ports import AuditEntry, DecayCount, Filter, Journal, MemoryStore
from .lifecycle import DAY, RETENTION, BinPolicy
from .tmd import Tmd

DECAYED = "decayed"
LAST_SWEEP = "last_sweep"


@dataclass(frozen=True, slots=True)
class Fading:
    """A memory and when (Unix seconds) it will be forgotten if nothing happens to it."""

    memory: Memory
    at: float


@dataclass(frozen=True, slots=True)
class Sweeper:
    """One policy over one store. Every pass may be repeated: it changes nothing twice."""

    store: MemoryStore
    journal: Journal
    policy: Tmd
    bin_policy: BinPolicy

    async def decay(self, now: float) -> DecayCount:
        """Natural decay up to `now`, spent memories to the bin.

        Each that was binned at `now`, whatever the reason, is noted in the audit log.
        """
        count = await self.store.decay(now, self.policy, self.bin_policy)
        after = ""
        while page := await self.store.binned_at(now, after=after):
            await self.journal.audit([_binned(memory, now) for memory in page])
            after = page[-1].id
        await self.journal.set_note(LAST_SWEEP, repr(now))
        return count

    async def purge(self, now: float) -> int:
        """Delete what has lain in the bin long enough. Returns how many."""
        purged = 0
        while ids := await self.store.purge_due(now):
            memories = await self.store.find(ids)
            await self.journal.audit([_purged(memory, now) for memory in memories])
            purged += len(await self.store.purge(ids))
        return purged

    async def preview(
        self, scopes: frozenset[str], *, now: float, days: float, limit: int
    ) -> tuple[int, list[Fading]]:
        """How many time alone would take within `days`, and the first `limit` of them."""
        until = now + days * DAY
        total = 0
        soonest: list[tuple[float, str, Memory]] = []
        async for memory in self.store.iterate(Filter(scopes=scopes, status=Status.LIVE)):
            at = self.policy.forgotten_at(memory)
            if at is None or at > until:
                continue
            total += 1
            soonest.append((at, memory.id, memory))
            if len(soonest) > 4 * limit:
                soonest = heapq.nsmallest(limit, soonest)
        return total, [Fading(memory, at) for at, _, memory in heapq.nsmallest(limit, soonest)]

    async def forgotten_within(
        self, scopes: frozenset[str], *, now: float, days: Sequence[float]
    ) -> list[int]:
        """How many time alone would take within each number of days."""
        counts = [0] * len(days)
        async for memory in self.store.iterate(Filter(scopes=scopes, exempt=False)):
            at = self.policy.forgotten_at(memory)
            if at is not None:
                counts = [n + (at <= now + d * DAY) for n, d in zip(counts, days, strict=True)]
        return counts


def _binned(memory: Memory, now: float) -> AuditEntry:
    vitality = memory.vitality
    numbers = {"useful_score": vitality.useful_score, "age_days": (now - memory.created_at) / DAY}
    return AuditEntry(
        key=f"binned:{now!r}:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="binned",
        by=RETENTION if memory.standing.reason == RETENTION else "tmd",
        at=now,
        detail=json.dumps({"reason": memory.standing.reason, **numbers}),
    )


def _purged(memory: Memory, now: float) -> AuditEntry:
    return AuditEntry(
        key=f"purged:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="purged",
        by="bin",
        at=now,
        detail=json.dumps({"binned_at": memory.standing.since}),
    )
