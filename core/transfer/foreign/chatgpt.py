"""ChatGPT's data export: what the person said, and their custom instructions. Pure.

A conversation is a tree; the branch that ends in `current_node` is what was said in the end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ...model.memory import Kind
from .cleaning import cleaned
from .rows import ForeignMemory, ForeignRow, ForeignSource, Program, Skip, SkippedRow
from .values import entries, fields, name, text, time

CHAT = "chatgpt"
"""Whose it is, the file does not say: the admin picks the person."""

LONGEST_SAID = 2_000
MOST_MESSAGES = 20_000
"""Of one branch; a circle of parents ends there."""

_TYPES = frozenset({"text", "multimodal_text"})
_OF_PERSON = ("user_profile", "user_instructions")


def is_export(found: object) -> bool:
    """Whether a JSON document is a list of its conversations."""
    if not isinstance(found, list) or not found:
        return False
    return all(isinstance(each, dict) and "mapping" in each for each in islice(found, 20))


def open_list(conversations: Iterable[object]) -> ForeignSource:
    """What was said in these."""

    def read(now: float) -> Iterator[ForeignRow]:
        for number, each in enumerate(conversations, start=1):
            yield from _conversation(fields(each), str(number), now)

    return ForeignSource(Program.CHATGPT, "", read)


def _conversation(held: Mapping[str, object], number: str, now: float) -> Iterator[ForeignRow]:
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
            said = cleaned("\n".join(text(part) for part in _parts(content)))
            if not said:
                yield SkippedRow(row, Skip.EMPTY)
                continue
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


def _branch(nodes: Mapping[str, object], last: str) -> Iterator[Mapping[str, object]]:
    """The messages from the first to the last that was current."""
    found: list[str] = []
    while last and len(found) < MOST_MESSAGES:
        found.append(last)
        last = name(fields(nodes.get(last)).get("parent"))
    for id in reversed(found):
        yield fields(fields(nodes.get(id)).get("message"))


def _is_said(message: Mapping[str, object], content: Mapping[str, object]) -> bool:
    """Whether the person said it, in words, to the model, and it was shown."""
    noted = fields(message.get("metadata"))
    return (
        fields(message.get("author")).get("role") == "user"
        and content.get("content_type") in _TYPES
        and message.get("recipient", "all") == "all"
        and message.get("weight", 1) != 0
        and not noted.get("is_visually_hidden_from_conversation")
    )


def _known_of_person(
    content: Mapping[str, object], row: str, at: float | None
) -> Iterator[ForeignRow]:
    for key in _OF_PERSON:
        if said := cleaned(text(content.get(key))):
            yield ForeignMemory(
                row=f"{row}.{key}",
                chat=CHAT,
                text=said[:LONGEST_SAID],
                created_at=at,
                importance=0.7,
            )


def _parts(content: Mapping[str, object]) -> Sequence[object]:
    return [part for part in entries(content.get("parts")) if isinstance(part, str)]
