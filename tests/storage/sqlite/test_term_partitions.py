"""Terms and mentions: derived, kept in step, found as BM25 finds, wiped."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from sqlite3 import Connection

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.languages import terms as tokens
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status, Vitality
from astrbot_plugin_tidemark.core.ports import Filter, MemoryStore, Order, Scored
from astrbot_plugin_tidemark.core.records.serialisation import searched_terms
from astrbot_plugin_tidemark.core.text import bm25
from astrbot_plugin_tidemark.storage import term_partition
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore, text
from astrbot_plugin_tidemark.storage.sqlite.records import ORDERS, matching
from astrbot_plugin_tidemark.storage.sqlite.store import FILE
from astrbot_plugin_tidemark.storage.sqlite.text import Settler
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ..beside import beside
from ..memories import ANNA, BEN, DAY, NOW, memory, with_status

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


def index_rows(folder: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(folder / FILE)) as raw:
        return raw.execute("SELECT memory, terms FROM text_index ORDER BY memory").fetchall()


async def test_another_index_is_rebuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([memory(f"{n:03}", f"tea cup{n}") for n in range(1_200)])
    before = await store.search_text("tea cup7", HERE)
    await store.close()
    monkeypatch.setattr(tokens, "INDEX_VERSION", tokens.INDEX_VERSION + 1)
    store = await SqliteStore.open(tmp_path)
    await store.settled()
    assert await store.search_text("tea cup7", HERE) == before
    await store.close()
    assert len(index_rows(tmp_path)) == 1_200


async def test_a_rebuild_that_was_broken_off_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([memory(f"{n:04}", "tea") for n in range(1_200)])
    await store.close()
    monkeypatch.setattr(tokens, "INDEX_VERSION", tokens.INDEX_VERSION + 1)
    store = await SqliteStore.open(tmp_path)
    await store.amend(["0007", "1100"], lambda m: memory(m.id, "tea milk"))
    await store.close()
    store = await SqliteStore.open(tmp_path)
    await store.settled()
    assert len(await store.search_text("tea", HERE, limit=2_000)) == 1_200
    assert len(await store.search_text("milk", HERE)) == 2
    await store.close()


async def test_entries_of_decayed_memories_leave_the_index(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([memory(f"{n:04}", "tea") for n in range(1_200)])
    await store.put([memory("kept", "tea", kind=Kind.PROSPECTIVE)])
    await store.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())
    await store.settled()
    assert [hit.id for hit in await store.search_text("tea", HERE)] == ["kept"]
    await store.close()
    assert len(index_rows(tmp_path)) == 1


async def test_scores_are_exact_while_the_index_is_not_settled(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settler, "start", lambda _self: None)
    reference = ReferenceStore()
    population = [memory(f"k{n}", f"tea cup{n}", kind=Kind.PROSPECTIVE) for n in range(5)]
    population += [memory(f"{n:04}", "tea cup2") for n in range(100)]
    for each in (store, reference):
        await each.put(population)
        await each.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())
    assert not beside(tmp_path, text.is_settled)
    assert await store.search_text("tea cup2", HERE) == await reference.search_text(
        "tea cup2", HERE
    )


async def test_with_many_matches_the_best_are_among_the_candidates(store: SqliteStore) -> None:
    await store.put([memory(f"{n:04}", "tea again and again") for n in range(1_500)])
    await store.put([memory("best", "tea")])
    hits = await store.search_text("tea", HERE, limit=5)
    assert hits[0].id == "best"
    assert len(hits) == 5


def mentioning(id: str, *names: str, **changes: object) -> Memory:
    return memory(id, entities=tuple(Entity(name, name) for name in names), **changes)


def counts(folder: Path) -> tuple[dict[str, int], int]:
    """Mentions by name, and all of them, as they are in the file."""
    with closing(sqlite3.connect(folder / FILE)) as raw:
        entities = dict(raw.execute("SELECT name, count(*) FROM mention GROUP BY name").fetchall())
        [(mentioned,)] = raw.execute("SELECT count(*) FROM mention").fetchall()
    return entities, mentioned


async def test_counts_are_exact_while_decayed_rows_wait_to_be_removed(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settler, "start", lambda _self: None)
    await store.put([mentioning(f"{n}", "tea", "milk") for n in range(9)])
    await store.put([mentioning("kept", "tea", kind=Kind.PROSPECTIVE)])
    await store.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())
    assert not beside(tmp_path, text.is_settled)
    assert await store.known_entities(["tea", "milk"], HERE) == {"tea": 1}
    found = await store.mentioning(["tea", "milk"], HERE)
    assert [mention.memory for mention in found] == ["kept"]


async def test_entities_of_decayed_memories_leave_the_file(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([mentioning(f"{n:04}", "zanzibar", "tea") for n in range(1_100)])
    await store.put([mentioning("kept", "tea", kind=Kind.PROSPECTIVE)])
    await store.decay(NOW + 99 * DAY, Tmd().plan, BinPolicy())
    await store.settled()
    await store.close()
    assert counts(tmp_path) == ({"tea": 1}, 1)


async def test_what_the_file_mentions_follows_any_change(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.put([mentioning(f"{n}", "tea", f"cup{n % 2}") for n in range(6)])
    await store.put([mentioning("ben", "tea", scope=BEN)])
    await store.amend(["2", "3"], lambda m: with_status(m, Status.BINNED))
    await store.amend(["3", "4"], lambda m: mentioning(m.id, "milk"))
    await store.purge(["1", "2", "unknown"])
    await store.close()
    assert counts(tmp_path) == ({"tea": 3, "cup0": 1, "cup1": 1, "milk": 2}, 7)


async def test_no_byte_of_a_name_is_left_when_nothing_mentions_it(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    for n in range(300):
        names = (f"zanzibar{n}", "zanzibar") if n % 3 == 0 else (f"cup{n}", "tea")
        await store.put([mentioning(f"{n}", *names, about=names)])
    secret = [f"{n}" for n in range(0, 300, 3)]
    await store.amend(secret[::2], lambda m: mentioning(m.id, f"zanzibar again {m.id}"))
    await store.purge(secret)
    await store.wiped()
    assert holding(tmp_path, b"zanzibar") == []
    assert holding(tmp_path, b"cup7") != []
    assert await store.known_entities(["tea", "zanzibar"], HERE) == {"tea": 200}
    await store.close()
    assert holding(tmp_path, b"zanzibar") == []


def holding(folder: Path, secret: bytes) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if secret in path.read_bytes())


async def test_an_interval_is_read_from_its_index(store: SqliteStore, tmp_path: Path) -> None:
    where = matching(Filter(scopes=HERE, recallable=True, happened=(0.0, 1.0)))
    query = f"SELECT id FROM memory WHERE {where.sql} ORDER BY {ORDERS[Order.LATEST]}"

    def plan(snapshot: Connection) -> str:
        return str(snapshot.execute(f"EXPLAIN QUERY PLAN {query}", where.values).fetchall())

    assert "memory_by_event" in beside(tmp_path, plan)
