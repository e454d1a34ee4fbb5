"""A server that was emptied, or that keeps the memories of somebody else, is no new beginning."""

import asyncio
import uuid
from pathlib import Path

import chromadb
import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports.files import ChromaServer
from astrbot_plugin_tidemark.core.transfer.data_folder import DataFolder
from astrbot_plugin_tidemark.core.transfer.recovery import Recovery
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.storage.files import LocalFiles

from ..memories import memory


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
