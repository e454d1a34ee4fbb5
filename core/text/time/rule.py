"""A pattern of text and what it means at a given time. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .calendar import Reference, Span

type Read = Callable[[re.Match[str], Reference], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """Where `pattern` matches, `read` says what is meant; None if no time is.

    It may raise ValueError or OverflowError for a date that does not exist. A text without any of
    `needs` cannot match: looking for them first is what makes long texts cheap.
    """

    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    read: Read


def rule(pattern: str, *needs: str) -> Callable[[Read], Rule]:
    """Make the decorated function a rule for that pattern of lower-case text."""

    def made(read: Read) -> Rule:
        return Rule(re.compile(pattern), needs, read)

    return made
