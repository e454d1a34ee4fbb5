"""SillyTavern's chats: what the person said to a character. Pure.

It is role play, so it comes as something that happened, under the character as persona, and never
as a fact about the person.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from ...model.memory import Facet, Kind
from .cleaning import cleaned
from .rows import ForeignMemory, ForeignRow, ForeignSource, Program, Skip, SkippedRow
from .values import name, text, time

USER = "user "
UNUSED = "unused"
"""What its newer versions write for both names in the first line."""

LONGEST_SAID = 2_000

_LONG = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s")
_ENGLISH = "%B %d, %Y %I:%M%p"


def is_chat(first: Mapping[str, object]) -> bool:
    """Whether a line of JSON begins such a chat: its head, or where it has none a message."""
    return first.keys() >= {"character_name", "user_name"} or first.keys() >= {"mes", "is_user"}


def open_lines(lines: Iterable[Mapping[str, object]]) -> ForeignSource:
    """One chat, its first line included; `lines` can be gone over again."""

    def read(now: float) -> Iterator[ForeignRow]:
        first = next(iter(lines), {})
        head = first if "mes" not in first else {}
        answers = (line for line in lines if "mes" in line and not line.get("is_user"))
        replied = (name(each.get("name")) for each in answers if not each.get("is_system"))
        character = _called(head.get("character_name")) or next(replied, "")
        for number, line in enumerate(lines, start=1):
            yield from _message(line, head, character, str(number), now)

    return ForeignSource(Program.SILLYTAVERN, "", read)


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


def _message(
    line: Mapping[str, object],
    head: Mapping[str, object],
    character: str,
    number: str,
    now: float,
) -> Iterator[ForeignRow]:
    if not line.get("is_user") or line.get("is_system"):
        return
    said = cleaned(text(line.get("mes")))
    if not said:
        yield SkippedRow(number, Skip.EMPTY)
        return
    user = _called(head.get("user_name")) or name(line.get("name"))
    yield ForeignMemory(
        row=number,
        chat=f"{USER}{user}".strip(),
        persona=character,
        text=f"{user}: {said[:LONGEST_SAID]}" if user else said[:LONGEST_SAID],
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
