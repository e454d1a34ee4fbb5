"""JSON of any size, read piece by piece: one C call over all of it would hold the interpreter."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

SMALL = 1 << 18
"""Characters that are read at once; takes some 3 ms."""

TRIED = 1 << 12
"""Characters that are tried first: most values are no longer."""

_BLANKS = frozenset(" \t\r\n")
_decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


class LongList(list[Any]):
    """A list that is longer than `SMALL`: where its items stand, which are read anew each time.

    Gone through and not indexed. Its values are not kept: each full collection of Python's garbage
    would go over all of them.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def __iter__(self) -> Iterator[Any]:
        for start, end in super().__iter__():
            if end - start > SMALL:
                yield _value(self._text, start)[0]
            else:
                yield from json.loads(f"[{self._text[start:end]}]")


class LongObject(dict[str, Any]):
    """An object that is longer than `SMALL`: its lists and objects are read anew each time, too."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def get(self, key: str, default: Any = None) -> Any:
        return self._read(super().get(key, default))

    def __getitem__(self, key: str) -> Any:
        return self._read(super().__getitem__(key))

    def _read(self, found: Any) -> Any:
        return _value(self._text, found)[0] if isinstance(found, _Place) else found

    def __iter__(self) -> Iterator[str]:
        # With an own one {**found} takes the values from above.
        return super().__iter__()


class _Place(int):
    """Where a list or an object begins. Not looked at by the garbage collection, as an int."""

    __slots__ = ()


def load(content: TextIO) -> Any:
    """The value of a JSON file, which is read in pieces."""
    return loads("".join(iter(lambda: content.read(4 * SMALL), "")))


def loads(text: str) -> Any:
    """The value of a JSON text. Raises ValueError or RecursionError as the library does."""
    if len(text) <= SMALL:
        return json.loads(text)
    value, end = _value(text, _skipped(text, 0))
    if _skipped(text, end) != len(text):
        raise ValueError("more than one value")
    return value


def _value(text: str, at: int) -> tuple[Any, int]:
    """A value, and where it ends."""
    for size in (TRIED, SMALL):
        part = text[at : at + size]
        try:
            value, end = _decode(part, 0)
        except ValueError:
            continue
        # A number may go on behind the part: 1, 1.5, 1e-5.
        if end + 2 < size or at + len(part) == len(text):
            return value, at + end
    match text[at : at + 1]:
        case "[":
            return _list(text, _skipped(text, at + 1))
        case "{":
            return _object(text, _skipped(text, at + 1))
        case '"':
            return _decode(text, at)
        case _:
            raise ValueError(f"no value at {at}")


def _list(text: str, at: int) -> tuple[LongList, int]:
    items, start, end = LongList(text), at, at
    while text[at : at + 1] != "]":
        _, stop = _value(text, at)
        if stop - start > SMALL and end > start:
            items.append((start, end))
            start = at
        end = stop
        at = _behind(text, end, "]")
    if end > start:
        items.append((start, end))
    return items, at + 1


def _object(text: str, at: int) -> tuple[LongObject, int]:
    named = LongObject(text)
    while text[at : at + 1] != "}":
        name, at = _value(text, at)
        at = _skipped(text, at)
        if not isinstance(name, str) or text[at : at + 1] != ":":
            raise ValueError(f"no name before {at}")
        start = _skipped(text, at + 1)
        value, at = _value(text, start)
        # A long list or object holds places alone, and takes long to go through again.
        named[name] = _Place(start) if type(value) in (dict, list) else value
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
