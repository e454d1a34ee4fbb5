"""Pages spoilt in the middle of the file: what they held is named, everything else is there."""

from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore
from astrbot_plugin_tidemark.storage.sqlite.store import FILE

from ..memories import ANNA, memory, vector

HERE = frozenset({ANNA})
IDS = [f"{number:03}" for number in range(300)]
PAGE = 4_096


async def filled(folder: Path) -> Path:
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
    assert spoil(await filled(tmp_path), b'"text":') > 3
    store = await SqliteStore.open(tmp_path)
    faults = {id: fault for id in IDS if (fault := await fault_of(store, id))}
    assert set(faults.values()) == {(Fault.DAMAGED, FILE)}
    assert 0 < len(faults) < len(IDS) * 2 / 3
    assert await store.count(Filter()) == len(IDS)
    assert len(await store.search_text("tea", HERE, limit=20)) == 20
    assert len(await store.search_vector(vector(1, 0), "f", HERE, limit=20)) == 20
    await store.close()


async def test_a_spoilt_text_index_takes_no_record_with_it(tmp_path: Path) -> None:
    file = await filled(tmp_path)
    assert spoil(file, IN_THE_INDEX) > 3
    store = await SqliteStore.open(tmp_path)
    with pytest.raises(StorageError, match="damaged"):
        await store.search_text("tea 299", HERE, limit=400)
    assert [found.id for found in await store.page(Filter(), limit=400)] == IDS
    assert len(await store.search_vector(vector(1, 0), "f", HERE, limit=20)) == 20
    await store.close()
