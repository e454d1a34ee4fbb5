"""A real journal in a temporary folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.ports import Journal
from astrbot_plugin_tidemark.storage import open_journal


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """An empty journal, `journal.db` in `tmp_path`."""
    opened = await open_journal(tmp_path)
    yield opened
    await opened.close()
