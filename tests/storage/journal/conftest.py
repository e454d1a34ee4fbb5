"""A real journal in a temporary folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.tests.storage.journal.saying import opened


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """An empty journal, `journal.db` in `tmp_path`."""
    async with opened(tmp_path) as empty:
        yield empty
