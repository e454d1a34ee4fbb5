"""A search among memories of some kinds, and listings by the time of the event: both exact."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Entity, Relation
from astrbot_plugin_tidemark.core.model.memory import TELLS, Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order, Scored
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, NOW, memory, vector, with_status

HERE = frozenset({ANNA})
HOW_TO = frozenset({Kind.PROCEDURAL})
QUERY = vector(1, 0)


def ids(hits: Sequence[Scored]) -> list[str]:
    return [hit.id for hit in hits]


def only(hits: Sequence[Scored], kinds: frozenset[Kind], every: Sequence[Memory]) -> list[Scored]:
    wanted = {m.id for m in every if m.kind in kinds}
    return [hit for hit in hits if hit.id in wanted]


async def test_a_search_finds_only_memories_of_the_kinds(store: MemoryStore) -> None:
    await store.put([memory(kind.value, "tea", kind=kind) for kind in Kind])
    await store.set_vectors("f", {kind.value: vector(1, 1) for kind in Kind})
    for kinds in (HOW_TO, frozenset({Kind.EVIDENCE, Kind.NARRATIVE}), frozenset[Kind]()):
        expected = sorted(kind.value for kind in kinds)
        assert ids(await store.search_text("tea", HERE, kinds=kinds)) == expected
        assert ids(await store.search_vector(QUERY, "f", HERE, kinds=kinds)) == expected
    assert len(await store.search_text("tea", HERE)) == len(Kind)


async def test_a_rare_kind_is_found_behind_many_better_matches(store: MemoryStore) -> None:
    raw = [memory(f"{n:03}", "brew tea tea", kind=Kind.EVIDENCE) for n in range(300)]
    rare = [
        memory(f"x{n}", "brew tea, in a pot, with some patience", kind=Kind.PROCEDURAL)
        for n in range(3)
    ]
    filler = [memory(f"y{n:03}", "something else", kind=Kind.EVIDENCE) for n in range(400)]
    await store.put([*raw, *rare, *filler])
    await store.set_vectors("f", {m.id: vector(9, 1) for m in raw})
    await store.set_vectors("f", {m.id: vector(1, n) for n, m in enumerate(rare, 1)})
    assert ids(await store.search_text("brew", HERE, limit=2, kinds=HOW_TO)) == ["x0", "x1"]
    hits = await store.search_vector(QUERY, "f", HERE, limit=2, kinds=HOW_TO)
    assert ids(hits) == ["x0", "x1"]


async def test_kinds_are_looked_for_in_every_scope_and_no_other(store: MemoryStore) -> None:
    await store.put([memory("a", "tea", kind=Kind.PROCEDURAL), memory("b", "tea")])
    await store.put([memory("c", "tea", kind=Kind.PROCEDURAL, scope=BEN)])
    await store.set_vectors("f", {id: vector(1, 0) for id in "abc"})
    both = frozenset({ANNA, BEN})
    assert ids(await store.search_text("tea", HERE, kinds=HOW_TO)) == ["a"]
    assert set(ids(await store.search_text("tea", both, kinds=HOW_TO))) == {"a", "c"}
    assert ids(await store.search_vector(QUERY, "f", HERE, kinds=HOW_TO)) == ["a"]
    assert ids(await store.search_vector(QUERY, "f", both, kinds=HOW_TO)) == ["a", "c"]


async def test_the_kind_follows_a_change_and_the_vector_stays(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    assert await store.search_vector(QUERY, "f", HERE, kinds=HOW_TO) == []
    assert await store.search_text("tea", HERE, kinds=HOW_TO) == []
    await store.amend(["a"], lambda m: replace(m, kind=Kind.PROCEDURAL))
    assert ids(await store.search_vector(QUERY, "f", HERE, kinds=HOW_TO)) == ["a"]
    assert ids(await store.search_vector(QUERY, "f", HERE)) == ["a", "b"]
    assert ids(await store.search_text("tea", HERE, kinds=HOW_TO)) == ["a"]


@given(
    st.lists(
        st.tuples(st.sampled_from(Kind), st.sampled_from(["tea", "tea cup", "cup", "火锅 tea"])),
        min_size=1,
        max_size=20,
    ),
    st.frozensets(st.sampled_from(Kind), max_size=3),
    st.integers(1, 8),
)
async def test_the_best_of_some_kinds_are_the_best_of_all_without_the_others(
    store: MemoryStore, told: list[tuple[Kind, str]], kinds: frozenset[Kind], limit: int
) -> None:
    await store.purge([f"{n:02}" for n in range(20)])
    every = [memory(f"{n:02}", text, kind=kind) for n, (kind, text) in enumerate(told)]
    await store.put(every)
    await store.set_vectors("f", {m.id: vector(1, n % 5) for n, m in enumerate(every)})
    hits = await store.search_text("tea 火锅", HERE)
    few = await store.search_text("tea 火锅", HERE, limit=limit, kinds=kinds)
    assert few == only(hits, kinds, every)[:limit]
    near = await store.search_vector(QUERY, "f", HERE)
    few = await store.search_vector(QUERY, "f", HERE, limit=limit, kinds=kinds)
    expected = only(near, kinds, every)[:limit]
    assert ids(few) == ids(expected)
    assert [hit.score for hit in few] == pytest.approx([hit.score for hit in expected], abs=1e-5)


async def happened(store: MemoryStore, first: float, last: float, **more: object) -> list[str]:
    where = replace(Filter(scopes=HERE, happened=(first, last)), **more)
    assert await store.count(where) == len(await store.page(where))
    return [m.id for m in await store.page(where, order=Order.LATEST)]


async def test_an_interval_of_events_holds_both_of_its_ends(store: MemoryStore) -> None:
    await store.put([memory(f"{n}", happened_at=NOW + n, created_at=NOW - n) for n in range(6)])
    assert await happened(store, NOW + 1, NOW + 3) == ["3", "2", "1"]
    assert await happened(store, NOW + 2, NOW + 2) == ["2"]
    assert await happened(store, NOW + 3, NOW + 2) == []
    assert await happened(store, float("-inf"), float("inf")) == ["5", "4", "3", "2", "1", "0"]
    where = Filter(scopes=HERE, happened=(NOW + 1, NOW + 2))
    for page in (1, 200):
        assert [m.id async for m in store.iterate(where, page=page)] == ["1", "2"]


async def test_events_before_1970_and_far_ahead_are_found(store: MemoryStore) -> None:
    await store.put([memory("old", happened_at=-1e10), memory("far", happened_at=1e12)])
    assert await happened(store, -2e10, -1.0) == ["old"]
    assert await happened(store, 1e11, 1e13) == ["far"]
    await store.amend(["far"], lambda m: replace(m, happened_at=NOW - 9))
    assert await happened(store, NOW - 9, NOW - 1) == ["far"]
    assert await happened(store, 1e11, 1e13) == []


async def test_events_are_listed_by_time_id_and_page(store: MemoryStore) -> None:
    await store.put([memory(id, happened_at=NOW) for id in "cab"])
    where = Filter(scopes=HERE, happened=(NOW, NOW))
    pages = [await store.page(where, order=Order.LATEST, limit=2, offset=n) for n in (0, 2)]
    assert [[m.id for m in page] for page in pages] == [["a", "b"], ["c"]]
    await store.put([memory(f"{n}", happened_at=NOW + n % 4) for n in range(9)])
    await store.put([memory("x", kind=Kind.EPISODIC, happened_at=NOW + 2)])
    where = Filter(
        scopes=HERE, kinds=frozenset({Kind.SEMANTIC}), recallable=True, happened=(NOW + 1, NOW + 2)
    )
    listed = [
        [m.id for m in await store.page(where, order=order, limit=3, offset=offset)]
        for order in (Order.LATEST, Order.NEWEST)
        for offset in (0, 3)
    ]
    assert listed == [["2", "6", "1"], ["5"], ["1", "2", "5"], ["6"]]


async def test_an_interval_goes_with_every_other_condition(store: MemoryStore) -> None:
    await store.put(
        [
            memory("a", kind=Kind.EPISODIC),
            memory("b"),
            with_status(memory("c"), Status.BINNED),
            memory("d", scope=BEN),
        ]
    )
    assert await happened(store, NOW, NOW) == ["a", "b"]
    assert await happened(store, NOW, NOW, recallable=True) == ["a", "b"]
    assert await happened(store, NOW, NOW, kinds=frozenset({Kind.EPISODIC})) == ["a"]
    assert await happened(store, NOW, NOW, status=None) == ["a", "b", "c"]
    assert await happened(store, NOW, NOW, scopes=None) == ["a", "b", "d"]


async def test_a_thread_is_found_by_no_search_and_mentions_nothing(store: MemoryStore) -> None:
    told = Relation("t", TELLS, "a")
    thread = memory(
        "t", "tea", kind=Kind.NARRATIVE, relations=(told,), entities=(Entity("b", "B"),)
    )
    await store.put([thread, memory("a", "tea")])
    assert ids(await store.search_text("tea", HERE)) == ["a"]
    assert await store.known_entities(["b"], HERE) == {}
    assert [m.id for m in await store.unembedded("f")] == ["a"]
    for where in (Filter(HERE, recallable=False), Filter(HERE, exempt=True)):
        assert [m.id async for m in store.iterate(where)] == ["t"]
    await store.amend(["t"], lambda each: replace(each, relations=()))
    assert ids(await store.search_text("tea", HERE)) == ["a", "t"]
