"""A real journal in a temporary folder, and the least it takes to say something in it."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.conversation import EpisodeEnd, NewTurn, Place, Role, Speaker
from astrbot_plugin_tidemark.core.ports import Appended, Journal
from astrbot_plugin_tidemark.storage import open_journal

type Say = Callable[..., Coroutine[Any, Any, Appended]]


async def _say(
    journal: Journal,
    text: str = "hello",
    *,
    session: str = "session",
    conversation: str = "conversation",
    scope: str = "scope",
    role: Role = Role.USER,
    at: float = 0.0,
    message_id: str = "",
    end: EpisodeEnd | None = None,
) -> Appended:
    """Append one turn; `end` is what the segmenter answers if it is asked."""
    place = Place(session, conversation, scope)
    turn = NewTurn(place, role, Speaker("u1", "Ann"), text, at, message_id)
    return await journal.append(turn, lambda _episode, _turn: end)


@pytest.fixture
def say() -> Say:
    """Appends a turn to a journal."""
    return _say


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """An empty journal, `journal.db` in `tmp_path`."""
    opened = await open_journal(tmp_path)
    yield opened
    await opened.close()
