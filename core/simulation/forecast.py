"""Forecasts: when time alone takes what there is, by any policy. Nothing is changed. Async."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..forgetting.lifecycle import DAY
from ..forgetting.policy import ForgettingPolicy
from ..forgetting.population import KINDS, Codes, Floats, Ints, Population, joined
from ..model.memory import Kind, Memory
from ..ports import AT_ONCE, Filter, MemoryStore

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


async def foretell(
    policy: ForgettingPolicy,
    store: MemoryStore,
    scopes: frozenset[str],
    *,
    now: float,
    days: Sequence[float],
    limit: int = 0,
    named: frozenset[Kind] | None = None,
) -> ForgettingForecast:
    """How many the policy would take by time alone within each number of days.

    With the first `limit` of these kinds (None: of any).
    """
    ends, where = [now + each * DAY for each in days], Filter(scopes=scopes)
    counts, soonest = np.zeros(len(ends), np.int64), list[tuple[float, str]]()
    kinds = [KINDS.index(kind) for kind in named or Kind]
    times = _times_together if policy.needs_other_memories else _times
    async for ids, kind, when in times(policy, store, where, now):
        counts += [np.count_nonzero(when <= end) for end in ends]
        due = np.flatnonzero((when <= max(ends)) & np.isin(kind, kinds))
        going = ((float(when[row]), ids[row]) for row in due.tolist())
        soonest = heapq.nsmallest(limit, [*soonest, *going])
    known = {memory.id: memory for memory in await store.find([id for _, id in soonest])}
    first = [ForgettingTime(known[id], at) for at, id in soonest if id in known]
    return ForgettingForecast(tuple(counts.tolist()), first)


async def _times(
    policy: ForgettingPolicy, store: MemoryStore, where: Filter, now: float
) -> AsyncIterator[_Times]:
    """When each goes, some at a time."""
    # Without a plan more is looked at than a store reads for one: then memory by memory.
    read = store.planned(where) if policy.plan is not None else MemoryStore.planned(store, where)
    async for ids, population in read:
        # Some milliseconds for each thousand: too long for the event loop.
        times = await asyncio.to_thread(policy.forgotten_times, population)
        yield ids, population.kind, times


async def _times_together(
    policy: ForgettingPolicy, store: MemoryStore, where: Filter, now: float
) -> AsyncIterator[_Times]:
    """The same by a policy that has to look at the others of a scope."""
    ids, scopes, parts = list[str](), list[str](), [Population.of(())]
    async for page in store.pages(where, size=AT_ONCE):
        ids += [memory.id for memory in page]
        scopes += [memory.scope for memory in page]
        parts.append(await asyncio.to_thread(Population.of, page))
    population = joined(parts)
    _, numbers = np.unique(scopes, return_inverse=True)
    times = await asyncio.to_thread(_fitted_times, policy, population, numbers, now)
    yield ids, population.kind, times


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
