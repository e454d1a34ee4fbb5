"""JSON of any size, read piece by piece: one C call over all of it would hold the interpreter."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

SMALL = 1 << 18
"""Characters that are read at once; takes some 3 ms."""

TRIED = 1 << 12
"""Characters that are tried first: most values are no longer."""

_BLANK = re.compile(r"[ \t\r\n]*")
_PIECE = re.compile(r'(?:[^"\\]++|\\(?:u[0-9a-fA-F]{4}|[^u]))*+')
_decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


class LongList(list[Any]):
    """A list that is longer than `SMALL`: where its items stand, which are read anew each time.

    Gone through and not indexed. Its values are not kept: each full collection of Python's garbage
    would go over all of them.
    """

    def __init__(self, text: "_Text") -> None:
        super().__init__()
        self._text = text

    def __iter__(self) -> Iterator[Any]:
        for start, end in super().__iter__():
            if end - start > SMALL:
                yield self._text.value(start)[0]
            else:
                yield from json.loads(f"[{self._text.part(start, end - start)}]")


class LongObject(dict[str, Any]):
    """An object that is longer than `SMALL`: its lists and objects are read anew each time, too."""

    def __init__(self, text: "_Text") -> None:
        super().__init__()
        self._text = text

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a name."""
        return self._read(super().get(key, default))

    def __getitem__(self, key: str) -> Any:
        return self._read(super().__getitem__(key))

    def _read(self, found: Any) -> Any:
        return self._text.value(found)[0] if isinstance(found, _Place) else found

    def __iter__(self) -> Iterator[str]:
        # With an own one {**found} takes the values from above.
        return super().__iter__()


class _Place(int):
    """Where a list or an object begins. Not looked at by the garbage collection, as an int."""

    __slots__ = ()


def load(content: TextIO) -> Any:
    """The value of a JSON file, which stays in memory in blocks: joining them would copy it all."""
    return _Text(list(iter(lambda: content.read(4 * SMALL), ""))).whole()


def loads(text: str) -> Any:
    """The value of a JSON text. Raises ValueError or RecursionError as the library does."""
    return json.loads(text) if len(text) <= SMALL else _Text([text]).whole()


class _Text:
    """A text in blocks of one length, the last one apart; what is asked for begins at `at`."""

    def __init__(self, blocks: Sequence[str]) -> None:
        self._blocks = blocks
        self._size = len(blocks[0]) if blocks else 1
        self._length = sum(map(len, blocks))

    def part(self, at: int, size: int = 1) -> str:
        """So many characters, fewer at the end."""
        number, within = divmod(at, self._size)
        found = "".join(self._blocks[number : number + 1])[within : within + size]
        if len(found) < size and number + 1 < len(self._blocks):
            found += self._blocks[number + 1][: size - len(found)]
        return found

    def whole(self) -> Any:
        """The one value in it."""
        value, end = self.value(self._skipped(0))
        if self._skipped(end) != self._length:
            raise ValueError("more than one value")
        return value

    def value(self, at: int) -> tuple[Any, int]:
        """A value, and where it ends."""
        for size in (TRIED, SMALL):
            part = self.part(at, size)
            try:
                value, end = _decode(part, 0)
            except ValueError:
                continue
            # A number may go on behind the part: 1, 1.5, 1e-5.
            if end + 2 < size or at + len(part) == self._length:
                return value, at + end
        match self.part(at):
            case "[":
                return self._list(self._skipped(at + 1))
            case "{":
                return self._object(self._skipped(at + 1))
            case '"':
                return self._string(at + 1)
            case _:
                raise ValueError(f"no value at {at}")

    def _list(self, at: int) -> tuple[LongList, int]:
        items, start, end = LongList(self), at, at
        while self.part(at) != "]":
            _, stop = self.value(at)
            if stop - start > SMALL and end > start:
                items.append((start, end))
                start = at
            end = stop
            at = self._behind(end, "]")
        if end > start:
            items.append((start, end))
        return items, at + 1

    def _object(self, at: int) -> tuple[LongObject, int]:
        named = LongObject(self)
        while self.part(at) != "}":
            name, at = self.value(at)
            at = self._skipped(at)
            if not isinstance(name, str) or self.part(at) != ":":
                raise ValueError(f"no name before {at}")
            start = self._skipped(at + 1)
            value, at = self.value(start)
            # A long list or object holds places alone, and takes long to go through again.
            named[name] = _Place(start) if type(value) in (dict, list) else value
            at = self._behind(at, "}")
        return named, at + 1

    def _string(self, at: int) -> tuple[str, int]:
        """Of a text its beginning: nothing is taken that is longer, and joining would copy it."""
        begun = ""
        while self.part(at) != '"':
            found = _PIECE.match(self.part(at, SMALL))
            if found is None or not found.end():
                raise ValueError(f"no end of a text at {at}")
            begun = begun or json.loads(f'"{found.group()}"')
            at += found.end()
        return begun, at + 1

    def _skipped(self, at: int) -> int:
        while (found := _BLANK.match(self.part(at, TRIED))) and found.end():
            at += found.end()
        return at

    def _behind(self, at: int, closing: str) -> int:
        """Where the next item begins, or the closing mark stands."""
        at = self._skipped(at)
        if self.part(at) == closing:
            return at
        after = self._skipped(at + 1)
        if self.part(at) != "," or self.part(after) == closing:
            raise ValueError(f"no , at {at}")
        return after
