"""The file: created, reopened, migrated, refused, and pages spoilt in the middle of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, MemoryNotFound, StorageError
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage import open_store
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.store import FILE

from ..beside import beside
from ..memories import ANNA, complete, memory, vector, with_status

HERE = frozenset({ANNA})


async def filled(folder: Path, count: int = 3) -> Path:
    store = await SqliteStore.open(folder)
    await store.put([memory(f"{n:03}", "tea " * 50) for n in range(count)])
    await store.set_vectors("f", {"000": vector(1, 0)})
    await store.close()
    return folder / FILE


async def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    await filled(tmp_path)
    store = await open_store("sqlite", tmp_path)
    await store.put([complete("c")])
    await store.close()
    store = await open_store("sqlite", tmp_path)
    assert await store.get("c") == complete("c")
    assert len(await store.search_text("tea", HERE)) == 3
    assert [hit.id for hit in await store.search_vector(vector(1, 0), "f", HERE)] == ["000"]
    await store.close()


async def test_damaged_records_are_set_aside_to_the_last_one(tmp_path: Path) -> None:
    path = await filled(tmp_path)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE document SET body = '{\"text\": 5'")
        raw.commit()
    store = await SqliteStore.open(tmp_path)
    with pytest.raises(MemoryNotFound):
        await store.get("000")
    assert [record async for record in store.iterate(Filter(status=None))] == []
    told = await store.unreadable()
    assert "000" in [record.id for record in told]
    assert {record.problem for record in told} == {"NotARecord"}
    await store.close()


async def test_a_value_that_no_column_can_hold_is_refused(store: SqliteStore) -> None:
    with pytest.raises(StorageError):
        await store.put([memory("a"), memory("b", created_at=float("nan"))])
    with pytest.raises(StorageError):
        await store.put([memory("a"), memory("b\ud800")])
    assert await store.count(Filter(status=None)) == 0


async def test_a_scope_that_comes_back_starts_anew(store: SqliteStore) -> None:
    await store.put([memory("a", "tea")])
    await store.purge(["a"])
    await store.put([memory("b", "coffee")])
    assert await store.search_text("tea", HERE) == []
    assert [hit.id for hit in await store.search_text("coffee", HERE)] == ["b"]


async def test_statistics_equal_a_recount(store: SqliteStore, tmp_path: Path) -> None:
    await store.put([memory(f"{n}", "tea cup " * n) for n in range(6)])
    await store.amend(["2", "3"], lambda m: with_status(m, Status.BINNED))
    await store.amend(["3", "4"], lambda m: memory(m.id, "coffee"))
    await store.purge(["1", "2"])
    kept, counted = beside(
        tmp_path,
        lambda con: (
            con.execute("SELECT rows FROM scope").fetchone(),
            con.execute("SELECT count(*) FROM memory WHERE recallable = 1").fetchone(),
        ),
    )
    assert kept == counted == (4,)


IDS = [f"{number:03}" for number in range(300)]
PAGE = 4_096


async def filled_pages(folder: Path) -> Path:
    """Memories of forty leaves each, on many pages."""
    store = await SqliteStore.open(folder)
    await store.put([memory(id, f"tea {id} 茶 " + "leaf " * 40) for id in IDS])
    await store.set_vectors("f", {id: vector(1, number) for number, id in enumerate(IDS)})
    await store.close()
    return folder / FILE


IN_THE_INDEX = "茶_".encode()
"""How the index, and no record, writes a single character."""


def spoil(file: Path, mark: bytes) -> int:
    """Overwrite the later half of the pages that hold `mark`; returns how many."""
    content = bytearray(file.read_bytes())
    pages = [at for at in range(0, len(content), PAGE) if mark in content[at : at + PAGE]]
    doomed = pages[len(pages) // 2 :]
    for at in doomed:
        content[at : at + PAGE] = b"\xa5" * PAGE
    file.write_bytes(content)
    return len(doomed)


async def fault_of(store: SqliteStore, id: str) -> tuple[Fault, str] | None:
    """Why a memory cannot be read, in which file; None if it can."""
    try:
        found = await store.get(id)
    except StorageError as error:
        return error.fault, error.file
    return None if found.id == id else (Fault.OTHER, "")


async def test_records_on_spoilt_pages_are_named_others_are_read(tmp_path: Path) -> None:
    assert spoil(await filled_pages(tmp_path), b'"text":') > 3
    store = await SqliteStore.open(tmp_path)
    faults = {id: fault for id in IDS if (fault := await fault_of(store, id))}
    assert set(faults.values()) == {(Fault.DAMAGED, FILE)}
    assert 0 < len(faults) < len(IDS) * 2 / 3
    assert await store.count(Filter()) == len(IDS)
    assert len(await store.search_text("tea", HERE, limit=20)) == 20
    assert len(await store.search_vector(vector(1, 0), "f", HERE, limit=20)) == 20
    await store.close()


async def test_a_spoilt_text_index_takes_no_record_with_it(tmp_path: Path) -> None:
    file = await filled_pages(tmp_path)
    assert spoil(file, IN_THE_INDEX) > 3
    store = await SqliteStore.open(tmp_path)
    with pytest.raises(StorageError, match="damaged"):
        await store.search_text("tea 299", HERE, limit=400)
    assert [found.id for found in await store.page(Filter(), limit=400)] == IDS
    assert len(await store.search_vector(vector(1, 0), "f", HERE, limit=20)) == 20
    await store.close()
