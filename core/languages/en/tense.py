"""Whether a recurring time ("Friday") is a habit, past or to come, in English. Pure."""

import re

from ...text.time.calendar import Leaning, Reference

_CLAUSE = re.compile(r"[.,;!?\n]|\b(?:but|because|so that|while)\b")
_HABIT = re.compile(
    r"\b(?:every|each|usually|always|normally|typically|generally|often|never|sometimes|mostly|"
    r"most|any|regularly|tend to|used to|"
    r"(?:do|does)(?:n't| not) (?:usually |normally )?(?:work|open|eat|drink|go|get|cook|sleep))\b"
)
_OVER = re.compile(r"\b(?:was|were|did|didn't|had|went|came|got|saw|met|\w{2,}ed)\b")
_WEATHER = re.compile(
    r"\b(?:weather|forecast|temperatures?|rain|snow|how (?:hot|cold|warm)|good time to|"
    r"worth visiting|should i wear|tickets?)\b"
)


def _clause(m: re.Match[str]) -> str:
    """The clause around a match."""
    start = max((each.end() for each in _CLAUSE.finditer(m.string, 0, m.start())), default=0)
    after = _CLAUSE.search(m.string, m.end())
    return m.string[start : after.start() if after else len(m.string)]


def is_over(m: re.Match[str]) -> bool:
    """Whether the clause of a match tells of what was."""
    return _OVER.search(_clause(m)) is not None


def is_habit(m: re.Match[str]) -> bool:
    """Whether the clause of a match tells of what is done, or not done, each time."""
    return _HABIT.search(_clause(m)) is not None


def leaning_of(m: re.Match[str], here: Reference) -> Reference:
    """The reference for what comes round: who asks for the weather asks of the next time."""
    asked = _WEATHER.search(_clause(m)) is not None
    return Reference(here.now, Leaning.FUTURE) if asked and not is_over(m) else here
