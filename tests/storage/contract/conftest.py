"""One suite over every backend."""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess
from astrbot_plugin_tidemark.storage import open_store

from ...strength import only_long
from ..conftest import emptied, in_open_folder

FOLDER = Path(__file__).parent

type Backend = Literal["sqlite", "chroma", "chroma-server"]


SEARCHED_THERE = {"test_search.py", "test_isolation.py"}
"""What a server does in another way than a folder."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a property by chance a server is asked in the long run only: over a folder of Chroma the
    same code keeps it.
    """
    for item in items:
        if not isinstance(item, pytest.Function) or FOLDER not in item.path.parents:
            continue
        by_chance = getattr(item.obj, "is_hypothesis_test", False)
        if by_chance and item.path.name not in SEARCHED_THERE and "[chroma-server" in item.name:
            item.add_marker(only_long)


@pytest.fixture(params=["sqlite", "chroma", "chroma-server"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return request.param


@pytest_asyncio.fixture
async def store(
    backend: Backend, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[MemoryStore]:
    opened = await _opened(backend, tmp_path, request)
    yield opened
    await opened.close()
    if backend == "chroma-server":
        emptied(request.getfixturevalue("chroma_server"))


async def _opened(backend: Backend, folder: Path, request: pytest.FixtureRequest) -> MemoryStore:
    match backend:
        case "chroma":
            return await in_open_folder(request.getfixturevalue("chroma_client"))
        case "chroma-server":
            server: ServerProcess = request.getfixturevalue("chroma_server")
            return await open_store("chroma", folder, server=server.address(uuid.uuid4().hex))
        case _:
            return await open_store(backend, folder)
