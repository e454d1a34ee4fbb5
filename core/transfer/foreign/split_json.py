"""JSON of any size, read item by item: one C call over all of it would hold the interpreter."""

import json
import re
from collections.abc import Callable
from typing import Any

SMALL = 1 << 20
"""Characters that are read at once; takes some 10 ms."""

DEPTH = 3
"""Levels of lists and objects that are taken apart; what is in them is read at once."""

_BLANK = re.compile(r"[ \t\r\n]*")
_decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


def loads(text: str) -> Any:
    """The value of a JSON text. Raises ValueError or RecursionError as the library does."""
    if len(text) <= SMALL:
        return json.loads(text)
    value, end = _value(text, _skipped(text, 0), 0)
    if _skipped(text, end) != len(text):
        raise ValueError("more than one value")
    return value


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    opening = text[at : at + 1]
    if depth == DEPTH or opening not in ("[", "{"):
        return _decode(text, at)
    closing, items, named = "]" if opening == "[" else "}", list[Any](), dict[str, Any]()
    at = _skipped(text, at + 1)
    first = True
    while text[at : at + 1] != closing:
        if not first:
            at = _skipped(text, _past(text, at, ","))
        first, name = False, ""
        if opening == "{":
            name, at = _decode(text, at)
            at = _skipped(text, _past(text, _skipped(text, at), ":"))
        value, at = _value(text, at, depth + 1)
        at = _skipped(text, at)
        if opening == "[":
            items.append(value)
        elif isinstance(name, str):
            named[name] = value
        else:
            raise ValueError("a name that is no text")
    return items if opening == "[" else named, at + 1


def _past(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise ValueError(f"no {mark} at {at}")
    return at + 1
