"""Several views of a memory: the nearest finds it, and nothing is left of any."""

from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.memory import VIEWS, Kind, Status
from astrbot_plugin_tidemark.core.ports import MemoryStore, Scored

from ..memories import ANNA, BEN, memory, vector, with_status

HERE = frozenset({ANNA})
ONE, TWO, CUE = "part 1", "part 2", "part 3"
X, Y, Z = vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)


async def nearest(store: MemoryStore, *direction: float, **how: object) -> list[tuple[str, str]]:
    found = await store.search_vector(vector(*direction), "f:3", HERE, **how)
    return [(hit.id, hit.view) for hit in found if hit.score > 0.0]


async def furnish(store: MemoryStore) -> None:
    await store.put([memory("a", "x"), memory("b", "y"), memory("c", "z", scope=BEN)])
    views = {"a": {ONE: Y, CUE: Z}, "c": {ONE: X}}
    assert await store.set_vectors("f:3", {"a": X, "b": Y, "c": Z, "none": X}, views) == 3


async def test_a_memory_is_found_once_by_its_nearest_view(store: MemoryStore) -> None:
    await furnish(store)
    assert await nearest(store, 0, 0, 1) == [("a", CUE)]
    assert await nearest(store, 1, 0, 0) == [("a", "")]
    assert await nearest(store, 0, 3, 1) == [("a", ONE), ("b", "")]
    assert await nearest(store, 0, 3, 1, limit=1) == [("a", ONE)]
    only = frozenset({Kind.EVIDENCE})
    assert await nearest(store, 0, 3, 1, kinds=only) == []
    every = frozenset(Kind)
    assert await nearest(store, 0, 3, 1, kinds=every) == [("a", ONE), ("b", "")]


async def test_a_limit_counts_memories_and_not_views(store: MemoryStore) -> None:
    many = {f"m{n:02}": vector(1, n / 100, 0) for n in range(20)}
    await store.put([memory(id, "x") for id in many])
    views = {"m00": {name: vector(1, 0, n / 1000) for n, name in enumerate(VIEWS)}}
    await store.set_vectors("f:3", many, views)
    found = await nearest(store, 1, 0, 0, limit=5)
    assert [id for id, _ in found] == ["m00", "m01", "m02", "m03", "m04"]


async def test_the_whole_goes_before_a_view_and_views_are_read_with_it(store: MemoryStore) -> None:
    await store.put([memory("a")])
    await store.set_vectors("f:3", {"a": X}, {"a": {ONE: X, TWO: X}})
    found = await store.search_vector(X, "f:3", HERE)
    assert found == [Scored("a", 1.0)]
    await furnish(store)
    found = await store.vectors(["a", "b"])
    assert found["b"].views == {}
    assert list(found["a"].views) == [ONE, CUE]
    np.testing.assert_allclose(found["a"].views[CUE], Z, atol=1e-3)
    assert await store.embedded_count("f:3") == (3, 3)


async def test_new_vectors_take_the_place_of_every_view(store: MemoryStore) -> None:
    await furnish(store)
    await store.set_vectors("f:3", {"a": X}, {"a": {TWO: vector(1, 1, 0)}})
    assert list((await store.vectors(["a"]))["a"].views) == [TWO]
    assert await nearest(store, 0, 0, 1) == []
    await store.set_vectors("f:3", {"a": X})
    assert (await store.vectors(["a"]))["a"].views == {}
    assert await nearest(store, 0, 1, 0) == [("b", "")]


async def test_another_embedder_takes_every_view_along(store: MemoryStore) -> None:
    await furnish(store)
    await store.set_vectors("g:2", {"a": vector(1, 0)}, {"a": {ONE: vector(0, 1)}})
    assert await nearest(store, 0, 0, 1) == []
    found = await store.search_vector(vector(0, 1), "g:2", HERE)
    assert [(hit.id, hit.view) for hit in found] == [("a", ONE)]


async def test_what_is_retold_has_no_view_left(store: MemoryStore) -> None:
    await furnish(store)
    for change in ({"text": "new"}, {"cues": ("new",)}):
        await store.set_vectors("f:3", {"a": X}, {"a": {CUE: Z}})
        assert await nearest(store, 0, 0, 1) == [("a", CUE)]
        await store.amend(["a"], lambda m, to=change: replace(m, **to))
        assert await store.vectors(["a"]) == {}
        assert await nearest(store, 0, 0, 1) == []


async def test_neither_the_binned_nor_the_purged_is_found_by_a_view(store: MemoryStore) -> None:
    await furnish(store)
    await nearest(store, 1, 0, 0)
    await store.amend(["a"], lambda m: with_status(m, Status.BINNED))
    assert await nearest(store, 0, 0, 1) == []
    await store.amend(["a"], lambda m: with_status(m, Status.LIVE))
    assert await nearest(store, 0, 0, 1) == [("a", CUE)]
    await store.purge(["a"])
    assert await nearest(store, 0, 0, 1) == []
    await store.put([memory("a", "x")])
    assert await store.vectors(["a"]) == {}
    await store.set_vectors("f:3", {"a": X})
    assert (await store.vectors(["a"]))["a"].views == {}
    assert await nearest(store, 0, 0, 1) == []


async def test_views_that_are_none_are_refused_and_nothing_is_written(store: MemoryStore) -> None:
    await store.put([memory("a")])
    flawed = ({ONE: vector(1, 0)}, {ONE: vector(0, 0, 0)})
    for views in ({"clause 0": X}, {"": X}, {"other": X}, *flawed):
        with pytest.raises(ValueError, match=r"view|direction|finite|dimension"):
            await store.set_vectors("f:3", {"a": X}, {"a": views})
        assert await store.vectors(["a"]) == {}
