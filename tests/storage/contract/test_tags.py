"""Tags: kept, listed by, and followed when they change."""

from dataclasses import replace

import numpy as np
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore

from ..memories import ANNA, BEN, ids_of, memory, vector, with_status

HERE = frozenset({ANNA})


def having(id: str, *tags: str, **changes: object) -> Memory:
    return replace(memory(id, "x"), tags=tags, **changes)


async def test_memories_are_listed_by_a_tag_in_any_case_and_script(store: MemoryStore) -> None:
    await store.put([having("a", "travel", "遊戲"), having("b", "遊戲"), having("c")])
    await store.put([having("d", "travel", scope=BEN)])
    assert await ids_of(store, Filter(HERE, tag="Travel")) == ["a"]
    assert await ids_of(store, Filter(tag="#travel")) == ["a", "d"]
    assert await ids_of(store, Filter(HERE, tag="游戏")) == ["a", "b"]
    assert await ids_of(store, Filter(HERE, tag="x" * 10_000)) == []
    assert (await store.get("a")).tags == ("travel", "遊戲")


async def test_a_list_by_tag_follows_every_change(store: MemoryStore) -> None:
    await store.put([having("a", "old", "kept"), having("b", "old")])
    await store.amend(["a"], lambda m: replace(m, tags=("kept", "new")))
    assert await ids_of(store, Filter(HERE, tag="old")) == ["b"]
    assert await ids_of(store, Filter(HERE, tag="new")) == ["a"]
    await store.amend(["a"], lambda m: with_status(m, Status.BINNED))
    assert await ids_of(store, Filter(HERE, tag="new")) == []
    assert await ids_of(store, Filter(HERE, status=None, tag="new")) == ["a"]
    await store.purge(["a", "b"])
    assert await ids_of(store, Filter(status=None, tag="old")) == []
    assert await ids_of(store, Filter(status=None, tag="kept")) == []


async def test_vectors_come_back_at_unit_length_with_their_fingerprint(store: MemoryStore) -> None:
    await store.put([memory("a", "tea"), memory("b", "oats"), memory("c", "rye")])
    await store.set_vectors("hashed:a:2", {"a": vector(3, 4)})
    await store.set_vectors("hashed:b:3", {"b": vector(0, 0, 5)})
    found = await store.vectors(["a", "b", "c", "unknown"])
    assert {id: each.fingerprint for id, each in found.items()} == {
        "a": "hashed:a:2",
        "b": "hashed:b:3",
    }
    np.testing.assert_allclose(found["a"].vector, [0.6, 0.8], atol=1e-3)
    np.testing.assert_allclose(found["b"].vector, [0, 0, 1], atol=1e-3)


async def test_the_newest_vector_is_read_until_the_purge(store: MemoryStore) -> None:
    await store.put([memory("a", "tea")])
    await store.set_vectors("old:2", {"a": vector(1, 0)})
    await store.set_vectors("new:2", {"a": vector(0, 1)})
    await store.amend(["a"], lambda each: with_status(each, Status.BINNED))
    assert (await store.vectors(["a"]))["a"].fingerprint == "new:2"
    await store.purge(["a"])
    assert await store.vectors(["a"]) == {}
