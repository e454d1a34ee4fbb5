"""Mentions in SQLite: derived, filled behind the opening, settled after a mass change, wiped."""

import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import BinPolicy
from astrbot_plugin_tidemark.core.forgetting.tmd import Tmd
from astrbot_plugin_tidemark.core.model.knowledge import Entity
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.ports import Filter, Order
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore, text
from astrbot_plugin_tidemark.storage.sqlite.records import ORDERS, matching
from astrbot_plugin_tidemark.storage.sqlite.store import FILE
from astrbot_plugin_tidemark.storage.sqlite.text import Settler

from ..beside import beside
from ..memories import ANNA, BEN, DAY, NOW, memory, with_status

HERE = frozenset({ANNA})


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
