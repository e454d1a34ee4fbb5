"""Vectors in memory are a projection: loaded on first use, followed, evicted."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.ports import Vector
from astrbot_plugin_tidemark.storage.flat_index import FlatIndex, VectorPage, codes
from astrbot_plugin_tidemark.storage.partitions import (
    MOST_WAITING,
    PLACES,
    PartitionKey,
    Partitions,
    VectorChange,
)
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.vector_table import packed, sound
from hypothesis import given
from hypothesis import strategies as st

from ..memories import ANNA, BEN, DAY, NOW, memory, vector

QUERY = vector(1, 0)


def key(scope: int, fingerprint: str = "f") -> PartitionKey:
    return PartitionKey(scope, fingerprint, 2)


def page(rows: list[int], vectors: list[Vector], kinds: list[Kind]) -> VectorPage:
    return VectorPage(np.array(rows, np.int64) * PLACES, codes(kinds), np.stack(vectors))


class Table:
    """A table of vectors that counts its loads and can fail or wait."""

    def __init__(self, vectors: dict[int, Vector]) -> None:
        self.vectors = vectors
        self.loads: list[PartitionKey] = []
        self.error: StorageError | None = None
        self.started = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def load(self, key: PartitionKey) -> AsyncGenerator[VectorPage]:
        self.loads.append(key)
        self.started.set()
        snapshot = dict(self.vectors)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        if snapshot:
            yield page(list(snapshot), list(snapshot.values()), [Kind.SEMANTIC] * len(snapshot))


TWO = 8
"""Bytes of two vectors of two numbers."""


async def rows(partitions: Partitions, key: PartitionKey, limit: int = 10) -> list[int]:
    partition = await partitions.load(key)
    found, _ = await asyncio.to_thread(partition.nearest, QUERY, limit)
    return [number // PLACES for number in found.tolist()]


async def test_a_partition_is_loaded_once_and_drops_other_fingerprints() -> None:
    table = Table({1: vector(1, 0), 2: vector(0, 1)})
    partitions = Partitions(table.load, TWO)
    assert await rows(partitions, key(1)) == [1, 2]
    assert await rows(partitions, key(1), 1) == [1]
    assert table.loads == [key(1)]
    await partitions.close()
    await rows(partitions, key(1))
    partitions.follow([VectorChange(1, 1, "g", vector(1, 0))])
    assert await rows(partitions, key(1)) == [2]
    await partitions.close()


async def test_the_least_used_is_evicted_and_one_at_hand_counts_as_used() -> None:
    table = Table({1: vector(1, 0)})
    partitions = Partitions(table.load, TWO)
    for scope in (1, 2, 1, 3):
        await rows(partitions, key(scope))
    assert partitions.loaded == (key(1), key(3))
    await rows(partitions, key(2))
    assert table.loads == [key(1), key(2), key(3), key(2)]
    await partitions.close()
    partitions = Partitions(Table({1: vector(1, 0)}).load, TWO)
    await rows(partitions, key(1))
    await rows(partitions, key(2))
    partitions.at_hand(key(1))
    await rows(partitions, key(3))
    assert partitions.loaded == (key(1), key(3))
    await partitions.close()


async def test_a_commit_during_the_load_is_not_lost() -> None:
    table = Table({1: vector(1, 0), 2: vector(0, 1)})
    table.gate.clear()
    partitions = Partitions(table.load, TWO)
    search = asyncio.create_task(rows(partitions, key(1)))
    await table.started.wait()
    partitions.follow([VectorChange(1, 1), VectorChange(1, 3, "f", vector(1, 0))])
    partitions.follow([VectorChange(2, 4, "f", vector(1, 0))])
    table.gate.set()
    assert await search == [3, 2]
    await partitions.close()


async def test_a_cancelled_search_does_not_stop_the_load() -> None:
    table = Table({1: vector(1, 0)})
    table.gate.clear()
    partitions = Partitions(table.load, TWO)
    search = asyncio.create_task(rows(partitions, key(1)))
    await table.started.wait()
    search.cancel()
    await asyncio.wait({search})
    table.gate.set()
    assert await rows(partitions, key(1)) == [1]
    assert table.loads == [key(1)]
    await partitions.close()


async def test_a_partition_is_at_hand_once_it_is_loaded() -> None:
    table = Table({1: vector(1, 0)})
    table.gate.clear()
    partitions = Partitions(table.load, TWO)
    assert partitions.at_hand(key(1)) is None
    search = asyncio.create_task(rows(partitions, key(1)))
    await table.started.wait()
    assert partitions.at_hand(key(1)) is None
    table.gate.set()
    await search
    assert partitions.at_hand(key(1)) is await partitions.load(key(1))
    await partitions.close()


async def test_withdrawn_rows_are_gone_without_a_load() -> None:
    table = Table({1: vector(1, 0), 2: vector(0, 1)})
    partitions = Partitions(table.load, 2 * TWO)
    for scope in (1, 2):
        await rows(partitions, key(scope))
    partitions.withdraw({1: [1, 99], 3: [2]})
    assert await rows(partitions, key(1)) == [2]
    assert await rows(partitions, key(2)) == [1, 2]
    assert table.loads == [key(1), key(2)]
    await partitions.close()


async def test_what_waits_for_a_search_that_nobody_makes_is_not_piled_up() -> None:
    partitions = Partitions(Table({1: vector(1, 0)}).load, TWO)
    await rows(partitions, key(1))
    partitions.follow([VectorChange(1, 1, "f", QUERY)] * MOST_WAITING)
    assert partitions.loaded == (key(1),)
    partitions.follow([VectorChange(1, 1, "f", QUERY)])
    assert (partitions.loaded, await rows(partitions, key(1))) == ((), [1])
    await partitions.close()


async def test_a_failed_load_is_tried_again() -> None:
    table = Table({1: vector(1, 0)})
    table.error = StorageError("disk")
    partitions = Partitions(table.load, TWO)
    with pytest.raises(StorageError, match="disk"):
        await rows(partitions, key(1))
    table.error = None
    assert await rows(partitions, key(1)) == [1]
    await partitions.close()


async def test_closing_stops_a_running_load() -> None:
    table = Table({1: vector(1, 0)})
    table.gate.clear()
    partitions = Partitions(table.load, TWO)
    search = asyncio.create_task(rows(partitions, key(1)))
    await table.started.wait()
    await partitions.close()
    await asyncio.wait({search})
    assert search.cancelled()
    assert partitions.loaded == ()


@given(
    st.lists(
        st.tuples(st.sampled_from([None, *Kind]), st.integers(0, 9), st.integers(0, 99)),
        max_size=30,
    ),
    st.integers(1, 12),
    st.one_of(st.none(), st.frozensets(st.sampled_from(Kind))),
)
def test_the_nearest_of_some_kinds_are_found_however_often_rows_went(
    steps: list[tuple[Kind | None, int, int]], limit: int, kinds: frozenset[Kind] | None
) -> None:
    indexes = [FlatIndex(2), FlatIndex(2, most_removed=2)]
    present: dict[int, tuple[Kind, float]] = {}
    for kind, row, angle in steps:
        direction = np.array([np.cos(angle), np.sin(angle)], np.float32)
        present.pop(row, None)
        for index in indexes:
            index.remove(np.array([row], np.int64) * PLACES)
            if kind is not None:
                index.add(page([row], [direction], [kind]))
                present[row] = kind, float(direction @ QUERY)
    among = {row: far for row, (kind, far) in present.items() if kinds is None or kind in kinds}
    wanted = None if kinds is None else codes(kinds)
    for rows, cosines in (index.nearest(QUERY, limit, wanted) for index in indexes):
        assert {number // PLACES for number in rows.tolist()} <= among.keys()
        nearest = sorted(among.values(), reverse=True)[:limit]
        assert cosines.tolist() == pytest.approx(nearest, abs=1e-3)


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=40).filter(any))
def test_half_precision_keeps_the_direction(numbers: list[float]) -> None:
    exact = np.array(numbers, np.float64)
    unit = exact / np.linalg.norm(exact)
    restored = sound([(0, "f", packed(unit.astype(np.float32)))])[0].vector
    assert float(np.linalg.norm(restored)) == pytest.approx(1.0, abs=1e-5)
    assert float(restored @ unit) == pytest.approx(1.0, abs=1e-3)


async def test_the_store_keeps_no_more_partitions_than_it_was_told(store: SqliteStore) -> None:
    scopes = [f"private/test/{n}/*" for n in range(5)]
    await store.put([memory(scope, scope=scope) for scope in scopes])
    await store.set_vectors("f", dict.fromkeys(scopes, QUERY))
    for _ in range(2):
        for scope in scopes:
            hits = await store.search_vector(QUERY, "f", frozenset({scope}))
            assert [hit.id for hit in hits] == [scope]
            assert len(store.in_memory.partitions.loaded) <= 3
    every = await store.search_vector(QUERY, "f", frozenset(scopes))
    assert [hit.id for hit in every] == scopes


async def test_opening_loads_nothing(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([memory("a")])
    await store.set_vectors("f", {"a": QUERY})
    await store.close()
    store = await SqliteStore.open(tmp_path)
    assert store.in_memory.partitions.loaded == ()
    await store.close()


async def test_a_decay_pass_leaves_the_partitions_in_memory(store: SqliteStore) -> None:
    lasting = memory("b", kind=Kind.PROSPECTIVE)
    await store.put([memory("a"), lasting, memory("c", scope=BEN, kind=Kind.PROSPECTIVE)])
    await store.set_vectors("f", dict.fromkeys("abc", QUERY))
    everywhere = frozenset({ANNA, BEN})
    assert len(await store.search_vector(QUERY, "f", everywhere)) == 3
    kept = {
        key: store.in_memory.partitions.at_hand(key) for key in store.in_memory.partitions.loaded
    }
    assert (await store.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())).binned == 1
    hits = await store.search_vector(QUERY, "f", everywhere, limit=1)
    assert [hit.id for hit in hits] == ["b"]
    assert {
        key: store.in_memory.partitions.at_hand(key) for key in store.in_memory.partitions.loaded
    } == kept
