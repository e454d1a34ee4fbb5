"""Reading JSON a model wrote: find it in the reply, check it, name every problem. Pure."""

import json
import re
import reprlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from itertools import islice
from typing import cast

from ..model.errors import ReplyMalformed
from .lenient_json import NotJson, value_at

LONGEST_REPLY = 200_000
MOST_PROBLEMS = 100
_MOST_STARTS = 32
_MOST_CARELESS = 4
_THOUGHT_NAME = "think|thinking|thought|reasoning|reflection"
_THOUGHT = re.compile(rf"<({_THOUGHT_NAME})>[^<]*(?:<(?!/?\1>)[^<]*)*</\1>", re.I)
_THOUGHT_BEGIN = re.compile(rf"<(?:{_THOUGHT_NAME})>", re.I)
_THOUGHT_END = re.compile(rf"</(?:{_THOUGHT_NAME})>", re.I)
_BEGINNING = re.compile(r"\[(?=\s*\{)|\{")
_LONGEST_SHOWN = 120
_FIRST_YEAR, _LAST_YEAR = 1900, 2200

type JsonObject = Mapping[str, object]


def json_object(reply: str, wanted: str, *, cut: bool = False, of: str = "") -> JsonObject:
    """The first object in `reply` with the property `wanted`, whatever stands around it.

    Without one, the first object at all. What is not quite JSON is read as it is meant
    (`lenient_json`); with `cut`, so is a reply that ends early, as far as whole items of `wanted`
    go. An array of objects with the property `of` is taken for `wanted` itself.
    Raises ReplyMalformed if there is none, or if the reply has more than `LONGEST_REPLY`
    characters.
    """
    if len(reply) > LONGEST_REPLY:
        raise ReplyMalformed((f"reply has {len(reply)} characters, at most {LONGEST_REPLY}",))
    answer = _answer(reply)
    found = list(_objects(answer))
    objects = [item for item in found if not isinstance(item, str)]
    for item in objects:
        for holder in (item, *item.values()):
            if isinstance(holder, dict) and wanted in holder:
                return cast("JsonObject", holder)
    careless = _careless(answer, wanted, cut=cut, of=of)
    if careless is not None:
        return careless
    # Inner objects of a broken outer one decode too: then the outer one's error is the news.
    if objects and objects[0] is found[0]:
        return objects[0]
    reason = next((item for item in found if isinstance(item, str)), "no opening brace")
    raise ReplyMalformed((f"reply is not a complete JSON object: {reason}",))


def _answer(reply: str) -> str:
    """Without what was thought aloud; one that never ended is no answer."""
    answer = _THOUGHT.sub("", reply)
    last = _THOUGHT_END.split(answer)[-1]
    answer = last if "{" in last else answer
    opening = _THOUGHT_BEGIN.search(answer)
    if opening is not None and opening.start() < answer.find("{"):
        answer = answer[: opening.start()]
    # An answer that was written as one text.
    if answer.strip().startswith(('"{', '"[')):
        try:
            told = json.loads(answer)
        except (ValueError, RecursionError):
            return answer
        return told if isinstance(told, str) else answer
    return answer


def _careless(text: str, wanted: str, *, cut: bool, of: str) -> JsonObject | None:
    for start in islice(_BEGINNING.finditer(text), _MOST_CARELESS):
        try:
            found = value_at(text, start.start())
        except (NotJson, ValueError):
            continue
        if not found.whole and not cut:
            return None
        for held in _holding(found.value, wanted, of):
            # What was cut before anything was told is no reply.
            if found.whole or held.get(wanted):
                return held
        if start[0] == "{":
            return None
    return None


def _holding(value: object, wanted: str, of: str) -> Iterator[JsonObject]:
    if isinstance(value, dict):
        told = cast("dict[str, object]", value)
        for holder in (told, *told.values()):
            if isinstance(holder, dict) and wanted in holder:
                yield cast("JsonObject", holder)
    elif isinstance(value, list) and of:
        items = cast("list[object]", value)
        if items and all(isinstance(item, dict) and of in item for item in items):
            yield {wanted: items}


def _objects(text: str) -> Iterator[JsonObject | str]:
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
            yield cast("JsonObject", value)
        except json.JSONDecodeError as error:
            yield f"{error.msg} at character {error.pos - start}"
            end = start + 1
        except (ValueError, RecursionError) as error:
            yield "nested too deeply" if isinstance(error, RecursionError) else "a number too long"
            end = start + 1
        start = text.find("{", end)


@dataclass(slots=True)
class JsonReader:
    """Typed values out of JSON; what does not fit becomes a problem and a stand-in value.

    `path` names the value in the problem's text. Nothing out of range is moved into range.
    """

    problems: list[str] = field(default_factory=list[str])

    def refuse(self, path: str, rule: str, value: object) -> None:
        """Note that the value at `path` breaks `rule`; nothing after `MOST_PROBLEMS`."""
        if len(self.problems) >= MOST_PROBLEMS:
            return
        self.problems.append(f"{path} {rule}, not {reprlib.repr(value)[:_LONGEST_SHOWN]}")

    def record(self, value: object, path: str) -> JsonObject:
        """An object, else an empty one."""
        if isinstance(value, dict):
            return cast("JsonObject", value)
        self.refuse(path, "must be an object", value)
        return {}

    def items(self, value: object, path: str) -> Sequence[object]:
        """An array; null counts as an empty one."""
        if isinstance(value, list):
            return cast("list[object]", value)
        if value is not None:
            self.refuse(path, "must be an array", value)
        return ()

    def text(self, value: object, path: str, limit: int) -> str:
        """Stripped, without NUL and lone surrogates, cut to `limit`; must not be empty."""
        found = self.optional_text(value, path, limit)
        if not found and isinstance(value, str):
            self.refuse(path, "must not be empty", value)
        if value is None:
            self.refuse(path, "must be text", value)
        return found

    def optional_text(self, value: object, path: str, limit: int) -> str:
        """As `text`, but null and nothing count as ""."""
        if isinstance(value, str):
            return cleaned(value, limit)
        if value is not None:
            self.refuse(path, "must be text", value)
        return ""

    def texts(self, value: object, path: str, limit: int, most: int) -> tuple[str, ...]:
        """Distinct texts in order, the first `most`; empty ones are left out."""
        every = (
            self.optional_text(item, f"{path}[{index}]", limit)
            for index, item in enumerate(self.items(value, path))
        )
        return tuple(dict.fromkeys(text for text in every if text))[:most]

    def share(self, value: object, path: str) -> float:
        """A number 0..1."""
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        self.refuse(path, "must be a number 0..1", value)
        return 0.0

    def number(self, value: object, path: str, allowed: Collection[int]) -> int | None:
        """One of the `allowed` whole numbers; null is None."""
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value in allowed:
            return value
        self.refuse(path, f"must be {_range(allowed)}", value)
        return None

    def numbers(self, value: object, path: str, allowed: Collection[int]) -> tuple[int, ...]:
        """Distinct `allowed` numbers in ascending order."""
        found: set[int] = set()
        for index, item in enumerate(self.items(value, path)):
            if item is None:
                self.refuse(f"{path}[{index}]", "must be a number", item)
            elif (number := self.number(item, f"{path}[{index}]", allowed)) is not None:
                found.add(number)
        return tuple(sorted(found))

    def choice[E: StrEnum](self, value: object, path: str, options: Sequence[E]) -> E | None:
        """The option of this value; null is None."""
        if value is None:
            return None
        for option in options:
            if value == option.value:
                return option
        self.refuse(path, f"must be one of {', '.join(options)}", value)
        return None

    def moment(self, value: object, path: str) -> float | None:
        """Unix time of an ISO date, or of a date and time with an offset; null is None.

        A date means its noon in UTC, which is the same day nearly everywhere. A time without
        an offset says nothing more than its date.
        """
        text = self.optional_text(value, path, LONGEST_REPLY)
        if not text:
            return None
        try:
            parsed = datetime.fromisoformat(text)
        except ValueError:
            parsed = None
        if parsed is None or not _FIRST_YEAR <= parsed.year <= _LAST_YEAR:
            self.refuse(path, "must be an ISO date", value)
            return None
        exact = parsed if parsed.tzinfo else _noon(parsed.date())
        return exact.timestamp()


def cleaned(text: str, limit: int) -> str:
    """Without NUL and lone surrogates, stripped, at most `limit` characters."""
    sound = text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8").strip()
    return sound if len(sound) <= limit else sound[: limit - 1].rstrip() + "…"


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _range(allowed: Collection[int]) -> str:
    if not allowed:
        return "absent, for no number is known"
    return f"a number shown, {min(allowed)}..{max(allowed)}"
