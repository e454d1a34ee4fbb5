"""JSON of any size, read item by item: one C call over all of it would hold the interpreter."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

SMALL = 1 << 18
"""Characters that are read at once; takes some 3 ms."""

_BLANKS = frozenset(" \t\r\n")
_decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


class LongList(list[Any]):
    """A list of a long document: where its items stand, which are read anew each time.

    Gone through and not indexed. Its values are not kept: each full collection of Python's garbage
    would go over all of them.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def __iter__(self) -> Iterator[Any]:
        return (_decode(self._text, at)[0] for at in super().__iter__())


def load(content: TextIO) -> Any:
    """The value of a JSON file, which is read in pieces."""
    return loads("".join(iter(lambda: content.read(4 * SMALL), "")))


def loads(text: str) -> Any:
    """The value of a JSON text; of a long one its list, or the lists in its object, by the item.

    Raises ValueError or RecursionError as the library does.
    """
    if len(text) <= SMALL:
        return json.loads(text)
    at = _skipped(text, 0)
    read = _object if text[at : at + 1] == "{" else _value
    value, end = read(text, at)
    if _skipped(text, end) != len(text):
        raise ValueError("more than one value")
    return value


def _value(text: str, at: int) -> tuple[Any, int]:
    """A value, and where it ends."""
    if text[at : at + 1] != "[":
        return _decode(text, at)
    items, at = LongList(text), _skipped(text, at + 1)
    while text[at : at + 1] != "]":
        items.append(at)
        at = _behind(text, _decode(text, at)[1], "]")
    return items, at + 1


def _object(text: str, at: int) -> tuple[dict[str, Any], int]:
    named, at = dict[str, Any](), _skipped(text, at + 1)
    while text[at : at + 1] != "}":
        name, at = _decode(text, at)
        at = _skipped(text, at)
        if not isinstance(name, str) or text[at : at + 1] != ":":
            raise ValueError(f"no name before {at}")
        named[name], at = _value(text, _skipped(text, at + 1))
        at = _behind(text, at, "}")
    return named, at + 1


def _skipped(text: str, at: int) -> int:
    while text[at : at + 1] in _BLANKS:
        at += 1
    return at


def _behind(text: str, at: int, closing: str) -> int:
    """Where the next item begins, or the closing mark stands."""
    at = _skipped(text, at)
    if text[at : at + 1] == closing:
        return at
    after = _skipped(text, at + 1)
    if text[at : at + 1] != "," or text[after : after + 1] == closing:
        raise ValueError(f"no , at {at}")
    return after
