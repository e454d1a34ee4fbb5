"""Vectors can be read back, so that they can be moved to another store."""

import numpy as np
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports import MemoryStore

from ..memories import memory, vector, with_status


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
