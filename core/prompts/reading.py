"""JSON that a model wrote: found in its reply, repaired, each field read alone. Pure."""

import json
import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ..model.errors import ReplyMalformed
from ..ports import Prompt

LONGEST_REPLY = 100_000
"""Characters that are read; what comes after is cut off."""

MOST_DEPTH = 64
_MOST_STARTS = 32
_THOUGHT_NAME = "think|thinking|thought|reasoning|reflection"
_THOUGHT = re.compile(rf"<({_THOUGHT_NAME})>[^<]*(?:<(?!/?\1>)[^<]*)*</\1>", re.I)
_THOUGHT_BEGIN = re.compile(rf"<(?:{_THOUGHT_NAME})>", re.I)
_THOUGHT_END = re.compile(rf"</(?:{_THOUGHT_NAME})>", re.I)
_BEGINNING = re.compile(r"[\[{]")
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.S)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.S)

_ONCE_MORE = "The last reply could not be read. Reply with the JSON object and nothing else."

type JsonObject = Mapping[str, object]


class ReadRecord(BaseModel):
    """A record in a reply: unknown properties are ignored, numbers count as texts."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True, frozen=True)


def lax(default: object) -> WrapValidator:
    """Gives a field this value where its own does not fit."""

    def read(value: object, inner: ValidatorFunctionWrapHandler) -> Any:
        try:
            return inner(value)
        except ValidationError:
            return default

    return WrapValidator(read)


def _several(value: object) -> list[object]:
    """A single value as a list of it; nothing as none."""
    if value is None:
        return []
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _no_truth(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("no number")
    return value


SEVERAL = BeforeValidator(_several)

type Text = Annotated[str, lax("")]
type Texts = Annotated[tuple[Text, ...], SEVERAL, lax(())]
type Whole = Annotated[int, BeforeValidator(_no_truth), lax(0)]
type Wholes = Annotated[tuple[Whole, ...], SEVERAL, lax(())]
type Share = Annotated[float | None, Field(ge=0.0, le=1.0), BeforeValidator(_no_truth), lax(None)]
"""A number 0..1; nothing out of range is moved into it."""


def items_in(reply: str, under: Collection[str], of: Collection[str]) -> list[object]:
    """The items of the list in a reply that stands `under` one of these names.

    A list by itself counts, and so does a single item: an object with a property `of` these. Of a
    reply that ends early whole items are given alone, for half of one may say otherwise. Raises
    ReplyMalformed if nothing of the kind is there.
    """
    document = document_in(reply, under, of)
    if isinstance(document, list):
        return document
    named = next((name for name in under if name in document), None)
    held = document if named is None else document[named]
    if not isinstance(held, list | dict | None):
        raise ReplyMalformed((f"{named} is no list",))
    items = _several(cast("object", held))
    if not items and _left_open(_answer(reply[:LONGEST_REPLY])):
        raise ReplyMalformed(("the reply ends before anything is told",))
    return items


def document_in(
    reply: str, under: Collection[str], of: Collection[str] = ()
) -> JsonObject | list[object]:
    """The first object in a reply with a property `under` these, whatever stands around it.

    A list of texts or of objects with properties `of` these, or one such object, counts too.
    Raises ReplyMalformed if there is none.
    """
    answer = _answer(reply[:LONGEST_REPLY])
    documents = [*_sound(answer), *_repaired(answer)]
    for document in documents:
        if (found := _holding(document, under, of)) is not None:
            return found
    for document in documents if of else ():
        # A list under a name of another language.
        values = cast("dict[str, object]", document).values() if isinstance(document, dict) else ()
        if (found := next((each for each in values if _is_records(each)), None)) is not None:
            return cast("list[object]", found)
    raise ReplyMalformed((f"the reply has no {' or '.join(under)}",))


def object_in(reply: str, under: Collection[str]) -> JsonObject:
    """The first object in a reply with a property of these. Raises ReplyMalformed."""
    # Without properties of items no list is looked for.
    return cast("JsonObject", document_in(reply, under))


def once_more(prompt: Prompt) -> Prompt:
    """The same call after a reply of which nothing could be read."""
    return replace(prompt, user=f"{prompt.user}\n\n{_ONCE_MORE}")


def record_of[R: ReadRecord](shape: type[R], value: object) -> R | None:
    """One record of a reply; None if the value is no object."""
    try:
        return shape.model_validate(value)
    except ValidationError:
        return None


def cleaned(text: str, limit: int) -> str:
    """Without NUL and lone surrogates, stripped, at most `limit` characters."""
    sound = text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8").strip()
    return sound if len(sound) <= limit else sound[: limit - 1].rstrip() + "…"


def _answer(reply: str) -> str:
    """Without what was thought aloud; of a thought that never ended the last part is the answer."""
    answer = _THOUGHT.sub("", reply)
    last = _THOUGHT_END.split(answer)[-1]
    answer = last if "{" in last or "[" in last else answer
    # An answer that was written as one text.
    if answer.strip().startswith(('"{', '"[')):
        try:
            told = json.loads(answer)
        except (ValueError, RecursionError):
            return answer
        return told if isinstance(told, str) else answer
    return _THOUGHT_BEGIN.sub("", answer)


def _sound(text: str) -> Iterator[object]:
    """Objects and lists that are JSON as they stand, up to the first that is broken."""
    decoder, start = json.JSONDecoder(), 0
    for _ in range(_MOST_STARTS):
        opening = _BEGINNING.search(text, start)
        if opening is None:
            return
        try:
            value, start = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            # Inner parts of a broken whole decode too, and are not what was meant.
            return
        yield value


def _repaired(text: str) -> Iterator[object]:
    """What was meant by text that is not quite JSON, without what was cut off at its end."""
    opening = _BEGINNING.search(text)
    # What is nested without end takes the library many seconds.
    if opening is None or max(map(len, _open(text)), default=0) > MOST_DEPTH:
        return
    try:
        # A plugin that was copied by hand may lack what it requires: then JSON alone is read.
        import json_repair

        text = _without_cut_item(text[opening.start() :])
        value = json_repair.loads(text, skip_json_loads=True)
    except (ImportError, ValueError, RecursionError):
        return
    value = _whole(value, text)
    yield value
    # Several documents one after another come as a list of them.
    if isinstance(value, list):
        yield from cast("list[object]", value)


def _without_cut_item(text: str) -> str:
    """Of a document that ends within an item of its list, as far as whole items go."""
    open, end = "", 0
    for bracket in _BRACKET_OR_STRING.finditer(text):
        mark = bracket[0]
        if mark in "{[":
            open += mark
        elif mark in "]}":
            open = open[:-1]
            end = bracket.end() if open in ("{[", "[") else end
    return text[:end] if end and open.startswith(("{[{", "[{")) else text


def _open(text: str) -> Iterator[str]:
    """The brackets that are open after each bracket outside of texts, the outermost first.

    It ends where there are more than may be.
    """
    found = ""
    for bracket in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        if len(found) > MOST_DEPTH:
            return
        found = found + bracket if bracket in "{[" else found[:-1]
        yield found


def _left_open(text: str) -> str:
    """The brackets that are opened and not closed."""
    return next(iter(deque(_open(text), maxlen=1)), "")


def _whole(value: object, text: str) -> object:
    """Of what was repaired, what the text tells in full."""
    left = _left_open(text)
    ended = text.rstrip(" \t\r\n,")[-1:] in ("}", "]")
    if not left or (left[-1] == "[" and ended):
        return value
    return _without_last(value, within=len(left) > 1)


def _without_last(value: object, *, within: bool) -> object:
    """Without the last item of the last list, if that was cut, or the last property."""
    if isinstance(value, list):
        return cast("list[object]", value)[:-1]
    if not isinstance(value, dict) or not value:
        return cast("object", value)
    *whole, (name, last) = cast("dict[str, object]", value).items()
    if isinstance(last, list | dict):
        told = cast("object", last)
        return dict([*whole, (name, _without_last(told, within=True) if within else told)])
    return dict(whole)


def _holding(
    value: object, under: Collection[str], of: Collection[str]
) -> JsonObject | list[object] | None:
    """What is looked for: the value itself, an object in it, or a list of items."""
    if isinstance(value, list):
        items = cast("list[object]", value)
        told = [each for each in items if isinstance(each, str) or _has(each, of)]
        return items if of and items and len(told) == len(items) else None
    if not isinstance(value, dict):
        return None
    document = cast("dict[str, object]", value)
    holders = [document, *document.values()]
    found = next((each for each in holders if _has(each, under)), None)
    if found is None and _has(document, of):
        found = document
    return cast("JsonObject | None", found)


def _is_records(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return bool(items) and all(isinstance(each, dict) for each in items)


def _has(value: object, wanted: Collection[str]) -> bool:
    return isinstance(value, dict) and any(name in value for name in wanted)
