"""What people said elsewhere: to ChatGPT, to characters in SillyTavern, and to others in QQ. Pure.

A conversation of ChatGPT is a tree; the branch that ends in `current_node` is what was said in the
end. What is said to a character is role play, so it comes as something that happened, under the
character as persona, and never as a fact about the person.

QQ Chat Exporter writes one JSON document for a chat, or files of lines. They name people by account
and a group only by what it calls itself: whose a chat is, the admin says. The account that exported
it is the bot's or the exporter's own and does not come.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from ...model.conversation import Speaker
from ...model.memory import Kind
from .rows import (
    GROUP,
    MEDIA,
    QUOTED,
    USER,
    Content,
    ForeignMemory,
    ForeignRow,
    Format,
    Program,
    Row,
    Skip,
    SkippedRow,
    cleaned,
    text,
    time,
)

CHAT = "chatgpt"
"""Whose it is, the file does not say: the admin picks the person."""

LONGEST_SAID = 2_000
MOST_MESSAGES = 20_000
"""Of one branch; a circle of parents ends there."""

_TYPES = frozenset({"text", "multimodal_text"})
_OF_PERSON = ("user_profile", "user_instructions")

UNUSED = "unused"
"""What its newer versions write for both names in the first line."""

EXPORTER = "QQChatExporter"
_OF_QQ = frozenset({"seq", "timestamp", "sender", "content", "recalled"})
_WORDS = frozenset({"type_1", "type_3", "text", "reply"})
"""The sorts of messages that are somebody's own words, in either of its ways to name them."""

_LONG = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s")
_ENGLISH = "%B %d, %Y %I:%M%p"


def _is_chatgpt(content: Content) -> bool:
    """A list of conversations."""
    first = list(islice(content.rows(), 20))
    return bool(first) and all("mapping" in each for each in first)


def _chatgpt(content: Content, now: float) -> Iterator[ForeignRow]:
    for number, held in enumerate(content.rows(), start=1):
        id = held.name("conversation_id", "id") or str(number)
        last = held.time(now, "update_time", "create_time")
        for message in _branch(held.row("mapping"), held.name("current_node")):
            row, told = f"{id}.{message.name('id')}", message.row("content")
            at = message.time(now, "create_time") or last
            if told.get("content_type") == "user_editable_context":
                for key in filter(told.said, _OF_PERSON):
                    said = told.said(key)[:LONGEST_SAID]
                    yield ForeignMemory(
                        row=f"{row}.{key}", chat=CHAT, text=said, created_at=at, importance=0.7
                    )
            elif _is_said(message, told):
                parts = (part for part in told.entries("parts") if isinstance(part, str))
                said = cleaned("\n".join(map(text, parts)))
                yield _message(row, CHAT, said, at, conversation=id)


def _message(row: str, chat: str, said: str, at: float | None, **more: Any) -> ForeignMemory:
    """What somebody said, as evidence of it."""
    return ForeignMemory(
        row=row,
        chat=chat,
        text=said[:LONGEST_SAID],
        kind=Kind.EVIDENCE,
        created_at=at,
        importance=0.0,
        confidence=1.0,
        **more,
    )


def _branch(nodes: Row, last: str) -> Iterator[Row]:
    """The messages from the first to the last that was current."""
    found: list[str] = []
    while last and len(found) < MOST_MESSAGES:
        found.append(last)
        last = nodes.row(last).name("parent")
    for id in reversed(found):
        yield nodes.row(id).row("message")


def _is_said(message: Row, content: Row) -> bool:
    """Whether the person said it, in words, to the model, and it was shown."""
    return (
        message.row("author").get("role") == "user"
        and content.get("content_type") in _TYPES
        and message.get("recipient", "all") == "all"
        and message.get("weight", 1) != 0
        and not message.row("metadata").get("is_visually_hidden_from_conversation")
    )


def _sillytavern(content: Content, now: float) -> Iterator[ForeignRow]:
    head = content.told if "mes" not in content.told else Row()
    answers = (line for line in content.rows() if "mes" in line and not line.get("is_user"))
    replied = (each.name("name") for each in answers if not each.get("is_system"))
    character = _called(head, "character_name") or next(replied, "")
    for number, line in enumerate(content.rows(), start=1):
        if not line.get("is_user") or line.get("is_system"):
            continue
        said = line.said("mes")[:LONGEST_SAID]
        user = _called(head, "user_name") or line.name("name")
        yield ForeignMemory(
            row=str(number),
            chat=f"{USER}{user}".strip(),
            persona=character,
            text=f"{user}: {said}" if user and said else said,
            kind=Kind.EPISODIC,
            conversation=head.name("create_date"),
            created_at=written_at(line.get("send_date"), now),
            importance=0.2,
            about=(character,) if character else (),
        )


def written_at(value: object, now: float) -> float | None:
    """The time of a message, in any of the forms its versions wrote; without a zone it is UTC."""
    said = text(value, 60)
    if found := _LONG.match(said):
        said = "{}-{:0>2}-{:0>2} {:0>2}:{:0>2}:{:0>2}".format(*found.groups())
        return time(said, now)
    try:
        return time(datetime.strptime(said, _ENGLISH).replace(tzinfo=UTC).timestamp(), now)
    except ValueError:
        return time(value, now)


def _called(head: Row, key: str) -> str:
    called = head.name(key)
    return "" if called == UNUSED else called


def _is_qq(content: Content) -> bool:
    """A document, or lines."""
    exporter = content.told.row("metadata").name("name")
    return content.has(_OF_QQ) or (exporter.startswith(EXPORTER) and "messages" in content.tables)


def _qq(content: Content, now: float) -> Iterator[ForeignRow]:
    chat = content.told.row("chatInfo")
    own = {chat.name("selfUin"), chat.name("selfUid")} - {""}
    group = chat.name("name") or "?" if chat.get("type") == "group" else ""
    messages = content.rows("messages" if "messages" in content.tables else "")
    for number, message in enumerate(messages, start=1):
        sender = message.row("sender")
        account = "" if (uin := sender.name("uin")) == "0" else uin
        if not message.get("system") and not own & {account, sender.name("uid")}:
            yield _told(message, account, group, str(number), now)


def _told(message: Row, account: str, group: str, number: str, now: float) -> ForeignRow:
    row, said = message.name("id") or number, cleaned(_own_words(message))
    if message.get("recalled"):
        return SkippedRow(row, Skip.DELETED)
    if said and not account:
        return SkippedRow(row, Skip.NO_OWNER)
    return _message(
        row,
        f"{GROUP}{group}" if group else f"{USER}{account}",
        said,
        message.time(now, "timestamp"),
        chat_name=group,
        speaker=Speaker(account, message.row("sender").name("name")[:80]),
        people=frozenset([account]),
    )


def _own_words(message: Row) -> str:
    """Without what others had said before: a quotation, or messages that were passed on."""
    content = message.row("content")
    said = content.text("text")
    for each in content.rows("elements"):
        if each.get("type") == "forward":
            return ""
        if each.get("type") == "reply" and said.startswith(QUOTED):
            _, quoted, rest = said.partition(f": {each.row('data').text('content')}]")
            said = rest if quoted else said
    if message.get("type") not in _WORDS or said.startswith(QUOTED):
        return ""
    return MEDIA.sub("", said)


FORMATS = (
    Format(Program.CHATGPT, _is_chatgpt, _chatgpt),
    Format(Program.QQ, _is_qq, _qq),
    Format(
        Program.SILLYTAVERN,
        # By its head, or where it has none by a message.
        lambda content: (
            content.has(["character_name", "user_name"]) or content.has(["mes", "is_user"])
        ),
        _sillytavern,
    ),
)
