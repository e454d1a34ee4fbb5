"""What the tests of several stores share."""

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.scripts.hostkit.ports import LOOPBACK
from astrbot_plugin_tidemark.storage.chroma import ChromaStore
from astrbot_plugin_tidemark.storage.chroma.client import Client, embedded
from astrbot_plugin_tidemark.storage.chroma.namespace import Namespace
from astrbot_plugin_tidemark.storage.chroma.store import Calls

from ..conftest import MEMORY
from .others import start, users

__all__ = ["start", "users"]


async def in_open_folder(client: Client) -> ChromaStore:
    """An installation of its own in a folder that stays open: one takes seconds to start."""
    calls = Calls()
    namespace = await calls.open(lambda _: Namespace(client, uuid.uuid4().hex))
    return ChromaStore(namespace, calls, None)


def emptied(server: ServerProcess) -> None:
    """Delete all that the server holds: to open a store takes the longer, the more there is."""
    place = f"http://{LOOPBACK}:{server.port}/api/v2/tenants/default_tenant"
    with httpx.Client(base_url=f"{place}/databases/default_database", verify=False) as http:
        for each in http.get("/collections", params={"limit": 1_000}).json():
            http.delete(f"/collections/{each['name']}").raise_for_status()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for every test, which keep apart by the name of their installation."""
    base = MEMORY if MEMORY.is_dir() else tmp_path_factory.mktemp("chroma")
    folder = Path(tempfile.mkdtemp(prefix="tidemark-server-", dir=base))
    server = ServerProcess(folder / "data")
    server.start()
    yield server
    server.kill()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def chroma_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One open folder for every test that does not close it; kept apart in the same way."""
    base = MEMORY if MEMORY.is_dir() else tmp_path_factory.mktemp("chroma")
    folder = Path(tempfile.mkdtemp(prefix="tidemark-folder-", dir=base))
    client = embedded(folder)
    yield client
    client.close()
    shutil.rmtree(folder)
