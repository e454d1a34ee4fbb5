"""A server that was emptied, or that keeps the memories of somebody else, is no new beginning."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import chromadb
import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.model.memory import Status
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.recovery import Recovery
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, index
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ..memories import ANNA, memory, with_status


async def opened(folder: Path, server: ChromaServer) -> DataFolder:
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    return await DataFolder.open(LocalFiles(folder, server=server), "chroma")


async def filled(folder: Path, server: ChromaServer) -> None:
    data_folder = await opened(folder, server)
    await data_folder.store.put([memory("a", "tea")])
    await data_folder.aclose()


async def test_an_emptied_server_is_refused_until_somebody_decides(
    tmp_path: Path, chroma_server: ServerProcess
) -> None:
    server = chroma_server.address(uuid.uuid4().hex)
    await filled(tmp_path, server)
    client = chromadb.HttpClient(server.host, server.port)
    for collection in client.list_collections():
        if (collection.metadata or {}).get("installation") == server.installation:
            client.delete_collection(collection.name)
    for _ in range(2):
        with pytest.raises(StorageError) as told:
            await opened(tmp_path, server)
        assert (told.value.file, told.value.fault) == ("chroma-server", Fault.LOST)
    await Recovery(LocalFiles(tmp_path, server=server), "chroma").go_on()
    await (await opened(tmp_path, server)).aclose()


async def test_a_name_on_the_server_that_another_bot_has_is_refused(
    tmp_path: Path, chroma_server: ServerProcess
) -> None:
    server = chroma_server.address(uuid.uuid4().hex)
    await filled(tmp_path / "theirs", server)
    with pytest.raises(StorageError) as told:
        await opened(tmp_path / "ours", server)
    assert told.value.fault is Fault.APART
    await filled(tmp_path / "theirs", server)


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
