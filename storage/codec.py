"""A memory as JSON: all of it, or only the part that is in no column."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from ..core.model.errors import Fault, UnreadableRecord
from ..core.model.memory import Memory
from ..core.records.serialisation import fields_of, memory_of, object_of, to_json
from ..core.text.quoting import tag_key

VITALITY_COLUMNS = (
    "strength",
    "useful_count",
    "useful_score",
    "pinned",
    "last_recalled_at",
    "last_decay_at",
    "sole",
)
"""The numbers of a vitality that are columns; `judged` stays in the body."""

_IN_COLUMNS: Any = {
    "id": True,
    "scope": True,
    "kind": True,
    "created_at": True,
    "standing": True,
    "vitality": set(VITALITY_COLUMNS),
}


def encode(memory: Memory) -> bytes:
    """The whole memory as JSON; fields at their default are left out."""
    return to_json(fields_of(memory))


def decode(document: bytes) -> Memory:
    """Inverse of `encode`. Raises UnreadableRecord if it is not a memory."""
    with readable():
        return memory_of(object_of(document))


def encode_body(memory: Memory) -> bytes:
    """Everything of the memory that is in no column, as JSON."""
    return to_json(fields_of(memory, exclude=_IN_COLUMNS))


def decode_body(body: bytes, columns: Mapping[str, Any], vitality: Mapping[str, Any]) -> Memory:
    """Inverse of `encode_body`, given what the columns hold. Raises UnreadableRecord."""
    with readable():
        fields = object_of(body)
        fields.update(columns)
        fields["vitality"] = {**fields.get("vitality", {}), **vitality}
        return memory_of(fields)


def slot_number(slot: str) -> int:
    """A whole number of 64 bits in the place of a slot, which is text of any length and of people.

    An index of texts would leave copies of them behind as it is rearranged.
    """
    return _number(slot)


def tag_number(tag: str) -> int:
    """The same for a tag, in whatever case and Chinese script it is written."""
    return _number(tag_key(tag))


def _number(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def problem_of[**P](read: Callable[P, Memory], *args: P.args, **options: P.kwargs) -> str:
    """Why something stored cannot be read as a memory; "" if it can."""
    try:
        read(*args, **options)
    except UnreadableRecord as error:
        # Not the words of the error: they quote the memory.
        cause = error.__cause__
        return str(getattr(cause, "field", "")) or type(cause).__name__
    return ""


@contextmanager
def readable() -> Iterator[None]:
    """Whatever fails inside because of what is stored comes out as UnreadableRecord."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        text = f"a stored memory is not readable ({error})"
        raise UnreadableRecord(text, fault=Fault.DAMAGED) from error
