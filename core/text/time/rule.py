"""A pattern of text and what it means at a given time. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from .calendar import Leaning, Reference, Span

type Shift = Callable[[re.Match[str], Span, Reference], Span | None]
type Read = Callable[[re.Match[str], Reference], Span | None]


@dataclass(frozen=True, slots=True)
class TimeRule:
    """Where `pattern` matches, `read` says what is meant; None if no time is.

    It may raise ValueError or OverflowError for a date that does not exist. A text without any of
    `needs` cannot match: looking for them first is what makes long texts cheap.
    """

    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    read: Read


@dataclass(frozen=True, slots=True)
class Beside:
    """Words beside an expression of time that change what it means: the week before Easter.

    `pattern` matches what ends where the expression begins, or begins where it ends; `read` says
    what is then meant, None if the expression alone is. What comes round is taken by `leaning`.
    """

    pattern: re.Pattern[str]
    read: Shift
    leaning: Leaning | None = None


@dataclass(frozen=True, slots=True)
class Joining:
    """Words around two times that are one stretch: regular expressions, empty for no word."""

    between: str
    before: str = ""
    after: str = ""


def rule(pattern: str, *needs: str) -> Callable[[Read], TimeRule]:
    """Make the decorated function a rule for that pattern of lower-case text."""

    def made(read: Read) -> TimeRule:
        return TimeRule(re.compile(pattern), needs, read)

    return made


def rules_in(*modules: ModuleType) -> tuple[TimeRule, ...]:
    """The rules of these modules, in the order in which they are written there."""
    found = (each for module in modules for each in vars(module).values())
    return tuple(each for each in found if isinstance(each, TimeRule))


def by_word[T](*rows: tuple[T, str]) -> dict[str, T]:
    """What each word of some rows stands for; "_" in a word is a space."""
    return {word.replace("_", " "): what for what, words in rows for word in words.split()}


def before(pattern: str, leaning: Leaning | None = None) -> Callable[[Shift], Beside]:
    """Make the decorated function the reading of words before an expression."""
    return lambda read: Beside(re.compile(rf"(?:{pattern})\Z"), read, leaning)


def after(pattern: str, leaning: Leaning | None = None) -> Callable[[Shift], Beside]:
    """Make the decorated function the reading of words after an expression."""
    return lambda read: Beside(re.compile(pattern), read, leaning)
