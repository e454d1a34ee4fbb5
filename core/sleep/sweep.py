"""Applying the forgetting policies to the whole store. Async."""

import heapq
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..forgetting.lifecycle import DAY, BinPolicy
from ..forgetting.policies import Policies
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.population import Floats, Population
from ..forgetting.summary import Summarise, extract
from ..model.memory import Memory
from ..ports import Decay, DecayCount, Filter, MemoryRecords, Notes, Transitions
from .policy_passes import PassJournal, PolicyPass, fitted_to, moved_entry, paged

LAST_SWEEP = "last_sweep"


@dataclass(frozen=True, slots=True)
class ForgettingTime:
    """A memory and when (Unix seconds) it will be forgotten if nothing happens to it."""

    memory: Memory
    at: float


class SweepStore(MemoryRecords, Decay, Transitions, Protocol):
    """Memories on their way to the bin."""


class SweepJournal(PassJournal, Notes, Protocol):
    """Where a sweep notes what it moved, and when it ran."""


@dataclass(frozen=True, slots=True)
class Sweeper:
    """Policies over one store. Every pass may be repeated: it changes nothing twice."""

    store: SweepStore
    journal: SweepJournal
    policies: Policies
    bin_policy: BinPolicy
    summarise: Summarise = extract

    async def decay(self, now: float, scopes: frozenset[str] | None = None) -> DecayCount:
        """Let go of what the policies let go of at `now`, in these scopes (None: in all).

        Without scopes each memory that was binned at `now`, whatever the reason, is noted in the
        audit log; with them, whoever asks does that by `note_binned`.
        """
        count = DecayCount(0, 0)
        for policy in self.policies.all:
            count += await self._applied(policy, now, scopes)
        if scopes is None:
            await self._note_all_binned(now)
            await self.journal.set_note(LAST_SWEEP, repr(now))
        return count

    async def preview(
        self,
        scopes: frozenset[str],
        *,
        now: float,
        days: float,
        limit: int,
        policy: ForgettingPolicy | None = None,
    ) -> tuple[int, list[ForgettingTime]]:
        """How many time alone would take within `days`, and the first `limit` of them.

        By `policy`, or by the policies in force.
        """
        until = now + days * DAY
        total = 0
        soonest: list[tuple[float, str, Memory]] = []
        async for page, times in self._foretold(scopes, now, policy):
            due = [(at, m.id, m) for m, at in zip(page, times, strict=True) if at <= until]
            total += len(due)
            soonest = heapq.nsmallest(limit, [*soonest, *due])
        return total, [ForgettingTime(memory, at) for at, _, memory in soonest]

    async def forgotten_within(
        self, scopes: frozenset[str], *, now: float, days: Sequence[float]
    ) -> list[int]:
        """How many time alone would take within each number of days."""
        counts = [0] * len(days)
        async for _, times in self._foretold(scopes, now, None):
            counts = [n + sum(times <= now + d * DAY) for n, d in zip(counts, days, strict=True)]
        return [int(count) for count in counts]

    async def _foretold(
        self, scopes: frozenset[str], now: float, policy: ForgettingPolicy | None
    ) -> AsyncIterator[tuple[list[Memory], Floats]]:
        """Pages of live memories, and when each of them will be let go."""
        for scope in sorted(scopes):
            chosen = policy or self.policies.of(scope)
            fitted = await fitted_to(chosen, self.store, scope, now)
            where = Filter(scopes=frozenset({scope}), exempt=False)
            async for page in paged(self.store, where):
                yield page, fitted.forgotten_times(Population.of(page))

    async def _applied(
        self, policy: ForgettingPolicy, now: float, within: frozenset[str] | None
    ) -> DecayCount:
        """The policy over every scope that it decides over: in bulk where it can be."""
        if policy.plan is not None and self.policies.trial is None:
            return await self.store.decay(now, policy.plan, self.bin_policy, within)
        every = await self.store.scopes() if within is None else within
        scopes = frozenset(scope for scope in every if self.policies.of(scope) is policy)
        if policy.plan is not None:
            return await self.store.decay(now, policy.plan, self.bin_policy, scopes)
        one = PolicyPass(self.store, self.journal, self.bin_policy, self.summarise, policy, now)
        count = DecayCount(0, 0)
        for scope in sorted(scopes):
            count += await one.over(scope)
        return count

    async def note_binned(self, moved: Sequence[Memory], now: float) -> None:
        """Note in the audit log that these were binned at `now`."""
        names = [self.policies.of(memory.scope).name for memory in moved]
        entries = [moved_entry(m, now, by=by) for m, by in zip(moved, names, strict=True)]
        await self.journal.audit(entries)

    async def _note_all_binned(self, now: float) -> None:
        """Note what was binned at `now`, also if an earlier pass died before it could note it."""
        after = ""
        while page := await self.store.binned_at(now, after=after):
            await self.note_binned(page, now)
            after = page[-1].id
