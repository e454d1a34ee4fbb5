"""Recorded conversations: the file format of docs/replay.md, and how one is played."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_FIRST_USER = 1001
_QUESTION = re.compile(r"[?？]")


class RecordingMalformed(Exception):
    """The file is not a recording; `problems` names every place that does not fit."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the conversation. `number` is the account used in the replay; 0 is the bot."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Message:
    """One recorded text message; `at` is Unix time."""

    id: str
    at: float
    sender: Member
    text: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A conversation in the order of its times. Without a bot it still can be asked things."""

    name: str
    members: tuple[Member, ...]
    messages: tuple[Message, ...]

    @property
    def humans(self) -> tuple[Member, ...]:
        """Members who are not the bot."""
        return tuple(member for member in self.members if member.number)

    @property
    def private(self) -> bool:
        """Whether it is one person's chat with the bot."""
        return len(self.humans) == 1


@dataclass(frozen=True, slots=True)
class Step:
    """One human message to send. `reply` is what the bot answered then, None if unknown."""

    message: Message
    addressed: bool
    reply: str | None


def read(path: Path) -> Recording:
    """Raises RecordingMalformed, also for a file that cannot be read or is not JSON."""
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordingMalformed([f"{path}: {error}"]) from error
    return parse(document, default_name=path.stem)


def parse(document: object, *, default_name: str = "") -> Recording:
    """A recording from the JSON document. Raises RecordingMalformed with every problem."""
    problems: list[str] = []
    top = _object(document, "file", problems)
    meta = _object(top.get("session_meta"), "session_meta", problems)
    members = _members(_object(meta.get("user_details"), "session_meta.user_details", problems))
    where = _zone(meta.get("default_timezone", "UTC"), problems)
    entries = top.get("conversation_list")
    if not isinstance(entries, list):
        problems.append("conversation_list must be an array")
        entries = []
    found = [
        _message(entry, f"conversation_list[{index}]", members, where, problems)
        for index, entry in enumerate(entries)
    ]
    messages = sorted((message for message in found if message), key=lambda message: message.at)
    if not problems and not any(message.sender.number for message in messages):
        problems.append("conversation_list must hold a text message by a person")
    if problems:
        raise RecordingMalformed(problems)
    return Recording(str(meta.get("name") or default_name), (*members.values(),), (*messages,))


def plan(recording: Recording, *, ask_every: int) -> list[Step]:
    """Steps of the people; the bot's recorded messages become the replies before the next step.

    In private everything is said to the bot. In a group it is spoken to where it answered then,
    and otherwise with every `ask_every`-th message (0: never) and every question naming it.
    """
    steps: list[Step] = []
    names = [member.name for member in recording.members if not member.number]
    for count, (message, reply) in enumerate(_exchanges(recording.messages), start=1):
        asks_bot = _QUESTION.search(message.text) and any(name in message.text for name in names)
        in_turn = ask_every > 0 and count % ask_every == 0
        addressed = recording.private or reply is not None or bool(asks_bot) or in_turn
        steps.append(Step(message, addressed, reply))
    return steps


def _exchanges(messages: Sequence[Message]) -> Iterator[tuple[Message, str | None]]:
    said: Message | None = None
    for by_bot, run in itertools.groupby(messages, key=lambda message: not message.sender.number):
        if by_bot:
            reply = "\n".join(message.text for message in run)
            if said is not None:
                yield said, reply
                said = None
            continue
        for message in run:
            if said is not None:
                yield said, None
            said = message
    if said is not None:
        yield said, None


def _object(value: object, path: str, problems: list[str]) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    problems.append(f"{path} must be an object")
    return {}


def _members(details: Mapping[str, Any]) -> dict[str, Member]:
    members: dict[str, Member] = {}
    numbers = itertools.count(_FIRST_USER)
    for user, detail in details.items():
        facts = detail if isinstance(detail, dict) else {}
        number = 0 if facts.get("role") == "assistant" else next(numbers)
        members[user] = Member(str(facts.get("full_name") or user), number)
    return members


def _zone(name: object, problems: list[str]) -> tzinfo:
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problems.append(f"session_meta.default_timezone must be an IANA zone, not {name!r}")
        return ZoneInfo("UTC")


def _message(
    value: object, path: str, members: Mapping[str, Member], where: tzinfo, problems: list[str]
) -> Message | None:
    entry = _object(value, path, problems)
    if entry.get("type", "text") != "text" or not entry:
        return None
    before = len(problems)
    sender = members.get(str(entry.get("sender")))
    if sender is None:
        problems.append(f"{path}.sender must be in user_details, not {entry.get('sender')!r}")
    text = entry.get("content")
    if not isinstance(text, str) or not text.strip():
        problems.append(f"{path}.content must be text")
    at = _moment(entry.get("create_time"), where)
    if at is None:
        given = entry.get("create_time")
        problems.append(f"{path}.create_time must be an ISO date and time, not {given!r}")
    if len(problems) > before:
        return None
    assert sender is not None
    assert at is not None
    return Message(str(entry.get("message_id", "")), at, sender, str(text))


def _moment(value: object, where: tzinfo) -> float | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=where)).timestamp()
