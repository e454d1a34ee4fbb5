"""Applying the forgetting policies to the whole store. Async."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..forgetting.lifecycle import DAY, BinPolicy
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.population import KINDS, Codes, Floats, Ints, Population, joined
from ..model.memory import Kind, Memory
from ..ports import DecayCount, Filter, Journal, MemoryStore
from .policy_passes import PolicyPass, Tell, moved_entry

LAST_SWEEP = "last_sweep"

type _Times = tuple[Sequence[str], Codes, Floats]
"""Ids, the codes of their kinds, and when each goes, `inf` for never."""


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
        chosen = policy or self.policy
        ends, where = [now + each * DAY for each in days], Filter(scopes=scopes)
        counts, soonest = np.zeros(len(ends), np.int64), list[tuple[float, str]]()
        kinds = [KINDS.index(kind) for kind in named or Kind]
        times = _times_together if chosen.needs_other_memories else _times
        async for ids, kind, when in times(chosen, self.store, where, now):
            counts += [np.count_nonzero(when <= end) for end in ends]
            due = np.flatnonzero((when <= max(ends)) & np.isin(kind, kinds))
            going = ((float(when[row]), ids[row]) for row in due.tolist())
            soonest = heapq.nsmallest(limit, [*soonest, *going])
        known = {memory.id: memory for memory in await self.store.find([id for _, id in soonest])}
        first = [ForgettingTime(known[id], at) for at, id in soonest if id in known]
        return ForgettingForecast(tuple(counts.tolist()), first)

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


async def _times(
    policy: ForgettingPolicy, store: MemoryStore, where: Filter, now: float
) -> AsyncIterator[_Times]:
    """When each goes, some at a time."""
    async for each in store.columns(where, lean=policy.plan is not None):
        # Some milliseconds for each thousand: too long for the event loop.
        times = await asyncio.to_thread(policy.forgotten_times, each.population)
        yield each.ids, each.population.kind, times


async def _times_together(
    policy: ForgettingPolicy, store: MemoryStore, where: Filter, now: float
) -> AsyncIterator[_Times]:
    """The same by a policy that has to look at the others of a scope."""
    parts = [part async for part in store.columns(where)]
    population = joined([Population.of(()), *(part.population for part in parts)])
    _, scopes = np.unique([scope for part in parts for scope in part.scopes], return_inverse=True)
    yield (
        [id for part in parts for id in part.ids],
        population.kind,
        await asyncio.to_thread(_fitted_times, policy, population, scopes, now),
    )


def _fitted_times(
    policy: ForgettingPolicy, population: Population, scopes: Ints, now: float
) -> Floats:
    times = np.full(len(population), np.inf)
    # Small scopes are fitted alike, and are computed together.
    alike = defaultdict[ForgettingPolicy, list[Ints]](list)
    for scope in range(int(scopes.max(initial=-1)) + 1):
        rows = np.flatnonzero(scopes == scope)
        alike[policy.fitted(population.take(rows), now=now)].append(rows)
    for fitted, parts in alike.items():
        rows = np.concatenate(parts)
        times[rows] = fitted.forgotten_times(population.take(rows))
    return times
