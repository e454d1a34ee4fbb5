"""A Chroma store over a folder, with its parts at hand."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.storage.chroma import ChromaStore

from ..conftest import in_open_folder


@pytest_asyncio.fixture
async def store(request: pytest.FixtureRequest) -> AsyncIterator[ChromaStore]:
    """In the folder that all share; one with a process of its own for a test that has a folder."""
    if "quick_folder" in request.fixturenames:
        opened = await ChromaStore.open(request.getfixturevalue("quick_folder"))
    else:
        opened = await in_open_folder(request.getfixturevalue("chroma_client"))
    yield opened
    await opened.close()
