"""Changing and deleting memories: atomic, and every index follows."""

import asyncio
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, archived, restored, to_bin
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.memory import (
    Kind,
    Memory,
    Origin,
    Status,
    Succession,
    Successor,
    Vitality,
)
from astrbot_plugin_tidemark.core.ports import Amendment, Filter, MemoryStore

from ..memories import ANNA, BEN, DAY, NOW, complete, memory, vector, with_status

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
