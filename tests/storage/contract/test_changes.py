"""Changing and deleting memories: atomic, and every index follows."""

import asyncio
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy, archived, restored, to_bin
from astrbot_plugin_tidemark.core.model.memory import Memory, Origin, Status, Succession, Successor
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


async def test_a_change_is_written_and_reported(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    assert await store.amend(["a"], retold("coffee")) == [
        Amendment(memory("a", "tea"), memory("a", "coffee"))
    ]
    assert await store.get("a") == memory("a", "coffee")


async def test_every_field_can_change(store: MemoryStore) -> None:
    after = complete("a")
    await store.put([memory("a", scope=BEN)])
    await store.amend(["a"], lambda _: after)
    assert await store.get("a") == after
    plain = memory("a", scope=BEN)
    await store.amend(["a"], lambda _: plain)
    assert await store.get("a") == plain


async def test_amendments_come_in_the_order_of_the_ids(store: MemoryStore) -> None:
    await store.put([memory(id) for id in "abc"])
    amendments = await store.amend(["c", "unknown", "a", "c"], retold("x"))
    assert [each.after.id for each in amendments] == ["c", "a"]


async def test_unknown_ids_are_skipped(store: MemoryStore) -> None:
    assert await store.amend(["a"], retold("x")) == []
    assert await store.amend([], retold("x")) == []


async def test_a_memory_that_comes_back_equal_is_not_reported(store: MemoryStore) -> None:
    await store.put([memory("a", "x"), memory("b", "y")])
    assert [each.after.id for each in await store.amend(["a", "b"], retold("x"))] == ["b"]


async def test_memories_in_any_status_can_change(store: MemoryStore) -> None:
    await store.put([with_status(memory(status.value), status) for status in Status])
    assert len(await store.amend([status.value for status in Status], retold("x"))) == len(Status)


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


@pytest.mark.parametrize("moved", [{"id": "z"}, {"scope": BEN}])
async def test_a_change_must_keep_id_and_scope(store: MemoryStore, moved: dict[str, str]) -> None:
    await store.put([memory("a"), memory("b")])
    with pytest.raises(ValueError, match="id and scope"):
        await store.amend(["a", "b"], lambda m: replace(m, text="x", **moved))
    assert await store.find(["a", "b", "z"]) == [memory("a"), memory("b")]


@pytest.mark.parametrize("field", ["text", "summary", "cues"])
async def test_the_text_index_follows_a_change(store: MemoryStore, field: str) -> None:
    def say(word: str) -> dict[str, object]:
        return {field: (word,) if field == "cues" else word}

    await store.put([memory("a", **say("jasmine"))])
    await store.amend(["a"], lambda m: replace(m, **say("espresso")))
    assert await found(store, "jasmine") == []
    assert await found(store, "espresso") == ["a"]


async def test_a_text_that_changed_needs_a_new_vector(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    assert await near(store) == ["a"]
    await store.amend(["a"], retold("coffee"))
    assert await near(store) == []
    assert [m.id for m in await store.unembedded("f")] == ["a"]


async def test_other_changes_keep_the_vector(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.amend(["a"], lambda m: replace(m, trust=0.9))
    assert await near(store) == ["a"]


async def test_a_binned_memory_is_not_found_by_search(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    assert (await found(store, "tea"), await near(store)) == (["a"], ["a"])
    await store.amend(["a"], binned)
    assert (await found(store, "tea"), await near(store)) == ([], [])


async def test_a_restored_memory_is_found_again(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "milk")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(0, 1)})
    await store.amend(["a"], binned)
    assert await near(store) == ["b"]
    await store.amend(["a"], back)
    assert (await found(store, "tea"), await near(store)) == (["a"], ["a", "b"])


async def test_a_binned_memory_that_was_retold_is_found_by_its_new_text(
    store: MemoryStore,
) -> None:
    await store.put([memory("a", "tea")])
    await store.amend(["a"], binned)
    await store.amend(["a"], retold("coffee"))
    assert await found(store, "coffee") == []
    await store.amend(["a"], back)
    assert (await found(store, "tea"), await found(store, "coffee")) == ([], ["a"])


@pytest.mark.parametrize("how", Succession)
async def test_a_replaced_memory_leaves_recall_unless_it_was_updated(
    store: MemoryStore, how: Succession
) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.amend(["a"], lambda m: replace(m, successor=Successor("b", how)))
    expected = ["a"] if how is Succession.UPDATES else []
    assert (await found(store, "tea"), await near(store)) == (expected, expected)


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


async def test_purged_memories_are_gone_from_everywhere(store: MemoryStore) -> None:
    await store.put([memory("a", "tea", origin=Origin(turns=(1,))), memory("b", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0), "b": vector(1, 0)})
    assert await near(store) == ["a", "b"]
    assert await store.purge(["a", "unknown"]) == {"a"}
    assert await store.find(["a"]) == []
    assert (await found(store, "tea"), await near(store)) == (["b"], ["b"])
    assert await store.distilled([1], HERE) == {1: ()}
    assert await store.count(Filter(status=None)) == 1
    assert await store.purge(["a"]) == frozenset()


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


async def test_an_id_may_be_put_again_after_a_purge(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("f", {"a": vector(1, 0)})
    await store.purge(["a"])
    assert await store.put([memory("a", "coffee")]) == {"a"}
    assert (await found(store, "tea"), await found(store, "coffee")) == ([], ["a"])
    assert await near(store) == []


async def test_due_for_purge_are_binned_memories_whose_time_has_passed(
    store: MemoryStore,
) -> None:
    await store.put(
        [with_status(memory(f"b{n}"), Status.BINNED, since=NOW + n * DAY) for n in (3, 1, 2)]
    )
    await store.put([memory("live"), with_status(memory("shelved"), Status.ARCHIVED)])
    assert await store.purge_due(NOW + 30 * DAY) == []
    assert await store.purge_due(NOW + 32 * DAY) == ["b1", "b2"]
    assert await store.purge_due(NOW + 99 * DAY, limit=2) == ["b1", "b2"]


async def test_a_restored_memory_is_not_due_for_purge(store: MemoryStore) -> None:
    await store.put([memory("a")])
    await store.amend(["a"], binned)
    await store.amend(["a"], back)
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
