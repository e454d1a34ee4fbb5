"""English words beside an expression of time that change it. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import (
    Leaning,
    Reference,
    Span,
    Unit,
    about,
    after_it,
    before_it,
    day,
    days,
    hours,
    month_from,
    shifted,
    since,
    week,
    weekend,
    weekend_by,
)
from ...text.time.rule import Joining, after, before
from .days import FEW
from .numerals import NUMBER, english_number

LEAD = r"(?:since|before|after|of|from|between|to)\s+(?:the\s+)?"
"""What begins an expression, and belongs to the words before it as much."""

_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}
_UNIT = r"(?P<unit>day|week|month|year)"


_COUNTED = rf"\b(?:(?P<few>(?:a\s+)?few|several)|(?P<count>{NUMBER}))\s+{_UNIT}s?\s+"


@before(rf"{_COUNTED}from\s+(?:the\s+)?", Leaning.FUTURE)
def counted_on(m: re.Match[str], of: Span, here: Reference) -> Span:
    """A week from Friday."""
    return _counted(m, of, ago=False)


@before(rf"{_COUNTED}(?:(?P<before>before|prior\s+to)|after|following)\s+(?:the\s+)?")
def counted_from(m: re.Match[str], of: Span, here: Reference) -> Span:
    """Two days before Christmas."""
    return _counted(m, of, ago=bool(m["before"]))


def _counted(m: re.Match[str], of: Span, *, ago: bool) -> Span:
    unit = Unit(m["unit"])
    counts = FEW if m["few"] else (english_number(m["count"]),) * 2
    base = of.first if ago else of.last
    ends = sorted(shifted(base, -count if ago else count, unit).date() for count in counts)
    return days(ends[0], ends[1])


@before(
    rf"\b(?:the\s+)?(?:{_UNIT}|(?P<weekend>weekend)|(?P<part>night|evening|morning|afternoon))\s+"
    r"(?:right\s+|just\s+)?(?:(?P<before>before|prior\s+to|leading\s+up\s+to)|after|following)\s+"
    r"(?:the\s+)?"
)
def one_beside(m: re.Match[str], of: Span, here: Reference) -> Span:
    """The week before 23 August, the weekend after Easter, the night before Christmas."""
    ago = bool(m["before"])
    near = of.first.date() - timedelta(days=1) if ago else of.last.date() + timedelta(days=1)
    if m["part"]:
        return hours(near, *_PARTS[m["part"]])
    if m["weekend"]:
        found = weekend(near)
        return weekend(near, -1) if ago and found.last >= of.first else found
    unit = Unit(m["unit"])
    return before_it(of, 1, unit) if ago else after_it(of, 1, unit)


@before(
    r"\b(?:the\s+)?(?:(?P<week>week)|(?P<weekend>weekend)|(?P<month>month)"
    r"|(?P<part>night|evening|morning|afternoon)|day)\s+of\s+(?:the\s+)?"
)
def one_around(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """The week of 14 August, the night of the 3rd."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["part"]:
        return hours(of.first.date(), *_PARTS[m["part"]])
    if m["weekend"]:
        return weekend_by(of)
    if m["month"]:
        return month_from(of.first.date(), 0)
    return week(of.first.date()) if m["week"] else day(of.first.date())


@before(r"\b(?:ever\s+)?since\s+(?:about\s+|around\s+)?(?:the\s+)?", Leaning.PAST)
def since_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Since March: until now."""
    return since(of, here.now)


@before(r"\b(?:around|near)\s+(?:the\s+)?")
def round_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Around Christmas: a few days on either side of one day."""
    whole = timedelta(hours=23) <= of.last - of.first <= timedelta(days=1)
    return about(of, 3) if whole else None


@after(
    r"\s*,?\s*(?:onwards?\b|on\b(?=\s*(?:[.,;!?]|$))|(?:up\s+)?(?:until|till|to)\s+"
    r"(?:now|date|the\s+present)\b)",
    Leaning.PAST,
)
def until_now(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """From March on, from June until now."""
    return since(of, here.now)


@after(r"\s+(?:(?P<weekend>(?:long\s+)?weekend)|(?P<week>week)|(?P<rest>holidays?|break|season))\b")
def days_about(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Labor Day weekend, Thanksgiving week, the Christmas holidays."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["weekend"]:
        found = weekend_by(of)
        return Span(min(found.first, of.first), max(found.last, of.last))
    if m["week"]:
        return week(of.first.date())
    return days(of.first.date() - timedelta(days=2), of.last.date() + timedelta(days=7))


BEFORE = (counted_on, counted_from, one_beside, one_around, since_it, round_it)
AFTER = (until_now, days_about)
JOINING = (
    Joining("to|until|till|through|thru"),
    Joining(r"and(?:\s+the)?", before=r"\bbetween\s+(?:the\s+)?"),
)
