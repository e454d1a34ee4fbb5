"""Regular expressions that are compiled when they are first used. Pure.

The languages have about a thousand of them; compiling all takes seconds, and no chat uses all.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

_USED = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")
_TOLD = ("flags", "groups", "groupindex")

_waiting: list["_LazyPattern"] = []


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` returns; an error in the pattern is raised by its first use."""
    lazy = _LazyPattern(pattern, flags)
    _waiting.append(lazy)
    # It has every method and attribute of a pattern, but cannot be one.
    return cast("re.Pattern[str]", lazy)


def waiting_patterns() -> Iterator[Callable[[], object]]:
    """What compiles each pattern that nothing has used yet; some milliseconds each."""
    while _waiting:
        lazy = _waiting.pop()
        if not lazy.in_use:
            yield lazy.compiled


class _LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._given = flags

    @property
    def in_use(self) -> bool:
        return "search" in vars(self)

    def compiled(self) -> re.Pattern[str]:
        pattern = re.compile(self.pattern, self._given)
        for name in (*_USED, *_TOLD):
            setattr(self, name, getattr(pattern, name))
        return pattern

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet is asked for here: after the first use, nothing of these.
        if name not in _USED and name not in _TOLD:
            raise AttributeError(name)
        return getattr(self.compiled(), name)

    def __repr__(self) -> str:
        return f"lazy_pattern({self.pattern!r}, {self._given})"
