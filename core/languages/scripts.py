"""Texts and patterns in the scripts in which one language is written. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from ..text.lazy_pattern import lazy_pattern
from ..text.traditional import SIMPLIFIED
from .registry import languages_in


def in_one_script(text: str) -> str:
    """With the characters that its languages read as others, one for one."""
    if text.isascii():
        return text
    for language in languages_in(text):
        text = text.translate(language.folding)
    return text


_waiting: list["_EitherScript"] = []


def waiting_for_traditional() -> Iterator[Callable[[], object]]:
    """What compiles each pattern for traditional characters that no such text has needed yet."""
    while _waiting:
        yield _waiting.pop().in_all_scripts


def either_script(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern in simplified Chinese, which matches the same said in traditional characters."""
    # It has every method and attribute of a pattern, but cannot be one.
    return cast("re.Pattern[str]", _EitherScript(pattern, flags))


class _EitherScript:
    """Two patterns: one for texts in simplified characters alone, one for all others.

    The second is several times as large; it is made when such a text is met.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self._simplified = lazy_pattern(pattern, flags)
        self._any: re.Pattern[str] | None = None
        _waiting.append(self)

    def match(self, text: str, *where: int) -> re.Match[str] | None:
        return self._for(text).match(text, *where)

    def fullmatch(self, text: str, *where: int) -> re.Match[str] | None:
        return self._for(text).fullmatch(text, *where)

    def search(self, text: str, *where: int) -> re.Match[str] | None:
        return self._for(text).search(text, *where)

    def finditer(self, text: str, *where: int) -> Iterator[re.Match[str]]:
        return self._for(text).finditer(text, *where)

    def findall(self, text: str, *where: int) -> list[Any]:
        return self._for(text).findall(text, *where)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        return self._for(text).split(text, maxsplit)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self._for(text).sub(new, text, count)

    def subn(
        self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0
    ) -> tuple[str, int]:
        return self._for(text).subn(new, text, count)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._simplified, name)

    def _for(self, text: str) -> re.Pattern[str]:
        return self.in_all_scripts() if has_traditional(text) else self._simplified

    def in_all_scripts(self) -> re.Pattern[str]:
        if self._any is None:
            pattern = in_all_scripts(self._simplified.pattern, SIMPLIFIED)
            self._any = re.compile(pattern, self._simplified.flags)
        return self._any


@lru_cache(maxsize=256)
def has_traditional(text: str) -> bool:
    """Whether a character of it is written otherwise in simplified Chinese."""
    return not text.isascii() and text.translate(SIMPLIFIED) != text


def in_all_scripts(pattern: str, folding: Mapping[int, int]) -> str:
    """A regular expression that also matches the characters that are read as those in it."""
    variants = _variants(frozenset(folding.items()))
    parts: list[str] = []
    inside = escaped = False
    for place, character in enumerate(pattern):
        others = "" if escaped else variants.get(character, "")
        if inside and others and "-" in (pattern[place - 1], pattern[place + 1 : place + 2]):
            others = ""
        if not escaped and character in "[]":
            inside = character == "["
        escaped = character == "\\" and not escaped
        if not others:
            parts.append(character)
        else:
            parts.append(character + others if inside else f"[{character}{others}]")
    return "".join(parts)


@cache
def _variants(folding: frozenset[tuple[int, int]]) -> Mapping[str, str]:
    found: defaultdict[str, str] = defaultdict(str)
    for one, other in sorted(folding):
        found[chr(other)] += chr(one)
    return found
