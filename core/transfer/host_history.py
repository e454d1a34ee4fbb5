"""What AstrBot has stored of earlier chats, as turns. Pure.

Two sources: conversations, whose messages are what its model was shown (OpenAI's form, without
times of their own), and the messages of groups, which it keeps only where that is switched on. What
nobody said is left out: compressed summaries with their acknowledgement, reminders of the system,
tool calls and their results, other parts of a request, and our own blocks.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Protocol

from ..model.conversation import Role
from ..recall.block import OPENING

LONGEST_TEXT = 20_000
SUMMARY = "Our previous history conversation summary:"
_NOT_SAID = (
    "<system_reminder>",
    "<Quoted Message>",
    "<image_caption>",
    "[Related Knowledge Base Results]",
    "[Image Attachment",
    "[Audio Attachment",
    "[File Attachment",
    OPENING,
)
_WHO = re.compile(r"User ID: (\S+), Nickname: ([^\n<]*)")
_WHEN = re.compile(r"Current datetime: (\d{4}-\d\d-\d\d \d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A conversation of the host. Times in Unix seconds; `messages` oldest first."""

    session: str
    conversation: str
    persona: str | None
    began: float
    ended: float
    messages: Sequence[Any]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """Something that was said. `key` is the same whenever it is read; `speaker` and `name` "" where
    the host does not tell them. `at` is estimated within a conversation unless the host noted it.
    """

    key: str
    role: Role
    text: str
    at: float
    speaker: str = ""
    name: str = ""


class HostHistory(Protocol):
    """Reads what the host has stored."""

    def chats(self, *, since: float) -> AsyncIterator[StoredChat]:
        """Conversations in which something was said after `since`, one at a time."""
        ...

    async def messages(self, session: str, *, since: float) -> list[StoredTurn]:
        """What is stored of a group's messages after `since`, oldest first."""
        ...

    async def persona(self, chat: StoredChat) -> str:
        """The persona that answers there."""
        ...


def turns_of_chat(chat: StoredChat) -> list[StoredTurn]:
    """What was said in a conversation, oldest first; the same words of one side count once.

    In the order in which it stands, the times never going back.
    """
    said: dict[str, StoredTurn] = {}
    skip_answer, latest = False, 0.0
    for number, message in enumerate(chat.messages):
        role = _ROLES.get(str(message.get("role"))) if isinstance(message, Mapping) else None
        if role is None:
            continue
        texts = texts_of(message.get("content"))
        words = (text for text in texts if not text.lstrip().startswith(_NOT_SAID))
        spoken = "\n".join(words).strip()[:LONGEST_TEXT]
        summary = role is Role.USER and spoken.startswith(SUMMARY)
        if summary or (skip_answer and role is Role.ASSISTANT) or spoken in ("", "<attachment>"):
            skip_answer = summary
            continue
        skip_answer = False
        reminders = "\n".join(texts)
        who, when = _WHO.search(reminders), _WHEN.search(reminders)
        share = (number + 1) / (len(chat.messages) + 1)
        at = chat.began + (max(chat.ended, chat.began) - chat.began) * share
        if when is not None and role is Role.USER:
            at = min(max(_local_time(when[1], at), chat.began), max(chat.ended, chat.began))
        key = _key(chat.conversation, role, spoken)
        user, name = (who[1], who[2].strip()) if who and role is Role.USER else ("", "")
        if key not in said:
            latest = max(latest, at)
            said[key] = StoredTurn(key, role, spoken, latest, user, name)
    return list(said.values())


def turn_of_row(
    row_id: object, content: object, sender: str, name: str, at: float
) -> StoredTurn | None:
    """A message of a group as the host keeps it; None if nothing was said in it."""
    if not isinstance(content, Mapping):
        return None
    role = Role.ASSISTANT if content.get("type") == "bot" else Role.BYSTANDER
    parts = content.get("message")
    texts = [
        str(part.get("text") or "")
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, Mapping) and part.get("type") == "plain"
    ]
    text = "".join(texts).strip()[:LONGEST_TEXT]
    return StoredTurn(f"row:{row_id}", role, text, at, sender, name) if text else None


_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def texts_of(content: object) -> list[str]:
    """The texts of a message's content, which is one text or has parts."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    found = (part.get("text") for part in content if isinstance(part, Mapping))
    return [text for text in found if isinstance(text, str)]


def _key(conversation: str, role: Role, text: str) -> str:
    """Not by place: a compressed history begins elsewhere."""
    words = f"{conversation}\n{role}\n{text}".encode("utf-8", "surrogatepass")
    return blake2b(words, digest_size=16).hexdigest()


def _local_time(written: str, otherwise: float) -> float:
    try:
        return datetime.strptime(written, "%Y-%m-%d %H:%M").timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise
