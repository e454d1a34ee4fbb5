"""Natural decay of a whole store is the policy applied to each of its memories."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, to_bin
from astrbot_plugin_tidemark.core.forgetting.policy import ToBin
from astrbot_plugin_tidemark.core.forgetting.population import Population
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status, UserFeedback
from astrbot_plugin_tidemark.core.ports import DecayCount, Filter, MemoryStore
from hypothesis import given
from hypothesis import strategies as st

from ..memories import (
    ANNA,
    BEN,
    DAY,
    NOW,
    complete,
    memory,
    parameters,
    populations,
    vector,
    with_strength,
)

HERE = frozenset({ANNA})
BIN = BinPolicy(keep_days=7)
moments = st.one_of(
    st.integers(-30, 60).map(lambda days: NOW + days * DAY),
    st.floats(NOW - 30 * DAY, NOW + 60 * DAY),
)


def expected(m: Memory, now: float, policy: Tmd) -> Memory:
    if m.standing.status is not Status.LIVE:
        return m
    fate = Tiered(policy).fate(m, now=now)
    faded = replace(m, vitality=fate.vitality)
    if isinstance(fate, ToBin):
        return to_bin(faded, now=now, reason="decayed", policy=BIN)
    return faded


async def refill(store: MemoryStore, population: Sequence[Memory]) -> None:
    await store.purge([m.id async for m in store.iterate(Filter(status=None))])
    await store.put(population)


async def content(store: MemoryStore) -> list[Memory]:
    return [m async for m in store.iterate(Filter(status=None))]


@given(populations, parameters)
async def test_what_a_plan_looks_at_is_that_of_the_memories(
    store: MemoryStore, population: list[Memory], chosen: TmdParameters
) -> None:
    await refill(store, [*population, replace(complete("z"), standing=Standing())])
    policy = Tiered(Tmd(chosen))
    for where in (Filter(scopes=HERE), Filter(status=None)):
        every = {m.id: m async for m in store.iterate(where)}
        met: list[str] = []
        async for ids, told in store.planned(where):
            wanted = Population.of([every[id] for id in ids])
            assert np.array_equal(policy.forgotten_times(told), policy.forgotten_times(wanted))
            assert np.array_equal(told.kind, wanted.kind)
            met += ids
        assert sorted(met) == sorted(every)


@given(populations, moments, parameters)
async def test_decay_equals_the_policy_per_memory_and_comes_once(
    store: MemoryStore, population: list[Memory], now: float, chosen: TmdParameters
) -> None:
    await refill(store, population)
    policy = Tmd(chosen)
    count = await store.decay(now, policy.plan, BIN)
    after = [expected(m, now, policy) for m in population]
    assert await content(store) == after
    pairs = list(zip(population, after, strict=True))
    assert count.weakened == sum(a.vitality != m.vitality for m, a in pairs)
    assert count.binned == sum(a.standing != m.standing for m, a in pairs)
    searched = await store.search_text("tea", HERE)
    assert [hit.id for hit in searched] == [m.id for m in after if m.recallable]
    assert await store.decay(now, policy.plan, BIN) == DecayCount(0, 0)
    assert await content(store) == after


@given(populations, st.lists(moments, min_size=1, max_size=4), moments)
async def test_decay_in_steps_equals_decay_at_once_for_those_that_live(
    store: MemoryStore, population: list[Memory], steps: list[float], end: float
) -> None:
    await refill(store, population)
    for now in [*sorted(step for step in steps if step < end), end]:
        await store.decay(now, Tmd().plan, BIN)
    survivors = {m.id: m for m in await content(store) if m.standing.status is Status.LIVE}
    at_once = {m.id: expected(m, end, Tmd()) for m in population}
    live = {id: m for id, m in at_once.items() if m.standing.status is Status.LIVE}
    assert survivors == live


async def test_a_memory_at_full_cycles_loses_as_many_strengths(store: MemoryStore) -> None:
    await store.put([memory("a", vitality=with_strength(6))])
    assert await store.decay(NOW - 99 * DAY, Tmd().plan, BIN) == DecayCount(0, 0)
    assert await store.decay(NOW + 9 * DAY, Tmd().plan, BIN) == DecayCount(1, 0)
    assert (await store.get("a")).vitality == with_strength(3, last_decay_at=NOW + 9 * DAY)
    await store.decay(NOW + 99 * DAY, replace(Tmd().plan, reason="policy other"), BIN)
    assert (await store.get("a")).standing.reason == "policy other"


async def test_decay_of_some_scopes_leaves_the_others_alone(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b", scope=BEN), memory("c", scope=BEN)])
    now = NOW + 99 * DAY
    assert await store.decay(now, Tmd().plan, BIN, frozenset()) == DecayCount(0, 0)
    assert await store.decay(now, Tmd().plan, BIN, frozenset({BEN})) == DecayCount(2, 2)
    assert await store.get("a") == memory("a")
    assert await store.decay(now, Tmd().plan, BIN, frozenset({BEN, "unknown"})) == DecayCount(0, 0)
    assert await store.decay(now, Tmd().plan, BIN) == DecayCount(1, 1)


async def test_pinned_important_prospective_and_higher_tiers_stay(store: MemoryStore) -> None:
    kept = [
        memory("pinned", vitality=with_strength(1, pinned=True)),
        memory("important", feedback=UserFeedback(important=True)),
        memory("intention", kind=Kind.PROSPECTIVE),
        memory("tier1", vitality=with_strength(1, useful_score=3.0)),
        memory("tier2", vitality=with_strength(1, useful_score=10.0)),
    ]
    await store.put(kept)
    assert await store.decay(NOW + 999 * DAY, Tmd().plan, BIN) == DecayCount(0, 0)
    assert sorted(m.id for m in await content(store)) == sorted(m.id for m in kept)


async def test_the_spent_are_binned_at_exactly_now(store: MemoryStore) -> None:
    now = NOW + 123_456.789_012_3 + 40 * DAY
    await store.put([memory(id) for id in ("b", "a")])
    assert (await store.decay(now, Tmd().plan, BIN)).binned == 2
    binned = await store.find(["a", "b"])
    assert {m.standing.since for m in binned} == {now}
    assert [m.id for m in binned] == ["a", "b"]
    assert {m.standing.reason for m in binned} == {"decayed"}
    assert {m.standing.purge_at for m in binned} == {now + 7 * DAY}


async def test_what_decay_binned_is_not_found_and_can_be_restored(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea", kind=Kind.PROSPECTIVE)])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    alive = await store.get("a")
    await store.search_vector(vector(1, 0), "f", HERE)
    await store.decay(NOW + 40 * DAY, Tmd().plan, BIN)
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["b"]
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "f", HERE)] == ["b"]
    await store.amend(["a"], lambda m: replace(m, standing=alive.standing))
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a", "b"]
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "f", HERE)] == ["a", "b"]


async def test_scores_after_decay_are_those_without_the_binned(store: MemoryStore) -> None:
    intentions = [memory(f"k{n}", f"tea cup{n}", kind=Kind.PROSPECTIVE) for n in range(4)]
    await store.put(intentions)
    before = await store.search_text("tea cup2", HERE)
    await store.put([memory(f"x{n}", "tea and cup2 and much more") for n in range(9)])
    assert await store.search_text("tea cup2", HERE) != before
    await store.decay(NOW + 99 * DAY, Tmd().plan, BIN)
    assert await store.search_text("tea cup2", HERE) == before
