"""The text index is derived: rebuilt when its terms change, settled after a mass change."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.languages import terms as tokens
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore, text
from astrbot_plugin_tidemark.storage.sqlite.store import FILE
from astrbot_plugin_tidemark.storage.sqlite.text import Settler
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

from ..beside import beside
from ..memories import ANNA, DAY, NOW, memory

HERE = frozenset({ANNA})


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
