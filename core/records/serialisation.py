"""A memory as a JSON object, as searched text, by its short id, and its tags."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from ..languages import terms as tokens
from ..model.memory import Extractor, Kind, Memory
from ..ports import MemoryReader
from ..text.quoting import MOST_TAGS, folded, tag_key, tags_of

_ADAPTER = TypeAdapter(Memory)
_OBJECT = TypeAdapter(dict[str, Any])


class NotARecord(ValueError):
    """What was read is not a memory. `field` is the dotted name of what does not fit, or ""."""

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field


def fields_of(memory: Memory, *, exclude: Any = None, defaults: bool = False) -> dict[str, Any]:
    """The memory as JSON values; fields at their default only with `defaults`.

    `exclude` names fields to leave out, nested ones too, the way pydantic takes them.
    """
    return _ADAPTER.dump_python(memory, mode="json", exclude_defaults=not defaults, exclude=exclude)


def memory_of(fields: dict[str, Any], *, strict: bool = False) -> Memory:
    """Inverse of `fields_of`. `strict` converts no text to numbers. Raises NotARecord."""
    try:
        return _strictly(fields) if strict else _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise NotARecord(str(error), _where(error)) from error


def to_json(fields: dict[str, Any]) -> bytes:
    """Valid UTF-8 for any text: a lone surrogate cannot be encoded, but it can be escaped."""
    try:
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(fields, separators=(",", ":")).encode()


def object_of(document: bytes) -> dict[str, Any]:
    """The JSON object in a document. Raises NotARecord."""
    try:
        return _OBJECT.validate_json(document)
    except ValidationError:
        return _escaped_object(document)


def _strictly(fields: dict[str, Any]) -> Memory:
    try:
        return _ADAPTER.validate_json(to_json(fields), strict=True)
    except ValidationError as error:
        # What the fast parser cannot read is an escaped lone surrogate.
        if error.errors(include_url=False)[0]["type"] != "json_invalid":
            raise
        return _ADAPTER.validate_python(fields)


def _escaped_object(document: bytes) -> dict[str, Any]:
    """`object_of`, slower, for what the fast parser refuses: an escaped lone surrogate."""
    try:
        fields = json.loads(document)
    except (ValueError, RecursionError) as error:
        raise NotARecord(f"not readable as JSON ({error})") from error
    if not isinstance(fields, dict):
        raise NotARecord("not a JSON object")
    return cast("dict[str, Any]", fields)


def _where(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"])


QUERY_TERMS = 64
"""Terms of a query that are looked at; a pasted page is not a question."""


_APART = re.compile(r"[_:/]")


def indexed_text(memory: Memory) -> str:
    """What a memory is found by: text, what it claims, summary and cues.

    A raw turn's own words count twice where its cues are the words of its neighbours.
    """
    raw = memory.kind is Kind.EVIDENCE and memory.cues
    own = (memory.said,) if raw else claimed(memory)
    return "\n".join((memory.text, *own, memory.summary, *memory.cues))


def claimed(memory: Memory) -> tuple[str, ...]:
    """What a model says that a memory claims, of which relative or pet: its text may not say it.

    What rules read as a claim the text says itself.
    """
    claim = memory.claim
    if claim is None or memory.extractor is not Extractor.MODEL:
        return ()
    key = key_in_words(f"{claim.relation} {claim.attribute}").strip()
    return (f"{key}: {claim.value}".removesuffix(": "),)


def key_in_words(key: str) -> str:
    """The key of an attribute or a relative without the marks between its words."""
    return _APART.sub(" ", key)


def searched_terms(query: str) -> list[str]:
    """The distinct terms a query is scored with."""
    return tokens.query_terms(query)[:QUERY_TERMS]


LENGTHS = (6, 8, 12)


async def short_id(store: MemoryReader, memory: str, scopes: frozenset[str] | None) -> str:
    """The shortest of a few beginnings of the id that means nothing else in these scopes.

    None: in all scopes.
    """
    for length in LENGTHS:
        if len(await store.resolve(memory[:length], scopes)) <= 1:
            return memory[:length]
    return memory


def has_tag(memory: Memory, tag: str) -> bool:
    """Whether the memory has the tag, in whatever case and script."""
    wanted = tag_key(tag)
    return any(folded(own) == wanted for own in memory.tags)


def too_many(memory: Memory, added: Iterable[str], removed: Iterable[str]) -> bool:
    """Whether the memory would not hold all of these tags."""
    gone = {tag_key(text) for text in removed}
    kept = {folded(tag) for tag in memory.tags} - gone
    return len(kept | {tag_key(text) for text in added}) > MOST_TAGS


def tagged(memory: Memory, added: Iterable[str], removed: Iterable[str]) -> Memory:
    """With and without these tags; the same memory if that changes nothing."""
    gone = {tag_key(text) for text in removed}
    kept = [tag for tag in memory.tags if folded(tag) not in gone]
    return replace(memory, tags=tags_of((*kept, *added)))
