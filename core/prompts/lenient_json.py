"""A tolerant JSON reader for models' replies: extra commas, other quotes, comments, cut ends. Pure.

Nothing is guessed: whatever ends early is left out, and nothing is added. An item of an array that
was cut off is dropped whole, for half of it may say otherwise.
"""

import re
from dataclasses import dataclass
from typing import cast

MOST_DEPTH = 64
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?")
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_AFTER_TEXT = re.compile(r"\s*(?:[,:}\]，：]|\Z)")
_CUT = re.compile(r"[-+.A-Za-z]*")
_LONGEST_LITERAL = 6
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.S)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "”": "”"}
_HALF_NUMBER = re.compile(r"\.|[eE][-+]?")
"""What of a number follows its digits where the text was cut."""
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "nan": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class NotJson(ValueError):
    """The text is not JSON, not even in a tolerant reading."""


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value, whether it was complete, and where it ends."""

    value: object
    whole: bool
    end: int

    @property
    def holds(self) -> bool:
        """Whether it is an object or an array, of which something may have been read."""
        return isinstance(self.value, dict | list)


def value_at(text: str, start: int) -> ReadValue:
    """The object or array that begins at `start`. Raises NotJson."""
    found = _Reader(text).value(start, 0)
    if not found.holds:
        raise NotJson("neither an object nor an array")
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    text: str

    def value(self, at: int, depth: int) -> ReadValue:
        at = self._space(at)
        if depth > MOST_DEPTH:
            raise NotJson("nested too deeply")
        if at >= len(self.text):
            return ReadValue(None, False, at)
        character = self.text[at]
        if character == "{":
            return self._object(at + 1, depth)
        if character == "[":
            return self._array(at + 1, depth)
        if character in _QUOTES:
            return self._string(at + 1, _QUOTES[character])
        return self._plain(at)

    def _object(self, at: int, depth: int) -> ReadValue:
        found: dict[str, object] = {}
        while (at := self._space(at)) < len(self.text):
            if self.text[at] == "}":
                return ReadValue(found, True, at + 1)
            if self.text[at] in ",，":
                at += 1
                continue
            key = self._key(at)
            at = self._space(key.end)
            if not key.whole or at >= len(self.text):
                break
            if self.text[at] not in ":：":
                raise NotJson("a property without a value")
            value = self.value(at + 1, depth + 1)
            if value.whole or value.holds:
                found[str(key.value)] = value.value
            at = value.end
            if not value.whole:
                break
        return ReadValue(found, False, len(self.text))

    def _array(self, at: int, depth: int) -> ReadValue:
        found: list[object] = []
        while (at := self._space(at)) < len(self.text):
            if self.text[at] == "]":
                return ReadValue(found, True, at + 1)
            if self.text[at] in ",，":
                at += 1
                continue
            item = self.value(at, depth + 1)
            if not item.whole:
                break
            found.append(item.value)
            at = item.end
        return ReadValue(found, False, len(self.text))

    def _key(self, at: int) -> ReadValue:
        if self.text[at] in _QUOTES:
            return self._string(at + 1, _QUOTES[self.text[at]])
        bare = _BARE.match(self.text, at)
        if bare is None:
            raise NotJson("no name of a property")
        return ReadValue(bare[0], bare.end() < len(self.text), bare.end())

    def _string(self, at: int, quote: str) -> ReadValue:
        """Up to a quote that ends it; one within a sentence does not."""
        end = at
        while end < len(self.text):
            character = self.text[end]
            if character == "\\":
                end += 2
                continue
            if character == quote and _AFTER_TEXT.match(self.text, end + 1):
                return ReadValue(_unescaped(self.text[at:end]), True, end + 1)
            end += 1
        return ReadValue(None, False, len(self.text))

    def _plain(self, at: int) -> ReadValue:
        number = _NUMBER.match(self.text, at)
        if number is not None and _HALF_NUMBER.fullmatch(self.text, number.end()):
            return ReadValue(None, False, len(self.text))
        if number is not None:
            return ReadValue(_number(number[0]), number.end() < len(self.text), number.end())
        bare = _BARE.match(self.text, at)
        if len(self.text) - at < _LONGEST_LITERAL and _CUT.fullmatch(self.text, at):
            return ReadValue(None, False, len(self.text))
        if bare is None or bare[0].lower() not in _LITERALS:
            raise NotJson("a value that is none")
        return ReadValue(_LITERALS[bare[0].lower()], True, bare.end())

    def _space(self, at: int) -> int:
        return cast("re.Match[str]", _SPACE.match(self.text, at)).end()


def _unescaped(text: str) -> str:
    def read(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)

    plain = _ESCAPED.sub(read, text)
    # Two escapes of one character beyond the basic plane.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


def _number(written: str) -> int | float:
    plain = written.replace("_", "").lstrip("+")
    try:
        return int(plain)
    except ValueError:
        return float(plain)
