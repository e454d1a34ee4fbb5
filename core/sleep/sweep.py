"""Applying the forgetting policies to the whole store. Async."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..forgetting.lifecycle import DAY, BinPolicy
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.population import Population
from ..model.memory import Kind, Memory
from ..ports import DecayCount, Filter, Foretold, Journal, MemoryStore
from .policy_passes import PolicyPass, Tell, fitted_to, moved_entry, paged

LAST_SWEEP = "last_sweep"


@dataclass(frozen=True, slots=True)
class ForgettingTime:
    """A memory and when (Unix seconds) it will be forgotten if nothing happens to it."""

    memory: Memory
    at: float


@dataclass(frozen=True, slots=True)
class ForgettingForecast:
    """How many go within each of some numbers of days, and the first of them."""

    counts: Sequence[int]
    soonest: Sequence[ForgettingTime]


@dataclass(frozen=True, slots=True)
class Sweeper:
    """A policy over one store. Every pass may be repeated: it changes nothing twice."""

    store: MemoryStore
    journal: Journal
    policy: ForgettingPolicy
    bin_policy: BinPolicy

    async def decay(
        self, now: float, scopes: frozenset[str] | None = None, tell: Tell | None = None
    ) -> DecayCount:
        """Let go of what the policy lets go of at `now`, in these scopes (None: in all).

        Without scopes each memory that was binned at `now`, whatever the reason, is noted in the
        audit log; with them, whoever asks does that by `note_binned`.
        """
        count = await self._applied(now, scopes, tell)
        if scopes is None:
            await self._note_all_binned(now)
            await self.journal.set_note(LAST_SWEEP, repr(now))
        return count

    async def foretell(
        self,
        scopes: frozenset[str],
        *,
        now: float,
        days: Sequence[float],
        limit: int = 0,
        named: frozenset[Kind] | None = None,
        policy: ForgettingPolicy | None = None,
    ) -> ForgettingForecast:
        """How many time alone would take within each number of days.

        With the first `limit` of these kinds (None: of any). By `policy`, or by that in force.
        """
        ends = [now + each * DAY for each in days]
        chosen = policy or self.policy
        if chosen.plan is not None:
            plan = chosen.plan
            found = await self.store.foretold(plan, scopes, ends, limit=limit, named=named)
            return await self._named(found)
        told = Foretold((0,) * len(ends))
        apart = [frozenset({scope}) for scope in sorted(scopes)]
        for some in apart if chosen.needs_other_memories else [scopes]:
            found = await self._read_through(chosen, some, now, ends, limit, named)
            told = told.merged(found, limit)
        return await self._named(told)

    async def _named(self, told: Foretold) -> ForgettingForecast:
        ids = [id for _, id in told.soonest]
        known = {memory.id: memory for memory in await self.store.find(ids)}
        soonest = [ForgettingTime(known[id], at) for at, id in told.soonest if id in known]
        return ForgettingForecast(told.counts, soonest)

    async def _read_through(
        self,
        policy: ForgettingPolicy,
        scopes: frozenset[str],
        now: float,
        ends: Sequence[float],
        limit: int,
        named: frozenset[Kind] | None,
    ) -> Foretold:
        """The same by a policy that has to look at each memory; of one scope if at the others."""
        fitted = await fitted_to(policy, self.store, min(scopes, default=""), now)
        told, last = Foretold((0,) * len(ends)), max(ends)
        async for page in paged(self.store, Filter(scopes=scopes, exempt=False)):
            times = fitted.forgotten_times(Population.of(page))
            counts = tuple(int(np.count_nonzero(times <= end)) for end in ends)
            due = (
                (at, memory.id)
                for memory, at in zip(page, times.tolist(), strict=True)
                if at <= last and (named is None or memory.kind in named)
            )
            told = told.merged(Foretold(counts, tuple(due)), limit)
        return told

    async def _applied(
        self, now: float, within: frozenset[str] | None, tell: Tell | None
    ) -> DecayCount:
        """The policy over these scopes, or all: in bulk where it can be."""
        policy = self.policy
        if policy.plan is not None:
            return await self.store.decay(now, policy.plan, self.bin_policy, within)
        one = PolicyPass(self.store, self.journal, self.bin_policy, policy, now, tell)
        count = DecayCount(0, 0)
        for scope in sorted(await self.store.scopes() if within is None else within):
            count += await one.over(scope)
        return count

    async def note_binned(self, moved: Sequence[Memory], now: float) -> None:
        """Note in the audit log that these were binned at `now`."""
        entries = [moved_entry(memory, now, by=self.policy.name) for memory in moved]
        await self.journal.audit(entries)

    async def _note_all_binned(self, now: float) -> None:
        """Note what was binned at `now`, also if an earlier pass died before it could note it."""
        after = ""
        while page := await self.store.binned_at(now, after=after):
            await self.note_binned(page, now)
            after = page[-1].id
