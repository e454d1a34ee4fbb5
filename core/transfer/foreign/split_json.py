"""JSON of any size, read item by item: one C call over all of it would hold the interpreter."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

SMALL = 1 << 18
"""Characters that are read at once; takes some 3 ms."""

_parts: Any = json.JSONDecoder()
"""Its parsers of lists and objects in Python, which take a reader of the items."""

_decode: Callable[[str, int], tuple[Any, int]] = _parts.raw_decode


class LongList(list[Any]):
    """A list of a long document: where its items stand, which are read anew each time.

    Gone through and not indexed. Its values are not kept: each full collection of Python's garbage
    would go over all of them.
    """

    def __init__(self, text: str, places: Iterable[int]) -> None:
        super().__init__(places)
        self._text = text

    def __iter__(self) -> Iterator[Any]:
        return (_decode(self._text, at)[0] for at in super().__iter__())


class _ByItem(json.JSONDecoder):
    def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
        if s[idx : idx + 1] != "{":
            return _value(s, idx)
        return _parts.parse_object((s, idx + 1), True, _value, None, None)


def _value(text: str, at: int) -> tuple[Any, int]:
    if text[at : at + 1] != "[":
        return _decode(text, at)
    places, end = _parts.parse_array((text, at + 1), lambda s, at: (at, _decode(s, at)[1]))
    return LongList(text, places), end


def load(content: TextIO) -> Any:
    """The value of a JSON file, which is read in pieces."""
    return loads("".join(iter(lambda: content.read(4 * SMALL), "")))


def loads(text: str) -> Any:
    """The value of a JSON text; of a long one its list, or the lists in its object, by the item.

    Raises ValueError or RecursionError as the library does.
    """
    return json.loads(text, cls=None if len(text) <= SMALL else _ByItem)
