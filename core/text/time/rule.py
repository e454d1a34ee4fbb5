"""A pattern of text and what it means at a given time. Pure."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
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
    """Words around two times that are one stretch."""

    between: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]


def joining(between: str, before: str = "", after: str = "") -> Joining:
    """Times with these words around them; regular expressions, empty for no word."""
    opening = re.compile(rf"(?:{before})\Z")
    return Joining(re.compile(rf"\s*(?:{between})\s*"), opening, re.compile(after))


def rule(pattern: str, needs: str | Iterable[str] = "") -> Callable[[Read], TimeRule]:
    """Make the decorated function a rule for that pattern of lower-case text.

    `needs` in one string are written as in `by_word`.
    """
    words = _words(needs) if isinstance(needs, str) else tuple(needs)
    return lambda read: TimeRule(re.compile(pattern), words, read)


def rules_in(*modules: ModuleType) -> tuple[TimeRule, ...]:
    """The rules of these modules, in the order in which they are written there."""
    found = (each for module in modules for each in vars(module).values())
    return tuple(each for each in found if isinstance(each, TimeRule))


def by_word[T](*rows: tuple[T, str]) -> dict[str, T]:
    """What each word of some rows stands for; "_" in a word is a space."""
    return {word: what for what, words in rows for word in _words(words)}


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in text.split())


def before(pattern: str, leaning: Leaning | None = None) -> Callable[[Shift], Beside]:
    """Make the decorated function the reading of words before an expression."""
    return lambda read: Beside(re.compile(rf"(?:{pattern})\Z"), read, leaning)


def after(pattern: str, leaning: Leaning | None = None) -> Callable[[Shift], Beside]:
    """Make the decorated function the reading of words after an expression."""
    return lambda read: Beside(re.compile(pattern), read, leaning)


def just_now(m: re.Match[str], here: Reference) -> Span:
    """The reading of "a moment ago": within the hour."""
    return Span(here.now - timedelta(hours=1), here.now)


def until_now(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """The reading of "since" beside a time; None of what has not begun."""
    return Span(of.first, here.now) if of.first <= here.now else None


@dataclass(frozen=True, slots=True)
class Clauses:
    """How the clause around a time tells whether what it is the time of was, or is done each time.

    `ends` parts clauses; `undone` begins what follows the time of a thing that is not done then.
    Who asks for something of `coming`, as the weather, asks of the next time.
    """

    ends: re.Pattern[str]
    over: re.Pattern[str]
    habit: re.Pattern[str]
    coming: re.Pattern[str]
    undone: re.Pattern[str] = re.compile("(?!)")

    def is_over(self, m: re.Match[str]) -> bool:
        """Whether the clause of a match tells of what was."""
        return self._holds(self.over, m)

    def is_habit(self, m: re.Match[str]) -> bool:
        """Whether the clause of a match tells of what is done, or not done, each time."""
        if self._holds(self.habit, m):
            return True
        return self.undone.match(m.string, m.end()) is not None and not self.is_over(m)

    def leaning(self, m: re.Match[str], here: Reference) -> Reference:
        """The reference for what comes round."""
        asked = self._holds(self.coming, m) and not self.is_over(m)
        return Reference(here.now, Leaning.FUTURE) if asked else here

    def _holds(self, words: re.Pattern[str], m: re.Match[str]) -> bool:
        """Whether they stand in the clause of a match, before it or after it."""
        start = max((each.end() for each in self.ends.finditer(m.string, 0, m.start())), default=0)
        end = self.ends.search(m.string, m.end())
        after = m.string[m.end() : end.start() if end else None]
        return any(words.search(part) for part in (m.string[start : m.start()], after))
