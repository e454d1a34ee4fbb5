"""Decay deltas lie beside the records: they last, and hold for one writing of a life only."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Memory, Status
from astrbot_plugin_tidemark.core.ports import DecayCount, Filter
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, client
from astrbot_plugin_tidemark.storage.chroma import decay_deltas as deltas
from astrbot_plugin_tidemark.storage.chroma.collection import StoredCollection
from astrbot_plugin_tidemark.storage.chroma.decay_deltas import (
    DecayDelta,
    DecayDeltas,
    DecayPass,
    DeltaRows,
)
from astrbot_plugin_tidemark.storage.chroma.namespace import (
    CollectionRole,
    Label,
    Namespace,
    label_name,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ..memories import ANNA, BEN, DAY, NOW, memory, with_strength
from .test_folder import beside, records_of
from .test_repair import Fuse

CYCLE = 3 * DAY
TAG = "scope"
DELTA = DecayDelta(7, 3, 0.1)


async def aged(store: ChromaStore, cycles: int) -> DecayCount:
    return await store.decay(NOW + cycles * CYCLE, Tmd().plan, BinPolicy())


async def strengths(store: ChromaStore) -> dict[str, int]:
    everything = store.iterate(Filter(status=None))
    return {m.id: m.vitality.strength async for m in everything}


def stored(folder: Path, name: str) -> dict[str, Any]:
    """A collection as another program sees it."""
    other = beside(folder)
    got = other.get_collection(name, embedding_function=None).get(include=["metadatas"])
    other.close()
    return dict(zip(got["ids"], got["metadatas"], strict=True))


def sheets_of(folder: Path) -> dict[str, Any]:
    return stored(folder, label_name("embedded", Label(CollectionRole.DELTAS)))


@pytest.fixture
def namespace(quick_folder: Path) -> Iterator[Namespace]:
    opened = client.embedded(quick_folder)
    yield Namespace(opened, "embedded")
    opened.close()


async def test_time_weakens_many_memories_in_few_rows_and_no_record(
    quick_folder: Path, store: ChromaStore
) -> None:
    await store.put([memory(f"{n}", vitality=with_strength(5)) for n in range(100)])
    before = stored(quick_folder, records_of(ANNA))
    assert await aged(store, 2) == DecayCount(100, 0)
    assert stored(quick_folder, records_of(ANNA)) == before
    assert set((await strengths(store)).values()) == {3}
    assert len(sheets_of(quick_folder)) == 3


async def test_a_fade_outlives_the_process_that_wrote_it(quick_folder: Path) -> None:
    store = await ChromaStore.open(quick_folder)
    await store.put([memory("a", vitality=with_strength(5)), memory("b", scope=BEN)])
    await aged(store, 1)
    before = [m async for m in store.iterate(Filter())]
    await store.close()
    store = await ChromaStore.open(quick_folder)
    assert [m async for m in store.iterate(Filter())] == before
    assert before[0].vitality.strength == 4
    assert await aged(store, 1) == DecayCount(0, 0)
    await store.close()


async def test_a_change_starts_from_the_fade_and_voids_it(store: ChromaStore) -> None:
    await store.put([memory("a", vitality=with_strength(5))])
    await aged(store, 2)

    def judged(m: Memory) -> Memory:
        vitality = Tmd().judge(m.vitality, useful=True, turn=1, now=NOW + 2 * CYCLE)
        return replace(m, vitality=vitality)

    await store.amend(["a"], judged)
    assert await strengths(store) == {"a": 4}
    assert await aged(store, 3) == DecayCount(1, 0)
    assert await strengths(store) == {"a": 3}


async def test_a_change_of_the_text_alone_leaves_the_fade_in_force(store: ChromaStore) -> None:
    await store.put([memory("a", vitality=with_strength(5))])
    await aged(store, 2)
    await store.amend(["a"], lambda m: replace(m, text="coffee"))
    assert await strengths(store) == {"a": 3}


async def test_a_memory_made_what_it_was_before_the_fade_stays_so(
    quick_folder: Path, store: ChromaStore
) -> None:
    fresh = memory("a", vitality=with_strength(5))
    await store.put([fresh])
    await aged(store, 2)
    await store.amend(["a"], lambda _: fresh)
    assert await store.get("a") == fresh
    await store.close()
    again = await ChromaStore.open(quick_folder)
    assert await again.get("a") == fresh
    await again.close()


async def test_a_memory_purged_and_put_again_is_as_fresh_as_it_was(store: ChromaStore) -> None:
    fresh = memory("a", vitality=with_strength(5))
    await store.put([fresh, memory("b")])
    await aged(store, 2)
    await store.purge(["a"])
    await store.put([fresh])
    assert await store.get("a") == fresh
    assert await aged(store, 2) == DecayCount(1, 0)
    assert (await strengths(store))["a"] == 3


async def test_a_fade_goes_into_the_bin_with_its_memory_and_comes_back(
    store: ChromaStore,
) -> None:
    await store.put([memory("a", vitality=with_strength(2))])
    await aged(store, 1)
    assert await aged(store, 2) == DecayCount(1, 1)
    binned = await store.get("a")
    assert (binned.vitality.strength, binned.standing.status) == (0, Status.BINNED)
    assert await aged(store, 9) == DecayCount(0, 0)
    assert await store.get("a") == binned


async def test_a_scope_that_is_gone_leaves_no_fades(quick_folder: Path, store: ChromaStore) -> None:
    await store.put([memory("a", vitality=with_strength(5)), memory("b", scope=BEN)])
    await aged(store, 1)
    assert len(sheets_of(quick_folder)) == 2
    await store.purge(["a"])
    assert len(sheets_of(quick_folder)) == 1


async def test_the_next_pass_clears_away_what_was_purged(
    quick_folder: Path, store: ChromaStore
) -> None:
    await store.put([memory("gone"), memory("kept")])
    await aged(store, 1)
    await store.purge(["gone"])
    await aged(store, 1)
    assert "gone" not in str(sheets_of(quick_folder))
    assert "kept" in str(sheets_of(quick_folder))


async def test_fades_that_cannot_be_read_are_made_anew_by_the_next_pass(
    quick_folder: Path, store: ChromaStore
) -> None:
    await store.put([memory("a", vitality=with_strength(5))])
    await aged(store, 1)
    faded = (await store.get("a")).vitality
    assert faded.strength < 5
    await store.close()
    other = beside(quick_folder)
    delta_rows = other.get_collection(
        label_name("embedded", Label(CollectionRole.DELTAS)), embedding_function=None
    )
    [id] = delta_rows.get()["ids"]
    delta_rows.update(ids=[id], metadatas=[{"rows": "{"}])
    other.close()
    store = await ChromaStore.open(quick_folder)
    assert (await store.get("a")).vitality.strength == 5
    await aged(store, 1)
    assert (await store.get("a")).vitality == faded
    await store.close()


@pytest.mark.parametrize("after", [False, True])
async def test_a_pass_that_breaks_off_between_two_sheets_is_completed(
    quick_folder: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    monkeypatch.setattr(deltas, "ROW_SIZE", 2)
    monkeypatch.setattr(client, "IN_FOLDER", client.BatchSizes(write=1))
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(f"{n}", vitality=with_strength(20)) for n in range(5)])
    fuse = Fuse(monkeypatch)
    for cycle in range(1, 6):
        fuse.set(cycle % 3, after=after)
        with pytest.raises(StorageError):
            await aged(store, cycle)
        assert set((await strengths(store)).values()) <= {20 - cycle, 21 - cycle}
        await aged(store, cycle)
        assert set((await strengths(store)).values()) == {20 - cycle}
    await store.close()


populations = st.frozensets(st.sampled_from([f"m{n}" for n in range(12)]))


@settings(deadline=None)
@given(st.lists(st.tuples(populations, populations), max_size=8))
def test_a_memory_has_one_place_on_the_sheets_for_as_long_as_it_lives(
    passes: list[tuple[frozenset[str], frozenset[str]]],
) -> None:
    delta_rows, expected = DeltaRows(), dict[str, DecayDelta]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deltas, "ROW_SIZE", 3)
        for number, (live, weakened) in enumerate(passes):
            changes = {id: DecayDelta(0, number, 0.0) for id in weakened & live}
            before, delta_rows = delta_rows, delta_rows.changed(changes, live)
            expected = {id: f for id, f in (expected | changes).items() if id in live}
            assert delta_rows.by_id() == expected
            assert sum(map(len, delta_rows.delta_rows)) == len(expected)
            assert all(len(delta_row) <= 3 for delta_row in delta_rows.delta_rows)
            for old, new in zip(before.delta_rows, delta_rows.delta_rows, strict=False):
                assert old.keys() & expected.keys() <= new.keys()


def test_only_sheets_that_differ_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deltas, "ROW_SIZE", 1)
    before = DeltaRows([{"a": DELTA}, {"b": DELTA}])
    after = before.changed({"b": DELTA._replace(strength=2), "c": DELTA}, frozenset("abc"))
    assert after.differing(before) == {1: {"b": DELTA._replace(strength=2)}, 2: {"c": DELTA}}


def test_what_does_not_fit_into_memory_is_read_again(namespace: Namespace) -> None:
    collection = made(namespace)
    held = DecayDeltas(lambda: collection, lambda: collection, most=1)
    faded = {tag: {f"{tag}{n}": DELTA for n in range(3)} for tag in "xyz"}
    passes = [DecayPass(tag, each, frozenset(each)) for tag, each in faded.items()]
    held.write(passes)
    assert [held.of(tag) for tag in "xyz"] == [each.deltas for each in passes]


def test_what_was_read_before_a_write_does_not_take_its_place(namespace: Namespace) -> None:
    collection = made(namespace)
    waiting = [DecayPass(TAG, {"a": DELTA}, frozenset("a"))]
    held: DecayDeltas

    def found() -> StoredCollection | None:
        """The write comes between a reader's look and its answer."""
        if waiting:
            held.write([waiting.pop()])
            return None
        return collection

    held = DecayDeltas(found, lambda: collection)
    assert held.of(TAG) == {}
    assert held.of(TAG) == {"a": DELTA}


def test_nothing_is_made_where_nothing_fades(namespace: Namespace) -> None:
    collections: list[StoredCollection] = []
    quiet = DecayDeltas(
        lambda: None, lambda: collections.append(made(namespace)) or collections[-1]
    )
    quiet.write([DecayPass(TAG, {}, frozenset())])
    quiet.delete(TAG)
    assert quiet.of(TAG) == {}
    assert collections == []


def made(namespace: Namespace) -> StoredCollection:
    return namespace.vectors_for("", "fades", 1)[1]
