"""Reading what AstrBot itself has stored of earlier chats: see `core/transfer/host_history`."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from astrbot.api.star import Context

from ..transfer.host_history import StoredChat, StoredTurn, turn_of_row
from .identity import persona_of

PAGE = 200
CHATS = 20


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """The host's conversations, and the messages of groups that it keeps."""

    context: Context

    async def chats(self, *, since: float) -> AsyncIterator[StoredChat]:
        """Conversations in which something was said after `since`, a few at a time in memory."""
        page = 1
        while True:
            some, _ = await self.context.conversation_manager.get_filtered_conversations(
                page=page, page_size=CHATS
            )
            for each in some:
                if each.updated_at >= since:
                    yield _chat(each)
            if len(some) < CHATS:
                return
            page += 1

    async def messages(self, session: str, *, since: float) -> list[StoredTurn]:
        """What is stored of a group's messages after `since`, oldest first."""
        history, found = self.context.message_history_manager, list[StoredTurn]()
        platform, page = session.partition(":")[0], 1
        while True:
            rows = await history.get(platform, session, page=page, page_size=PAGE)
            for row in rows:
                sender, name = str(row.sender_id or ""), str(row.sender_name or "")
                at = _seconds(row.created_at)
                turn = turn_of_row(row.id, row.content, sender, name, at)
                if turn is not None and turn.at >= since:
                    found.append(turn)
            if len(rows) < PAGE or _seconds(rows[0].created_at) < since:
                return sorted(found, key=lambda turn: turn.at)
            page += 1

    async def persona(self, chat: StoredChat) -> str:
        """The persona that answers there now, unless the conversation has one of its own."""
        platform = chat.session.partition(":")[0]
        return await persona_of(self.context, chat.session, platform, chat.persona)


def _chat(conversation: Any) -> StoredChat:
    try:
        messages = json.loads(conversation.history or "[]")
    except (ValueError, RecursionError):
        messages = []
    return StoredChat(
        str(conversation.user_id),
        str(conversation.cid),
        conversation.persona_id,
        float(conversation.created_at),
        float(conversation.updated_at),
        messages if isinstance(messages, list) else [],
    )


def _seconds(at: datetime) -> float:
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
