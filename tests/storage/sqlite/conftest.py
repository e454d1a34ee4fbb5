"""A store on disk."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from astrbot_plugin_tidemark.storage.sqlite import SqliteStore


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path, most_held=12)
    yield opened
    await opened.close()
