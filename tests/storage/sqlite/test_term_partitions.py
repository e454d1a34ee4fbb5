"""Terms in memory: what they find is what BM25 finds, whatever has changed since."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.languages import terms as tokens
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status, Vitality
from astrbot_plugin_tidemark.core.ports import MemoryStore, Scored
from astrbot_plugin_tidemark.core.records.serialisation import searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import term_partition
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore, text
from astrbot_plugin_tidemark.storage.sqlite.text import Settler
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ..beside import beside
from ..memories import ANNA, BEN, DAY, NOW, memory

HERE = frozenset({ANNA})
BOTH = frozenset({ANNA, BEN})
WORDS = "tea milk harbour piano winter lake rice train lamp garden 茶杯 下雪 钢琴".split()
KINDS = (Kind.SEMANTIC, Kind.EVIDENCE, Kind.EPISODIC)


@pytest_asyncio.fixture
async def stores(tmp_path: Path) -> AsyncIterator[tuple[SqliteStore, ReferenceStore]]:
    """One that holds the terms in memory, and one that counts them anew at each search."""
    store = await SqliteStore.open(tmp_path)
    yield store, ReferenceStore()
    await store.close()


def told(random: Random, id: str) -> Memory:
    said = " ".join(random.choices(WORDS, k=random.randint(1, 9)))
    return memory(
        id, said, scope=random.choice((ANNA, BEN)), kind=random.choice(KINDS), vitality=Vitality(3)
    )


async def loaded(store: SqliteStore) -> None:
    await store.search_text("tea", BOTH)


async def change(random: Random, store: MemoryStore, ids: list[str]) -> None:
    """One change of some memories, the same for the same state of `random`."""
    some = random.sample(ids, k=min(3, len(ids)))
    said = " ".join(random.choices(WORDS, k=4))
    match random.randrange(6):
        case 0:
            await store.amend(some, lambda m: replace(m, text=said))
        case 1:
            binned = Standing(Status.BINNED, NOW, "spent", NOW + DAY)
            await store.amend(some, lambda m: replace(m, standing=binned))
        case 2:
            live = Standing(Status.LIVE, NOW)
            await store.amend(some, lambda m: replace(m, standing=live))
        case 3:
            await store.amend(some, lambda m: replace(m, kind=Kind.SEMANTIC))
        case 4:
            await store.purge(some)
        case _:
            at = NOW + random.randint(1, 9) * DAY
            await store.decay(at, Tmd().plan, BinPolicy(30))


@pytest.mark.parametrize("seed", range(4))
async def test_they_find_what_bm25_finds_after_every_change(
    stores: tuple[SqliteStore, ReferenceStore], seed: int
) -> None:
    ours, others = Random(seed), Random(seed)
    ids: list[str] = []
    for step in range(25):
        new = [told(Random(f"{seed} {step} {n}"), f"{step:02}-{n}") for n in range(3)]
        ids += [each.id for each in new]
        for random, store in zip((ours, others), stores, strict=True):
            await store.put(new)
            await change(random, store, ids)
        await loaded(stores[0])
        query = " ".join(Random(step).choices(WORDS, k=3))
        for kinds in (None, frozenset({Kind.EVIDENCE})):
            found, expected = [
                await store.search_text(query, BOTH, kinds=kinds) for store in stores
            ]
            assert found == expected


async def test_a_change_that_a_cancelled_search_did_not_come_to_is_not_lost(
    stores: tuple[SqliteStore, ReferenceStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    await store.put([memory("a", "tea"), memory("b", "milk")])
    await loaded(store)
    await store.put([memory("c", "tea")])
    await store.purge(["a"])

    def interrupted(*_: object) -> None:
        raise sqlite3.OperationalError("interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(text, "rows_of", interrupted)
        with pytest.raises(StorageError):
            await store.search_text("tea", HERE)
    assert [each.id for each in await store.search_text("tea", HERE)] == ["c"]


async def test_searches_go_on_amid_changes(stores: tuple[SqliteStore, ReferenceStore]) -> None:
    store, _ = stores
    await store.put([memory(f"old{n}", "tea") for n in range(200)])
    await loaded(store)

    async def search() -> None:
        for _ in range(40):
            assert len(await store.search_text("tea", HERE, limit=1_000)) >= 200

    async def tell(name: str) -> None:
        for n in range(40):
            await store.put([memory(f"{name}{n}", "tea milk")])
            found = await store.search_text("milk", HERE, limit=1_000)
            assert f"{name}{n}" in {each.id for each in found}

    await asyncio.gather(search(), search(), tell("a"), tell("b"), tell("c"))
    assert len(await store.search_text("milk", HERE, limit=1_000)) == 120


async def test_what_is_put_while_they_are_loaded_is_found(
    stores: tuple[SqliteStore, ReferenceStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    await store.put([memory(f"old{n}", "tea") for n in range(5)])
    fill = term_partition.TermPartition.fill

    def late(partition: term_partition.TermPartition, rows: list[term_partition.TermRow]) -> None:
        filling.append(len(rows))
        fill(partition, rows)

    filling: list[int] = []
    monkeypatch.setattr(term_partition.TermPartition, "fill", late)
    searching = asyncio.create_task(store.search_text("tea", HERE))
    await asyncio.sleep(0)
    await store.put([memory("new", "tea")])
    await store.purge(["old0"])
    await searching
    found = await store.search_text("tea", HERE)
    assert filling
    assert {each.id for each in found} == {"new", "old1", "old2", "old3", "old4"}


async def test_a_record_that_is_set_aside_is_found_by_no_word(
    stores: tuple[SqliteStore, ReferenceStore], tmp_path: Path
) -> None:
    store, _ = stores
    await store.put([memory("sound", "tea"), memory("spoilt", "tea")])
    await loaded(store)
    damage = "UPDATE document SET body = '{' WHERE memory = (SELECT row FROM memory WHERE id = ?)"
    beside(tmp_path, lambda con: con.execute(damage, ("spoilt",)).fetchall())
    assert [each.id for each in await store.find(["sound", "spoilt"])] == ["sound"]
    assert [each.id for each in await store.unreadable()] == ["spoilt"]
    assert [each.id for each in await store.search_text("tea", HERE)] == ["sound"]


async def test_of_many_the_best_are_found(stores: tuple[SqliteStore, ReferenceStore]) -> None:
    store, _ = stores
    random = Random(7)
    memories = [
        memory(f"{n:03}", " ".join(random.choices(WORDS, k=random.randint(2, 30))))
        for n in range(400)
    ]
    await store.put(memories)
    await loaded(store)
    rows = {each.id: Counter(tokens.index_terms(each.text)) for each in memories}
    total = sum(row.total() for row in rows.values())
    query = searched_terms("harbour piano lamp")
    corpus = bm25.Corpus(
        len(rows),
        total / len(rows),
        {term: sum(term in row for row in rows.values()) for term in query},
    )
    scores = {id: bm25.score(query, row, corpus) for id, row in rows.items()}
    best = sorted(scores, key=lambda id: (-scores[id], id))[:80]
    found: list[Scored] = await store.search_text("harbour piano lamp", HERE, limit=80)
    assert [(each.id, each.score) for each in found] == [(id, scores[id]) for id in best]


async def test_a_partition_that_is_mostly_of_what_is_gone_is_made_anew(
    stores: tuple[SqliteStore, ReferenceStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    monkeypatch.setattr(term_partition, "MOST_DEAD", 4)
    await store.put([memory(f"{n}", "tea") for n in range(4)])
    await loaded(store)
    for word in ("milk", "lamp", "rice", "lake"):
        await store.amend(["0", "1", "2"], lambda m, word=word: replace(m, text=f"tea {word}"))
        await store.search_text("tea", HERE)
    assert [each.id for each in await store.search_text("lake", HERE)] == ["0", "1", "2"]
    assert await store.search_text("milk", HERE) == []


async def test_what_settles_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([memory(f"{n}", "tea") for n in range(3)])
    await store.close()

    def unsettled(con: sqlite3.Connection) -> None:
        con.execute("UPDATE memory SET indexed = 0")
        con.execute("DELETE FROM text_index")

    beside(tmp_path, unsettled)
    start = Settler.start
    monkeypatch.setattr(Settler, "start", lambda _: None)
    store = await SqliteStore.open(tmp_path)
    assert await store.search_text("tea", HERE) == []
    start(store._settler)
    await store.settled()
    assert len(await store.search_text("tea", HERE)) == 3
    await store.close()


async def test_no_more_is_held_than_there_is_room_for(
    stores: tuple[SqliteStore, ReferenceStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    monkeypatch.setattr(store.in_memory.terms, "_most", 250)
    await store.put([memory(f"a{n}", "tea milk") for n in range(3)])
    await store.put([memory(f"b{n}", "tea milk", scope=BEN) for n in range(3)])
    for scope in (ANNA, BEN):
        await store.search_text("tea", frozenset({scope}))
    assert len(store.in_memory.terms.loaded) == 1
    assert len(await store.search_text("tea", BOTH)) == 6
