"""The least it takes to open a journal and say something in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from astrbot_plugin_tidemark.core.model.conversation import (
    EpisodeEnd,
    NewTurn,
    Place,
    Role,
    Speaker,
)
from astrbot_plugin_tidemark.core.ports import Appended, Journal
from astrbot_plugin_tidemark.storage import open_journal

ANN = Speaker("u1", "Ann")


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Journal]:
    """The journal of a folder, closed at the end also where a test fails."""
    journal = await open_journal(folder)
    try:
        yield journal
    finally:
        await journal.close()


async def say(
    journal: Journal,
    text: str = "hello",
    *,
    session: str = "session",
    conversation: str = "conversation",
    scope: str = "scope",
    role: Role = Role.USER,
    speaker: Speaker = ANN,
    at: float = 0.0,
    message_id: str = "",
    end: EpisodeEnd | None = None,
    chat_name: str = "",
    quotes: str | int = "",
) -> Appended:
    """Append one turn; `end` is what the segmenter answers if it is asked."""
    place = Place(session, conversation, scope)
    turn = NewTurn(place, role, speaker, text, at, message_id, chat_name=chat_name, quotes=quotes)
    return await journal.append(turn, lambda _episode, _turn: end)
