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

from ...model.conversation import Speaker
from ...model.memory import Facet, Kind
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
    entries,
    fields,
    name,
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
    for number, each in enumerate(content.rows(), start=1):
        yield from _conversation(each, str(number), now)


def _conversation(held: Row, number: str, now: float) -> Iterator[ForeignRow]:
    id = name(held.get("conversation_id")) or name(held.get("id")) or number
    nodes = fields(held.get("mapping"))
    last = time(held.get("update_time"), now) or time(held.get("create_time"), now)
    for message in _branch(nodes, name(held.get("current_node"))):
        content = fields(message.get("content"))
        row = f"{id}.{name(message.get('id'))}"
        at = time(message.get("create_time"), now) or last
        if content.get("content_type") == "user_editable_context":
            yield from _known_of_person(content, row, at)
        elif _is_said(message, content):
            parts = (part for part in entries(content.get("parts")) if isinstance(part, str))
            said = cleaned("\n".join(map(text, parts)))
            yield ForeignMemory(
                row=row,
                chat=CHAT,
                text=said[:LONGEST_SAID],
                kind=Kind.EVIDENCE,
                conversation=id,
                created_at=at,
                importance=0.0,
                confidence=1.0,
            )


def _branch(nodes: Row, last: str) -> Iterator[Row]:
    """The messages from the first to the last that was current."""
    found: list[str] = []
    while last and len(found) < MOST_MESSAGES:
        found.append(last)
        last = name(fields(nodes.get(last)).get("parent"))
    for id in reversed(found):
        yield fields(fields(nodes.get(id)).get("message"))


def _is_said(message: Row, content: Row) -> bool:
    """Whether the person said it, in words, to the model, and it was shown."""
    noted = fields(message.get("metadata"))
    return (
        fields(message.get("author")).get("role") == "user"
        and content.get("content_type") in _TYPES
        and message.get("recipient", "all") == "all"
        and message.get("weight", 1) != 0
        and not noted.get("is_visually_hidden_from_conversation")
    )


def _known_of_person(content: Row, row: str, at: float | None) -> Iterator[ForeignRow]:
    for key in _OF_PERSON:
        if said := cleaned(text(content.get(key))):
            yield ForeignMemory(
                row=f"{row}.{key}",
                chat=CHAT,
                text=said[:LONGEST_SAID],
                created_at=at,
                importance=0.7,
            )


def _sillytavern(content: Content, now: float) -> Iterator[ForeignRow]:
    head = content.told if "mes" not in content.told else {}
    answers = (line for line in content.rows() if "mes" in line and not line.get("is_user"))
    replied = (name(each.get("name")) for each in answers if not each.get("is_system"))
    character = _called(head.get("character_name")) or next(replied, "")
    for number, line in enumerate(content.rows(), start=1):
        yield from _message(line, head, character, str(number), now)


def written_at(value: object, now: float) -> float | None:
    """The time of a message, in any of the forms its versions wrote; without a zone it is UTC."""
    said = text(value, 60)
    if found := _LONG.match(said):
        year, month, day, hour, minute, second = map(int, found.groups())
        try:
            at = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            return None
        return time(at.timestamp(), now)
    try:
        return time(datetime.strptime(said, _ENGLISH).replace(tzinfo=UTC).timestamp(), now)
    except ValueError:
        return time(value, now)


def _message(line: Row, head: Row, character: str, number: str, now: float) -> Iterator[ForeignRow]:
    if not line.get("is_user") or line.get("is_system"):
        return
    said = cleaned(text(line.get("mes")))[:LONGEST_SAID]
    user = _called(head.get("user_name")) or name(line.get("name"))
    yield ForeignMemory(
        row=number,
        chat=f"{USER}{user}".strip(),
        persona=character,
        text=f"{user}: {said}" if user and said else said,
        kind=Kind.EPISODIC,
        facet=Facet.EPISODIC,
        conversation=name(head.get("create_date")),
        created_at=written_at(line.get("send_date"), now),
        importance=0.2,
        about=(character,) if character else (),
    )


def _called(value: object) -> str:
    called = name(value)
    return "" if called == UNUSED else called


def _is_qq(content: Content) -> bool:
    """A document, or lines."""
    exporter = name(fields(content.told.get("metadata")).get("name"))
    return content.has(_OF_QQ) or (exporter.startswith(EXPORTER) and "messages" in content.tables)


def _qq(content: Content, now: float) -> Iterator[ForeignRow]:
    chat = fields(content.told.get("chatInfo"))
    own = {name(chat.get("selfUin")), name(chat.get("selfUid"))} - {""}
    group = name(chat.get("name")) or "?" if chat.get("type") == "group" else ""
    messages = content.rows("messages" if "messages" in content.tables else "")
    for number, message in enumerate(messages, start=1):
        sender = fields(message.get("sender"))
        if not message.get("system") and not own & {_account(sender), name(sender.get("uid"))}:
            yield _told(message, sender, group, str(number), now)


def _account(sender: Row) -> str:
    account = name(sender.get("uin"))
    return "" if account == "0" else account


def _told(message: Row, sender: Row, group: str, number: str, now: float) -> ForeignRow:
    row, account = name(message.get("id")) or number, _account(sender)
    if message.get("recalled"):
        return SkippedRow(row, Skip.DELETED)
    said = cleaned(_own_words(message))
    if said and not account:
        return SkippedRow(row, Skip.NO_OWNER)
    return ForeignMemory(
        row=row,
        chat=f"{GROUP}{group}" if group else f"{USER}{account}",
        chat_name=group,
        text=said[:LONGEST_SAID],
        kind=Kind.EVIDENCE,
        created_at=time(message.get("timestamp"), now),
        importance=0.0,
        confidence=1.0,
        speaker=Speaker(account, name(sender.get("name"))[:80]),
        people=frozenset([account]),
    )


def _own_words(message: Row) -> str:
    """Without what others had said before: a quotation, or messages that were passed on."""
    content = fields(message.get("content"))
    said = text(content.get("text"))
    for each in map(fields, entries(content.get("elements"))):
        if each.get("type") == "forward":
            return ""
        if each.get("type") == "reply" and said.startswith(QUOTED):
            _, quoted, rest = said.partition(f": {text(fields(each.get('data')).get('content'))}]")
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
