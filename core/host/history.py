"""The host's history of a chat: which conversation a request is in, and what was stored before."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context
from astrbot.core.exceptions import ProviderNotFoundError

from ..model.conversation import Place
from ..transfer.host_history import StoredChat, StoredTurn, turn_of_row
from .compression import Compression, Message, compression_of, estimated, surviving
from .identity import persona_of

PLACED = "tidemark_place"
"""The key under which an event carries the place of its request, with its conversation."""


def place_in(request: ProviderRequest, place: Place) -> Place:
    """The place with the request's own conversation: the host opens it after the message."""
    conversation = request.conversation
    return place if conversation is None else replace(place, conversation=conversation.cid)


def placed(event: AstrMessageEvent, place: Place) -> Place:
    """Where the answer to the event is given, as far as the request has told."""
    return event.get_extra(PLACED) or place


def begins_anew(request: ProviderRequest) -> bool:
    """Whether the host's history of the request's conversation is empty."""
    conversation = request.conversation
    return (
        conversation is not None
        and not request.contexts
        and (conversation.history or "").strip() in ("", "[]")
    )


def keeps_messages(context: Context, session: str, *, after_reset: bool) -> bool:
    """Whether the host keeps messages of a group beside its conversations, for the model to read.

    With `after_reset`, whether it does so although it was told to forget the conversation.
    """
    settings: Mapping[str, Any] = context.get_config(umo=session).get("provider_ltm_settings", {})
    kept = bool(settings.get("group_message_history_enable", False))
    return kept or (not after_reset and bool(settings.get("group_icl_enable", False)))


async def surviving_history(
    context: Context, event: AstrMessageEvent, request: ProviderRequest, *, added: int
) -> Sequence[Message]:
    """What the model is sure to see of a request's history, with `added` tokens in the request."""
    extra = (str(getattr(part, "text", "")) for part in request.extra_user_content_parts)
    texts = (request.prompt or "", request.system_prompt or "", *extra)
    used = getattr(request.conversation, "token_usage", 0)
    used = used if isinstance(used, int) else 0
    beside, compression = added + sum(map(estimated, texts)), await _compression(context, event)
    return surviving(request.contexts, compression, beside, used)


async def _compression(context: Context, event: AstrMessageEvent) -> Compression:
    session = event.unified_msg_origin
    provider: Any = None
    # Without a provider nothing is asked of a model, and nothing cut.
    with suppress(ProviderNotFoundError):
        chosen = event.get_extra("selected_provider")
        chosen = chosen or await context.get_current_chat_provider_id(session)
        provider = context.get_provider_by_id(chosen)
    settings: Mapping[str, Any] = getattr(provider, "provider_config", {})
    return compression_of(context.get_config(umo=session), settings.get("max_context_tokens"))


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
