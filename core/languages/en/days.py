"""Weeks, days, and what is counted from now, in English. Pure."""

import re
from datetime import datetime, timedelta

from ...text.time.calendar import (
    Reference,
    Span,
    Unit,
    day,
    hours,
    moment,
    shifted,
    weekday,
    weekend,
)
from ...text.time.numerals import ENGLISH, english_number
from ...text.time.rule import rule
from .clock import TIME, at_time

_WEEKDAYS = {
    name: number
    for number, name in enumerate(
        "monday tuesday wednesday thursday friday saturday sunday".split()
    )
}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
FEW = (2, 5)
"""How many a few may be."""

_WEEKDAY = "(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day(?!\\w)"
_WORDS = "|".join(sorted((re.escape(word) for word in ENGLISH), key=len, reverse=True))
_NUMBER = rf"(?P<count>\d{{1,9}}|(?:twenty|thirty|forty|fifty)-\w+|{_WORDS})"
_FEW = r"(?P<few>(?:a\s+)?few|several|some)"
_UNIT = "(?P<unit>minute|hour|day|week|month|quarter|year)s?(?!\\w|[\\s-]old)"
_AGO = r"ago|before\s+now|back|earlier"
_LATER = r"from\s+now|later|from\s+today"


def _weekday_of(m: re.Match[str]) -> int:
    return _WEEKDAYS[f"{m['weekday']}day"]


@rule(
    r"\b(?P<day>(?P<far>the\s+day\s+(?:before|after)\s+)?(?:yesterday|today|tomorrow))"
    rf"(?!'s\s+world)(?:'s)?{TIME}(?!\w)",
    "yesterday",
    "today",
    "tomorrow",
)
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Yesterday, the day after tomorrow, tomorrow at 3 pm."""
    name = m["day"].split()
    shift = _DAYS[name[-1]]
    if m["far"]:
        shift += -1 if "before" in name else 1
    return at_time(day(here.today + timedelta(days=shift)), m)


@rule(
    r"\b(?:(?P<last>last\s+night)|tonight|this\s+(?P<part>morning|afternoon|evening))(?!\w)",
    "night",
    "this",
)
def part_of_day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last night, tonight, this morning."""
    if m["last"]:
        return hours(here.today - timedelta(days=1), 18, 24)
    return at_time(hours(here.today, 0, 24), m) if m["part"] else hours(here.today, 18, 24)


@rule(rf"\b(?P<which>last|past|this|next|coming)\s+{_WEEKDAY}{TIME}", "day")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last Tuesday: the latest before today; this: of this week; next: of next week."""
    number = _weekday_of(m)
    match m["which"]:
        case "last" | "past":
            back = (here.today.weekday() - number - 1) % 7 + 1
            found = day(here.today - timedelta(days=back))
        case "this":
            found = weekday(here.today, number)
        case "coming":
            ahead = (number - here.today.weekday() - 1) % 7 + 1
            found = day(here.today + timedelta(days=ahead))
        case _:
            found = weekday(here.today, number, 1)
    return at_time(found, m)


@rule(
    rf"(?<!every\s)(?<!each\s)\b{_WEEKDAY}(?:\s+(?P<which>last|this|next)\s+week(?!\w))?{TIME}",
    "day",
)
def any_weekday(m: re.Match[str], here: Reference) -> Span:
    """Friday, Tuesday at 3 pm, Monday next week."""
    number = _weekday_of(m)
    if m["which"]:
        shift = {"last": -1, "this": 0, "next": 1}[m["which"]]
        return at_time(weekday(here.today, number, shift), m)
    return at_time(here.which(lambda shift: weekday(here.today, number, shift), 0), m)


@rule(
    r"\b(?:(?P<which>last|past|this|next|coming)\s+|(?:at|on|over|during)\s+the\s+)weekend(?!\w)",
    "weekend",
)
def weekend_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last weekend, over the weekend."""
    match m["which"] or "":
        case "last" | "past":
            sunday = weekend(here.today).last
            return weekend(here.today, 0 if sunday < here.now else -1)
        case "this" | "coming":
            return weekend(here.today)
        case "next":
            return weekend(here.today, 1)
        case _:
            return here.which(lambda shift: weekend(here.today, shift), 0)


@rule(
    rf"\b(?:{_FEW}|{_NUMBER}(?:\s+and\s+a\s+(?P<half>half))?)\s+{_UNIT}\s+(?:(?P<ago>{_AGO})|{_LATER})(?!\w)",
    "ago",
    "now",
    "back",
    "earlier",
    "later",
    "from",
)
def counted(m: re.Match[str], here: Reference) -> Span | None:
    """Three weeks ago, a few days ago, two years from now."""
    return _counted(m, here, -1 if m["ago"] else 1)


@rule(
    rf"\b(?:with)?in\s+(?:about\s+|around\s+|just\s+)?(?:{_FEW}|{_NUMBER})\s+{_UNIT}('s?\s+time)?(?!\s+(?:ago|a\s+row))",
    "in",
)
def ahead(m: re.Match[str], here: Reference) -> Span | None:
    """In two weeks."""
    return _counted(m, here, 1)


@rule(rf"\bhalf\s+(?:a\s+|an\s+)(?P<unit>year|hour)\s+(?:(?P<ago>{_AGO})|{_LATER})(?!\w)", "half")
def half_counted(m: re.Match[str], here: Reference) -> Span:
    """Half a year ago."""
    unit, count = (Unit.MONTH, 6) if m["unit"] == "year" else (Unit.MINUTE, 30)
    return moment(shifted(here.now, -count if m["ago"] else count, unit), unit)


@rule(
    rf"\b(?:(?P<past>last|past|previous)|next|coming)\s+(?:few|couple\s+of|{_NUMBER})\s+{_UNIT}",
    "last",
    "past",
    "previous",
    "next",
    "coming",
)
def window(m: re.Match[str], here: Reference) -> Span | None:
    """The past three days, over the next few weeks; today is part of it."""
    unit = Unit(m["unit"])
    if m["count"] is None and unit is Unit.YEAR:
        return None
    count = english_number(m["count"]) if m["count"] else FEW[1]
    return _between(here.now, shifted(here.now, -count if m["past"] else count, unit), unit)


def _counted(m: re.Match[str], here: Reference, way: int) -> Span | None:
    unit = Unit(m["unit"])
    if m["few"]:
        if unit is Unit.YEAR:
            return None
        least, most = (shifted(here.now, way * few, unit) for few in FEW)
        return _between(least, most, unit)
    count = english_number(re.sub(r"\s+", " ", m["count"]))
    return moment(shifted(here.now, way * count, unit), unit)


def _between(one: datetime, other: datetime, unit: Unit) -> Span:
    return moment(min(one, other), unit).until(moment(max(one, other), unit))


RULES = (
    day_near_by,
    part_of_day_near_by,
    weekday_near_by,
    any_weekday,
    weekend_near_by,
    counted,
    ahead,
    half_counted,
    window,
)
