"""One suite over every backend."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
import pytest_asyncio
from astrbot_plugin_tidemark.core.ports import MemoryStore
from astrbot_plugin_tidemark.storage import open_store

type Backend = Literal["ephemeral", "sqlite", "chroma"]


@pytest.fixture(params=["ephemeral", "sqlite", "chroma"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return request.param


@pytest_asyncio.fixture
async def store(backend: Backend, tmp_path: Path) -> AsyncIterator[MemoryStore]:
    opened = await open_store(backend, tmp_path)
    yield opened
    await opened.close()
