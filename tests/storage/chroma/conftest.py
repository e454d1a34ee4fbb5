"""A Chroma store over a folder, with its parts at hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from astrbot_plugin_tidemark.storage.chroma import ChromaStore


@pytest_asyncio.fixture
async def store(quick_folder: Path) -> AsyncIterator[ChromaStore]:
    opened = await ChromaStore.open(quick_folder)
    yield opened
    await opened.close()
