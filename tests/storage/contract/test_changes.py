"""Changing, deleting and natural decay: atomic, every index follows, time as the policy says."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, archived, restored, to_bin
from astrbot_plugin_tidemark.core.forgetting.policy import ToBin
from astrbot_plugin_tidemark.core.forgetting.population import Population
from astrbot_plugin_tidemark.core.forgetting.tiered import Tiered
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd, TmdParameters
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Standing,
    Status,
    Succession,
    Successor,
    UserFeedback,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import Amendment, DecayCount, Filter, MemoryStore
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
    with_status,
    with_strength,
)

HERE = frozenset({ANNA})


def retold(text: str):
    return lambda m: replace(m, text=text)


def binned(m: Memory) -> Memory:
    return to_bin(m, now=NOW, reason="test", policy=BinPolicy())


def back(m: Memory) -> Memory:
    return restored(m, now=NOW + DAY, reason="test", strength=4)


async def found(store: MemoryStore, query: str) -> list[str]:
    return [hit.id for hit in await store.search_text(query, HERE)]


async def near(store: MemoryStore, fingerprint: str = "f") -> list[str]:
    return [hit.id for hit in await store.search_vector(vector(1, 0), fingerprint, HERE)]


async def test_changes_are_reported_in_the_order_of_the_ids(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "coffee"), memory("c", "milk")])
    assert await store.amend(["c", "unknown", "b", "a", "c"], retold("coffee")) == [
        Amendment(memory("c", "milk"), memory("c", "coffee")),
        Amendment(memory("a", "tea"), memory("a", "coffee")),
    ]
    assert await store.get("a") == memory("a", "coffee")
    assert await store.amend(["unknown"], retold("x")) == []
    assert await store.amend([], retold("x")) == []
    await store.put([with_status(memory(status.value), status) for status in Status])
    assert len(await store.amend([status.value for status in Status], retold("x"))) == len(Status)


async def test_the_mark_of_a_scope_moves_with_what_a_sleep_looks_at(store: MemoryStore) -> None:
    raw = memory("raw", kind=Kind.EVIDENCE)
    fact = memory("fact", kind=Kind.SEMANTIC)
    old = replace(memory("old", kind=Kind.SEMANTIC), vitality=Vitality(strength=1))
    await store.put([raw, fact, old, memory("other", scope=BEN)])
    marks = [await store.changes(ANNA)]

    async def moved() -> bool:
        marks.append(await store.changes(ANNA))
        return marks[-1] not in marks[:-1]

    async def faded(m: Memory) -> None:
        weaker = replace(m.vitality, strength=m.vitality.strength + 1)
        await store.amend([m.id], lambda now: replace(now, vitality=weaker))

    await faded(fact)
    await store.amend(["raw"], binned)
    await store.amend(["other"], retold("tea"))
    await store.purge(["raw"], lambda m: not m.recallable)
    assert not await moved()
    await store.put([memory("new")])
    assert await moved()
    await store.amend(["fact"], retold("tea"))
    assert await moved()
    await store.set_vectors("f", {"fact": vector(1, 0)})
    assert await moved()
    await store.amend(["fact"], binned)
    assert await moved()
    await store.decay(NOW + 999 * DAY, Tmd().plan, BinPolicy(), HERE)
    assert (await store.get("old")).standing.status is Status.BINNED
    assert await moved()
    await store.purge(["fact"])
    assert await moved()


async def test_every_field_can_change(store: MemoryStore) -> None:
    after = complete("a")
    await store.put([memory("a", scope=BEN)])
    await store.amend(["a"], lambda _: after)
    assert await store.get("a") == after
    plain = memory("a", scope=BEN)
    await store.amend(["a"], lambda _: plain)
    assert await store.get("a") == plain


async def test_a_change_that_raises_changes_nothing(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea")])

    def fails_on_b(m: Memory) -> Memory:
        if m.id == "b":
            raise ZeroDivisionError
        return replace(m, text="coffee")

    with pytest.raises(ZeroDivisionError):
        await store.amend(["a", "b"], fails_on_b)
    assert await found(store, "tea") == ["a", "b"]
    assert (await store.get("a")).text == "tea"


async def test_a_change_must_keep_id_and_scope(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b")])
    for moved in ({"id": "z"}, {"scope": BEN}):
        with pytest.raises(ValueError, match="id and scope"):
            await store.amend(["a", "b"], lambda m, to=moved: replace(m, text="x", **to))
    assert await store.find(["a", "b", "z"]) == [memory("a"), memory("b")]


async def test_the_text_index_follows_a_change(store: MemoryStore) -> None:
    for field in ("text", "summary", "cues"):
        before, after = ({field: (w,) if field == "cues" else w} for w in ("jasmine", "espresso"))
        await store.put([memory(field, **before)])
        assert await found(store, "jasmine") == [field]
        await store.amend([field], lambda m, to=after: replace(m, **to))
        assert await found(store, "jasmine") == []
        assert await found(store, "espresso") == [field]
        await store.purge([field])


async def test_nothing_but_a_new_text_needs_a_new_vector(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.amend(["a"], lambda m: replace(m, trust=0.9))
    assert await near(store) == ["a"]
    await store.amend(["a"], retold("coffee"))
    assert await near(store) == []
    assert [m.id for m in await store.unembedded("f")] == ["a"]


async def test_a_binned_memory_is_found_once_restored(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "milk")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(0, 1)})
    assert (await found(store, "tea"), await near(store)) == (["a"], ["a", "b"])
    await store.amend(["a"], binned)
    assert (await found(store, "tea"), await near(store)) == ([], ["b"])
    await store.amend(["a"], back)
    assert (await found(store, "tea"), await near(store)) == (["a"], ["a", "b"])
    # Retold in the bin, it is found by its new text.
    await store.amend(["a"], binned)
    await store.amend(["a"], retold("coffee"))
    assert await found(store, "coffee") == []
    await store.amend(["a"], back)
    assert (await found(store, "tea"), await found(store, "coffee")) == ([], ["a"])


async def test_a_replaced_memory_leaves_recall_unless_it_was_updated(store: MemoryStore) -> None:
    for how in Succession:
        id, newer = how.value, Successor("b", how)
        await store.put([memory(id, "tea")])
        await store.set_vectors("f", {id: vector(1, 0)})
        assert (await found(store, "tea"), await near(store)) == ([id], [id])
        await store.amend([id], lambda m, to=newer: replace(m, successor=to))
        expected = [id] if how is Succession.UPDATES else []
        assert (await found(store, "tea"), await near(store)) == (expected, expected)
        await store.purge([id])


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 13])
async def test_a_cancelled_change_is_whole_or_absent(store: MemoryStore, steps: int) -> None:
    ids = [f"{n:02}" for n in range(30)]
    await store.put([memory(id, "tea") for id in ids])
    await store.set_vectors("f", {id: vector(1, 0) for id in ids})
    await near(store)
    task = asyncio.create_task(store.amend(ids, retold("coffee")))
    for _ in range(steps):
        await asyncio.sleep(0.0005)
    task.cancel()
    await asyncio.wait({task})
    kept = 30 if (await store.get("00")).text == "tea" else 0
    assert len(await found(store, "tea")) == kept
    assert len(await found(store, "coffee")) == 30 - kept
    assert len(await near(store)) == kept


async def test_purged_memories_are_gone_and_may_be_put_again(store: MemoryStore) -> None:
    await store.put([memory("a", "tea", origin=Origin(turns=(1,))), memory("b", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    assert await near(store) == ["a", "b"]
    assert await store.purge(["a", "unknown"]) == {"a"}
    assert await store.find(["a"]) == []
    assert (await found(store, "tea"), await near(store)) == (["b"], ["b"])
    assert await store.distilled([1], HERE) == {1: ()}
    assert await store.count(Filter(status=None)) == 1
    assert await store.purge(["a"]) == frozenset()
    assert await store.put([memory("a", "coffee")]) == {"a"}
    assert (await found(store, "tea"), await found(store, "coffee")) == (["b"], ["a"])
    assert await near(store) == ["b"]


async def test_a_condition_is_asked_at_the_moment_of_the_deletion(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    await store.amend(["a", "b"], binned)
    await store.amend(["a"], back)
    assert await store.purge(
        ["a", "b", "unknown"], lambda m: m.standing.status is Status.BINNED
    ) == {"b"}
    assert [m.id for m in await store.find(["a", "b"])] == ["a"]
    assert (await found(store, "tea"), await near(store)) == (["a"], ["a"])


async def test_due_for_purge_is_what_has_lain_in_the_bin_long_enough(store: MemoryStore) -> None:
    await store.put(
        [with_status(memory(f"b{n}"), Status.BINNED, since=NOW + n * DAY) for n in (3, 1, 2)]
    )
    await store.put([memory("live"), with_status(memory("shelved"), Status.ARCHIVED)])
    assert await store.purge_due(NOW + 30 * DAY) == []
    assert await store.purge_due(NOW + 32 * DAY) == ["b1", "b2"]
    assert await store.purge_due(NOW + 99 * DAY, limit=2) == ["b1", "b2"]
    await store.amend(["b1", "b2", "b3"], back)
    assert await store.purge_due(NOW + 999 * DAY) == []


async def test_the_archive_keeps_no_vector_and_the_bin_does(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    alive = await store.find(["a", "b"])
    await store.amend(["a"], lambda m: archived(m, now=NOW, reason="old"))
    await store.amend(["b"], lambda m: to_bin(m, now=NOW, reason="x", policy=BinPolicy()))
    standing = {m.id: m.standing for m in alive}
    await store.amend(["a", "b"], lambda m: replace(m, standing=standing[m.id]))
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "f", HERE)] == ["b"]
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["a", "b"]
    assert [m.id for m in await store.unembedded("f")] == ["a"]


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
