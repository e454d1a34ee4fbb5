"""Terms in memory: what they find is what the text index finds, whatever has changed since."""

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
from astrbot_plugin_tidemark.core.ports import Scored
from astrbot_plugin_tidemark.core.records.searched_text import searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import term_partition
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore, text

from ..beside import beside
from ..memories import ANNA, BEN, DAY, NOW, memory

HERE = frozenset({ANNA})
BOTH = frozenset({ANNA, BEN})
WORDS = "tea milk harbour piano winter lake rice train lamp garden 茶杯 下雪 钢琴".split()
KINDS = (Kind.SEMANTIC, Kind.EVIDENCE, Kind.EPISODIC)


@pytest_asyncio.fixture
async def stores(tmp_path: Path) -> AsyncIterator[tuple[SqliteStore, SqliteStore]]:
    """One that holds the terms of every scope in memory, and one that never does."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "index").mkdir()
    opened = [
        await SqliteStore.open(tmp_path / "memory", terms_in_memory_from=1),
        await SqliteStore.open(tmp_path / "index", terms_in_memory_from=10**9),
    ]
    yield opened[0], opened[1]
    for store in opened:
        await store.close()


def told(random: Random, id: str) -> Memory:
    said = " ".join(random.choices(WORDS, k=random.randint(1, 9)))
    return memory(
        id, said, scope=random.choice((ANNA, BEN)), kind=random.choice(KINDS), vitality=Vitality(3)
    )


async def loaded(store: SqliteStore) -> None:
    await store.search_text("tea", BOTH)
    await store.in_memory.terms.loaded()


async def change(random: Random, store: SqliteStore, ids: list[str]) -> None:
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
async def test_they_find_what_the_index_finds_after_every_change(
    stores: tuple[SqliteStore, SqliteStore], seed: int
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
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
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


async def test_searches_and_changes_go_on_side_by_side(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
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
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    await store.put([memory(f"old{n}", "tea") for n in range(5)])
    fill = term_partition.TermPartition.fill

    def late(partition: term_partition.TermPartition, rows: list[term_partition.TermRow]) -> None:
        filling.append(len(rows))
        fill(partition, rows)

    filling: list[int] = []
    monkeypatch.setattr(term_partition.TermPartition, "fill", late)
    await store.search_text("tea", HERE)
    await store.put([memory("new", "tea")])
    await store.purge(["old0"])
    await store.in_memory.terms.loaded()
    found = await store.search_text("tea", HERE)
    assert filling
    assert {each.id for each in found} == {"new", "old1", "old2", "old3", "old4"}


async def test_a_record_that_is_set_aside_is_found_by_no_word(
    stores: tuple[SqliteStore, SqliteStore], tmp_path: Path
) -> None:
    store, _ = stores
    await store.put([memory("sound", "tea"), memory("spoilt", "tea")])
    await loaded(store)
    damage = "UPDATE document SET body = '{' WHERE memory = (SELECT row FROM memory WHERE id = ?)"
    beside(tmp_path / "memory", lambda con: con.execute(damage, ("spoilt",)).fetchall())
    assert [each.id for each in await store.find(["sound", "spoilt"])] == ["sound"]
    assert [each.id for each in await store.unreadable()] == ["spoilt"]
    assert [each.id for each in await store.search_text("tea", HERE)] == ["sound"]


async def test_of_more_matches_than_the_index_scores_the_best_are_found(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    store, _ = stores
    random = Random(7)
    memories = [
        memory(f"{n:03}", " ".join(random.choices(WORDS, k=random.randint(2, 30))))
        for n in range(4 * text.CANDIDATES)
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
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    monkeypatch.setattr(term_partition, "MOST_DEAD", 4)
    await store.put([memory(f"{n}", "tea") for n in range(4)])
    await loaded(store)
    for word in ("milk", "lamp", "rice", "lake"):
        await store.amend(["0", "1", "2"], lambda m, word=word: replace(m, text=f"tea {word}"))
        await store.search_text("tea", HERE)
    # Made anew behind the search that found it so.
    await loaded(store)
    assert [each.id for each in await store.search_text("lake", HERE)] == ["0", "1", "2"]
    assert await store.search_text("milk", HERE) == []


async def test_nothing_is_loaded_before_the_index_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path, terms_in_memory_from=1)
    await store.put([memory(f"{n}", "tea") for n in range(3)])
    await store.close()
    beside(tmp_path, lambda con: con.execute("UPDATE memory SET indexed = 0").fetchall())
    monkeypatch.setattr("astrbot_plugin_tidemark.storage.sqlite.expunging.PAGE", 0)
    store = await SqliteStore.open(tmp_path, terms_in_memory_from=1)
    await store.settled()
    await loaded(store)
    assert store.in_memory.terms.held == 0
    await store.close()


async def test_small_scopes_are_not_held(stores: tuple[SqliteStore, SqliteStore]) -> None:
    _, store = stores
    await store.put([memory(f"{n}", "tea") for n in range(30)])
    await loaded(store)
    assert store.in_memory.terms.held == 0


async def test_what_is_too_large_is_not_held(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    monkeypatch.setattr(store.in_memory.terms, "_most", 5)
    await store.put([memory(f"{n}", "tea milk") for n in range(3)])
    await loaded(store)
    assert store.in_memory.terms.held == 0
    assert len(await store.search_text("tea", HERE)) == 3


async def test_no_more_is_held_than_there_is_room_for(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = stores
    monkeypatch.setattr(store.in_memory.terms, "_most", 7)
    await store.put([memory(f"a{n}", "tea milk") for n in range(3)])
    await store.put([memory(f"b{n}", "tea milk", scope=BEN) for n in range(3)])
    for scope in (ANNA, BEN):
        await store.search_text("tea", frozenset({scope}))
        await store.in_memory.terms.loaded()
    assert store.in_memory.terms.held == 1
    assert len(await store.search_text("tea", BOTH)) == 6
