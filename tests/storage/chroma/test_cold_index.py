"""The index of a scope that is not in memory is made from pages, between which others write."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, index

from ..memories import ANNA, memory, with_status

HERE = frozenset({ANNA})
MANY = 120


@pytest_asyncio.fixture
async def cold(quick_folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ChromaStore]:
    """Freshly opened, with memories in one scope."""
    monkeypatch.setattr(index, "INDEXED", 4)
    store = await ChromaStore.open(quick_folder)
    await store.put([memory(f"{n:03}", f"tea {n}") for n in range(MANY)])
    await store.close()
    store = await ChromaStore.open(quick_folder)
    yield store
    await store.close()


async def test_writes_do_not_wait_for_it_and_are_in_it(cold: ChromaStore) -> None:
    searching = asyncio.create_task(cold.search_text("tea", HERE, limit=MANY + 9))
    await asyncio.sleep(0)
    await cold.put([memory("new", "tea")])
    await cold.amend(["000", "060", "119"], lambda each: with_status(each, Status.BINNED))
    await cold.purge(["001", "061", "118"])
    assert not searching.done()
    left = {f"{n:03}" for n in range(MANY)} - {"000", "001", "060", "061", "118", "119"}
    assert {hit.id for hit in await searching} == left | {"new"}
    assert await cold.indexed(HERE) == {ANNA: len(left) + 1}


async def test_one_who_gives_up_leaves_it_to_the_next(cold: ChromaStore) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await cold.search_text("tea", HERE)
    both = await asyncio.gather(*(cold.search_text("tea", HERE, limit=MANY) for _ in range(2)))
    assert [len(found) for found in both] == [MANY, MANY]


async def test_a_store_is_closed_while_an_index_is_made(cold: ChromaStore) -> None:
    searching = asyncio.create_task(cold.search_text("tea", HERE))
    await asyncio.sleep(0)
    await cold.close()
    assert isinstance((await asyncio.gather(searching, return_exceptions=True))[0], BaseException)
