"""One record that cannot be read is set aside: it is told of, and everything else goes on."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore
from astrbot_plugin_tidemark.storage.partitions import PLACES
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore

from ..beside import beside
from ..damage import DAMAGE, spoil, spoil_life
from ..memories import ANNA, BEN, DAY, NOW, complete, memory, vector

HERE = frozenset({ANNA})
EVERYTHING = Filter(status=None)
BAD = "b"


async def filled(store: MemoryStore) -> list[Memory]:
    """Three memories of Anna, of which the second is to be damaged, and one of Ben's."""
    link = (Relation("c", "derived_from", BAD),)
    every = [
        memory("a", "green tea"),
        memory(BAD, "black tea"),
        memory("c", "tea with milk", relations=link),
        memory("d", "tea at Ben's", scope=BEN),
    ]
    await store.put(every)
    await store.set_vectors("f", {m.id: vector(1, number) for number, m in enumerate(every)})
    return every


async def told(store: MemoryStore) -> list[str]:
    return [memory.id async for memory in store.iterate(EVERYTHING)]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
async def test_everything_else_goes_on(
    store: MemoryStore, tmp_path: Path, damage: Callable[[str], str]
) -> None:
    await filled(store)
    await spoil(store, tmp_path, BAD, damage)
    assert [m.id for m in await store.find(["a", BAD, "c"], HERE)] == ["a", "c"]
    assert await told(store) == ["a", "c", "d"]
    assert [record.id for record in await store.unreadable()] == [BAD]
    hits = await store.search_text("tea", HERE)
    assert sorted(hit.id for hit in hits) == ["a", "c"]
    near = await store.search_vector(vector(1, 0), "f", HERE)
    assert sorted(hit.id for hit in near) == ["a", "c"]
    assert sorted(m.id for m in await store.page(EVERYTHING)) == ["a", "c", "d"]
    assert await store.count(EVERYTHING) == 3
    assert await store.count(Filter(scopes=HERE, recallable=True)) == 2
    tally = await store.tally(Tmd(), HERE)
    assert sum(tally.by_status.values()) == 2
    assert await store.embedded_count("f") == (3, 3)
    assert await store.unembedded("f") == []
    assert await store.resolve(BAD, None) == []


async def test_a_kind_that_nobody_knows_is_unreadable(store: MemoryStore, tmp_path: Path) -> None:
    await filled(store)
    await spoil_life(store, tmp_path, BAD)
    assert await told(store) == ["a", "c", "d"]
    (record,) = await store.unreadable()
    assert (record.id, record.scope) == (BAD, ANNA)
    assert "prophecy" in json.dumps(record.raw)
    assert await store.count(EVERYTHING) == 3
    assert sum((await store.tally(Tmd())).by_kind.values()) == 3


async def test_who_comes_upon_it_first_goes_on(store: MemoryStore, tmp_path: Path) -> None:
    cut = DAMAGE["cut short"]
    for name, first in {
        "search": lambda: store.search_text("tea", HERE),
        "vectors": lambda: store.search_vector(vector(1, 0), "f", HERE),
        "embedding": lambda: store.unembedded("other"),
        "entities": lambda: store.known_entities(["x"], HERE),
        "ancestors": lambda: store.ancestors(["c"], HERE),
        "amending": lambda: store.amend(["a", BAD], lambda m: replace(m, text="white tea")),
        "decay": lambda: store.decay(NOW + 9 * DAY, Tmd().plan, BinPolicy()),
        "pages": lambda: anext(aiter(store.pages(Filter(scopes=HERE)))),
        "planned": lambda: anext(aiter(store.planned(Filter(scopes=HERE)))),
        "listing": lambda: store.page(Filter(scopes=HERE)),
        "bin": lambda: store.purge_due(NOW + 999 * DAY),
    }.items():
        await store.purge(["a", BAD, "c", "d"])
        await filled(store)
        await spoil(store, tmp_path, BAD, cut)
        await first()
        assert await told(store) == ["a", "c", "d"], name
        assert [record.id for record in await store.unreadable()] == [BAD], name


async def test_it_is_told_with_all_that_is_stored(store: MemoryStore, tmp_path: Path) -> None:
    await filled(store)
    await spoil(store, tmp_path, BAD, DAMAGE["cut short"])
    await store.find([BAD])
    (record,) = await store.unreadable()
    assert (record.id, record.scope) == (BAD, ANNA)
    assert "black te" in json.dumps(record.raw)
    assert "black" not in record.problem


async def test_purging_its_id_deletes_it(store: MemoryStore, tmp_path: Path) -> None:
    await filled(store)
    await spoil(store, tmp_path, BAD, DAMAGE["no JSON"])
    assert await told(store) == ["a", "c", "d"]
    assert await store.purge([BAD, "a"]) == {BAD, "a"}
    assert await store.unreadable() == []
    assert await store.purge([BAD]) == frozenset()


async def test_a_sound_record_of_its_id_takes_its_place(store: MemoryStore, tmp_path: Path) -> None:
    every = await filled(store)
    await spoil(store, tmp_path, BAD, DAMAGE["no JSON"])
    assert await told(store) == ["a", "c", "d"]
    assert await store.put(every) == {BAD}
    assert await store.unreadable() == []
    assert await store.get(BAD) == every[1]
    assert [hit.id for hit in await store.search_text("black", HERE)] == [BAD]


async def test_many_on_one_page_do_not_end_a_listing(store: MemoryStore, tmp_path: Path) -> None:
    ids = [f"{number:02}" for number in range(30)]
    await store.put([memory(id, f"tea {id}") for id in ids])
    bad = ids[5:15] + ids[28:]
    for id in bad:
        await spoil(store, tmp_path, id, DAMAGE["empty"])
    found = [memory.id async for memory in store.iterate(EVERYTHING, page=4)]
    assert found == [id for id in ids if id not in bad]
    assert [record.id for record in await store.unreadable()] == bad
    assert await store.count(EVERYTHING) == len(found)


async def test_the_last_of_a_scope_may_be_unreadable(store: MemoryStore, tmp_path: Path) -> None:
    await store.put([memory(BAD, "tea"), complete("x")])
    await spoil(store, tmp_path, BAD, DAMAGE["a list"])
    assert await store.find([BAD]) == []
    (record,) = await store.unreadable()
    assert record.scope == ANNA
    assert await store.search_text("tea", HERE) == []
    await store.put([memory("n", "new tea")])
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["n"]


async def test_it_is_unreadable_after_a_restart_too(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await filled(store)
    await spoil(store, tmp_path, BAD, DAMAGE["cut short"])
    await store.find([BAD])
    await store.close()
    store = await SqliteStore.open(tmp_path)
    assert await told(store) == ["a", "c", "d"]
    assert [record.id for record in await store.unreadable()] == [BAD]
    await store.close()


@pytest.mark.parametrize("broken", [b"", b"x", b"\x00" * 4, b"\xff\xff" * 2, b"\x00\x7c" * 2])
async def test_a_broken_vector_is_none(tmp_path: Path, broken: bytes) -> None:
    store = await SqliteStore.open(tmp_path)
    await filled(store)

    def change(transaction: sqlite3.Connection) -> None:
        whole = f"(SELECT row * {PLACES} FROM memory WHERE id = ?)"
        transaction.execute(f"UPDATE vector SET body = ? WHERE number = {whole}", (broken, BAD))

    beside(tmp_path, change)
    assert sorted(await store.vectors(["a", BAD, "c"])) == ["a", "c"]
    near = await store.search_vector(vector(1, 0), "f", HERE)
    assert sorted(hit.id for hit in near) == ["a", "c"]
    assert [memory.id for memory in await store.unembedded("f")] == [BAD]
    await store.set_vectors("f", {BAD: vector(1, 0)})
    assert len(await store.search_vector(vector(1, 0), "f", HERE)) == 3
    await store.close()
