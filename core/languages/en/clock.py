"""Parts of a day and times of the clock in English. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import Reference, Span, at_clock, hours
from ...text.time.rule import Clauses, by_word, rule

PARTS = by_word(
    ((5, 12), "morning"),
    ((12, 13), "noon midday"),
    ((11, 14), "lunchtime"),
    ((0, 1), "midnight"),
    ((4, 7), "dawn"),
    ((12, 18), "afternoon"),
    ((18, 24), "evening night"),
)
"""Hours of the parts of a day."""

_NAMED = "|".join(PARTS)
_CLOCK = (
    r"(?:(?P<hour>1[0-2]|0?[1-9])(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)\b)"
)

_SHIFTS = {"yesterday": -1, "today": 0, "tomorrow": 1}
# Of "at 3pm on Friday" the day is understood, and no three o'clock of today.
_NO_OTHER_DAY = (
    r"(?!,?\s+(?:on\s+)?(?:the\s+day|this|next|last|coming|yesterday|tomorrow|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)"
)

TIME = (
    rf"(?:,?\s+(?:(?:late|early)\s+)?(?:in\s+the\s+|(?:at|around|by)\s+)?(?P<part>{_NAMED})\b)?"
    rf"(?:,?\s+(?:at|around|by)\s+{_CLOCK})?"
)
"""What may follow a day; read it with `at_time`."""


def at_time(of: Span, m: re.Match[str]) -> Span:
    """The part of that day, or the hour or minute, which a match of `TIME` names.

    Stretches longer than a day are left as they are.
    """
    found = m.groupdict()
    if of.last - of.first > timedelta(days=1):
        return of
    if clock := _clock(found):
        return at_clock(of, *clock)
    name = found.get("part")
    return of if name is None else hours(of.first.date(), *PARTS[name])


def _clock(found: dict[str, str | None]) -> tuple[int, int | None] | None:
    """Hour of 24 and minute, None where no minute is said."""
    if (hour := found.get("hour24")) is not None:
        return int(hour), int(found["minute24"] or 0)
    if (hour := found.get("hour")) is None:
        return None
    late = found["half"] == "p"
    minute = found.get("minute")
    return int(hour) % 12 + (12 if late else 0), None if minute is None else int(minute)


@rule(
    rf"\b(?:at|by|from|until)\s+{_CLOCK}(?:\s+(?P<day>yesterday|today|tomorrow)\b)?{_NO_OTHER_DAY}",
    "at_ by_ from_ until_",
)
def time_of_today(m: re.Match[str], here: Reference) -> Span:
    """At 3 pm: today's; at 3 pm tomorrow."""
    shift = _SHIFTS[m["day"] or "today"]
    return at_time(hours(here.today + timedelta(days=shift), 0, 24), m)


@rule(
    r"\b(?:at|by|before|after|until|till|since|around)\s+(?P<part>noon|midday|midnight)"
    rf"(?:\s+(?P<day>yesterday|today|tomorrow)\b)?{_NO_OTHER_DAY}",
    "noon midday midnight",
)
def middle_of_day(m: re.Match[str], here: Reference) -> Span:
    """At noon: today's; at midnight: the last one, or the next."""
    shift = _SHIFTS[m["day"] or "today"]
    if m["day"] or m["part"] != "midnight":
        return hours(here.today + timedelta(days=shift), *PARTS[m["part"]])
    return here.which(lambda away: hours(here.today + timedelta(days=away), 0, 1), 0)


CLAUSES = Clauses(
    ends=re.compile(r"[.,;!?\n]|\b(?:but|because|so that|while)\b"),
    over=re.compile(r"\b(?:was|were|did|didn't|had|went|came|got|saw|met|\w{2,}ed)\b"),
    habit=re.compile(
        r"\b(?:every|each|usually|always|normally|typically|generally|often|never|sometimes|mostly|"
        r"most|any|regularly|tend to|used to|(?:do|does)(?:n't| not) (?:usually |normally )?"
        r"(?:work|open|eat|drink|go|get|cook|sleep))\b"
    ),
    coming=re.compile(
        r"\b(?:weather|forecast|temperatures?|rain|snow|how (?:hot|cold|warm)|good time to|"
        r"worth visiting|should i wear|tickets?)\b"
    ),
)
