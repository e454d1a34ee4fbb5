"""Adding, reading and listing memories."""

import asyncio
import math
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import MemoryNotFound
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Status,
    Succession,
    Successor,
    UserFeedback,
)
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, NOW, complete, memory, with_status, with_strength

ODD_TEXTS = [
    "",
    "NUL \x00 inside",
    "lone \ud800 surrogate \udfff",
    "emoji 👩‍👩‍👧 and 火锅 and עברית",
    "'; DROP TABLE memory; --",
    '"quoted" AND NOT (near/3)',
    "\u2028\u2029\ufeff\u202e",
]


async def test_what_was_put_comes_back_whatever_its_text(store: MemoryStore) -> None:
    odd = [
        memory(f"t{n}", text, summary=text, cues=(text,), scope=f"private/x/{n}/*")
        for n, text in enumerate(ODD_TEXTS)
    ]
    for each in (complete("a"), *odd):
        await store.put([each])
        assert await store.get(each.id) == each


async def test_put_returns_what_it_added_of_one_id_the_first(store: MemoryStore) -> None:
    assert await store.put([memory("a", "first"), memory("a", "second"), memory("b")]) == {"a", "b"}
    assert (await store.get("a")).text == "first"
    assert await store.put([memory("b"), memory("c")]) == {"c"}
    assert await store.put([]) == frozenset()


async def test_put_leaves_a_known_memory_untouched(store: MemoryStore) -> None:
    kept = [with_status(memory(status.value, "first"), status) for status in Status]
    await store.put(kept)
    again = [memory(each.id, "second", scope=BEN) for each in kept]
    assert await store.put(again) == frozenset()
    assert await store.find([each.id for each in kept]) == kept
    assert await store.search_text("second", frozenset({ANNA, BEN})) == []


async def test_get_raises_for_an_unknown_memory_and_outside_the_scopes(store: MemoryStore) -> None:
    await store.put([memory("a")])
    assert (await store.get("a", frozenset({ANNA, BEN}))).id == "a"
    for id, scopes in (("b", None), ("a", frozenset({BEN})), ("a", frozenset[str]())):
        with pytest.raises(MemoryNotFound):
            await store.get(id, scopes)


async def test_find_keeps_the_order_of_the_ids_in_its_scopes(store: MemoryStore) -> None:
    await store.put([with_status(memory(s.value), s) for s in Status])
    await store.put([memory("ben", scope=BEN)])
    found = await store.find(["live", "x", "binned", "ben", "archived", "live"])
    assert [m.id for m in found] == ["live", "binned", "ben", "archived"]
    inside = await store.find(["live", "binned", "ben", "archived"], frozenset({ANNA}))
    assert [m.id for m in inside] == ["live", "binned", "archived"]
    assert await store.find(["live"], frozenset()) == []
    for odd in ("\x00", "live\x00b", "\ud800", "%", "", "' OR 1=1"):
        assert await store.find([odd]) == []
        assert await store.find(["live"], frozenset({odd})) == []


async def test_a_long_list_of_ids_is_found(store: MemoryStore) -> None:
    ids = [f"{n:05}" for n in range(1_500)]
    await store.put([memory(id) for id in ids])
    assert [m.id for m in await store.find(ids[::-1])] == ids[::-1]
    assert await store.resolve("0", None) == ids[:10]


async def test_resolve_finds_ids_by_a_prefix_in_its_scopes(store: MemoryStore) -> None:
    await store.put([memory("AB1"), with_status(memory("ab2"), Status.BINNED), memory("b")])
    assert await store.resolve("aB", None) == ["AB1", "ab2"]
    assert await store.resolve("ab2", None) == ["ab2"]
    await store.put([memory("x1"), memory("x2", scope=BEN)])
    assert await store.resolve("x", frozenset({BEN})) == ["x2"]
    assert await store.resolve("x", frozenset()) == []
    await store.put([memory(id) for id in ("abc", "a%c", "a_d", "a\\e")])
    assert await store.resolve("a%", None) == ["a%c"]
    assert await store.resolve("a_", None) == ["a_d"]
    assert await store.resolve("a\\", None) == ["a\\e"]
    assert await store.resolve("\ud800", None) == []


async def test_a_page_is_ordered_with_ties_by_id(store: MemoryStore) -> None:
    await store.put(
        [
            memory("c", created_at=1.0, vitality=with_strength(5)),
            memory("a", created_at=2.0, vitality=with_strength(4)),
            memory("d", created_at=1.0, vitality=with_strength(9)),
            memory("b", created_at=2.0, vitality=with_strength(5)),
        ]
    )
    expected = {Order.NEWEST: "abcd", Order.OLDEST: "cdab", Order.STRONGEST: "dbca"}
    for order, ids in expected.items():
        for scopes in (None, frozenset({ANNA}), frozenset({ANNA, BEN})):
            page = await store.page(Filter(scopes=scopes), order=order)
            assert "".join(m.id for m in page) == ids


async def test_pages_follow_one_another(store: MemoryStore) -> None:
    await store.put([memory(f"{n:02}") for n in range(25)])
    first = await store.page(Filter(), limit=20)
    second = await store.page(Filter(), limit=20, offset=20)
    assert [m.id for m in first + second] == [f"{n:02}" for n in range(25)]


FILTERS = [
    Filter(),
    Filter(status=None),
    Filter(scopes=frozenset()),
    Filter(scopes=frozenset({BEN})),
    Filter(status=Status.BINNED),
    Filter(kinds=frozenset({Kind.SEMANTIC, Kind.EPISODIC})),
    Filter(kinds=frozenset()),
    Filter(recallable=True),
    Filter(recallable=False, status=None),
    Filter(exempt=True),
    Filter(exempt=False, status=None),
    Filter(score=(3.0, 10.0)),
    Filter(score=(10.0, math.inf)),
    Filter(score=(3.0, 3.0)),
    Filter(created_before=NOW),
    Filter(created_before=NOW + 1, scopes=frozenset({ANNA}), exempt=True, score=(-1.0, 99.0)),
]


def a_varied_population() -> list[Memory]:
    corrected, updated = (Successor("x", how) for how in (Succession.CORRECTS, Succession.UPDATES))
    return [
        memory("a"),
        with_status(memory("b"), Status.BINNED),
        with_status(memory("c"), Status.ARCHIVED),
        memory("d", kind=Kind.EVIDENCE),
        memory("e", kind=Kind.EPISODIC, scope=BEN),
        memory("f", successor=corrected),
        memory("g", successor=updated),
        memory("h", created_at=NOW - 1, vitality=with_strength(1, pinned=True, useful_score=3.0)),
        memory("i", created_at=NOW - 2, feedback=UserFeedback(important=True)),
        memory("j", created_at=NOW - 3, vitality=with_strength(1, useful_score=9.99)),
        memory("k", created_at=NOW - 4, vitality=with_strength(1, useful_score=10.0)),
    ]


def lets_through(where: Filter, m: Memory) -> bool:
    return (
        (where.scopes is None or m.scope in where.scopes)
        and where.status in (None, m.standing.status)
        and (where.kinds is None or m.kind in where.kinds)
        and where.recallable in (None, m.recallable)
        and where.exempt in (None, m.exempt)
        and (where.score is None or where.score[0] <= m.vitality.useful_score < where.score[1])
        and (where.created_before is None or m.created_at < where.created_before)
    )


async def test_page_count_and_iterate_agree_with_the_filter(store: MemoryStore) -> None:
    await store.put(a_varied_population())
    for where in FILTERS:
        expected = [m for m in a_varied_population() if lets_through(where, m)]
        assert await store.page(where) == expected
        assert await store.count(where) == len(expected)
        assert [m async for m in store.iterate(where, page=2)] == expected
    # The bounds of tiers share every memory out once.
    tiers = ((-math.inf, 3.0), (3.0, 10.0), (10.0, math.inf))
    counts = [await store.count(Filter(score=bounds)) for bounds in tiers]
    assert tuple(counts) == (await store.tally(Tmd())).tiers


async def test_iterate_may_be_abandoned_and_goes_on_amid_changes(store: MemoryStore) -> None:
    await store.put([memory(f"{n}") for n in range(9)])
    for _ in range(5):
        async for _ in store.iterate(Filter(), page=2):
            break
    seen = []
    async for m in store.iterate(Filter(), page=2):
        seen.append(m.id)
        await store.purge([m.id])
    assert seen == [f"{n}" for n in range(9)]
    assert await store.count(Filter(status=None)) == 0


async def test_the_tally_counts_by_status_kind_and_tier(store: MemoryStore) -> None:
    scores = (0.0, 2.9, 3.0, 9.9, 10.0)
    scored = [
        memory(f"s{n}", vitality=with_strength(4, useful_score=score))
        for n, score in enumerate(scores)
    ]
    await store.put([*scored, *a_varied_population()])
    tally = await store.tally(Tmd(), frozenset({ANNA}))
    assert tally.by_status == {Status.LIVE: 13, Status.BINNED: 1, Status.ARCHIVED: 1}
    assert tally.by_kind == {Kind.SEMANTIC: 12, Kind.EVIDENCE: 1}
    assert tally.tiers == (7, 4, 2)
    everywhere = await store.tally(Tmd())
    assert sum(everywhere.by_status.values()) == 16
    assert (await store.tally(Tmd(), frozenset())).tiers == (0, 0, 0)


async def test_scopes_are_listed_with_their_live_memories(store: MemoryStore) -> None:
    await store.put([memory("a"), memory("b"), with_status(memory("c", scope=BEN), Status.BINNED)])
    assert await store.scopes() == {ANNA: 2, BEN: 0}
    await store.purge(["c"])
    assert await store.scopes() == {ANNA: 2}


async def test_distilled_names_what_was_learnt_from_a_turn(store: MemoryStore) -> None:
    await store.put(
        [
            memory("b", origin=Origin(turns=(1, 2))),
            memory("a", origin=Origin(turns=(2,))),
            memory("evidence", kind=Kind.EVIDENCE, origin=Origin(turns=(2,))),
            with_status(memory("gone", origin=Origin(turns=(2,))), Status.BINNED),
            memory("ben", scope=BEN, origin=Origin(turns=(2,))),
            memory(
                "old", origin=Origin(turns=(2,)), successor=Successor("b", Succession.SUPERSEDES)
            ),
        ]
    )
    learnt = await store.distilled([1, 2, 3], frozenset({ANNA}))
    assert learnt == {1: ("b",), 2: ("a", "b"), 3: ()}
    assert await store.distilled([2], frozenset()) == {2: ()}
    assert await store.distilled([], frozenset({ANNA})) == {}
    await store.amend(["b"], lambda m: replace(m, origin=Origin(turns=(3, 3))))
    learnt = await store.distilled([1, 2, 3], frozenset({ANNA}))
    assert learnt == {1: (), 2: ("a",), 3: ("b",)}


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 13, 21])
async def test_a_cancelled_put_is_whole_or_absent(store: MemoryStore, steps: int) -> None:
    batch = [memory(f"{n:03}", "tea for two", origin=Origin(turns=(n,))) for n in range(40)]
    task = asyncio.create_task(store.put(batch))
    for _ in range(steps):
        await asyncio.sleep(0.0005)
    task.cancel()
    await asyncio.wait({task})
    count = await store.count(Filter())
    assert count in (0, 40)
    assert len(await store.search_text("tea", frozenset({ANNA}))) == count
    assert len(await store.put(batch)) == 40 - count


async def test_readers_and_writers_run_together(store: MemoryStore) -> None:
    async def write(start: int) -> None:
        for n in range(start, start + 15):
            await store.put([memory(f"{n:03}", "tea"), memory(f"{n:03}-twin", "tea")])

    async def read() -> None:
        for _ in range(15):
            assert len(await store.search_text("tea", frozenset({ANNA}))) % 2 == 0
            assert await store.count(Filter()) % 2 == 0

    await asyncio.gather(write(0), write(100), read(), read(), read(), read())
    assert await store.count(Filter()) == 60


async def test_bumping_one_memory_from_many_tasks_loses_no_bump(store: MemoryStore) -> None:
    await store.put([memory("a", vitality=with_strength(0))])

    def bump(m: Memory) -> Memory:
        return replace(m, vitality=replace(m.vitality, strength=m.vitality.strength + 1))

    await asyncio.gather(*(store.amend(["a"], bump) for _ in range(30)))
    assert (await store.get("a")).vitality.strength == 30


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.floats(0, 9)), max_size=12))
async def test_any_sequence_of_puts_keeps_the_first_of_each_id(
    store: MemoryStore, puts: list[tuple[str, float]]
) -> None:
    await store.purge(list("abcde"))
    first: dict[str, float] = {}
    for id, importance in puts:
        added = await store.put([memory(id, importance=importance)])
        assert added == (set() if id in first else {id})
        first.setdefault(id, importance)
    kept = {m.id: m.importance for m in await store.page(Filter())}
    assert kept == first


async def test_a_store_that_is_open_can_be_used_and_closed_twice(store: MemoryStore) -> None:
    await store.put([memory("a")])
    await store.check()
    assert await store.find(["a"]) == [memory("a")]
    await store.close()
    await store.close()
