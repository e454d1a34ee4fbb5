"""Days of the week and weekends in English. Pure."""

import re
from datetime import date, timedelta

from ...text.time.calendar import Reference, Span, day, weekday, weekend
from ...text.time.rule import by_word, rule
from .clock import TIME, at_time, is_habit, is_over, leaning_of
from .numerals import NUMBER, english_number

_FULL = {name: number for number, name in enumerate("mon tues wednes thurs fri satur sun".split())}
_SHORT = by_word(
    (0, "mon"), (1, "tue tues"), (2, "wed weds"), (3, "thu thur thurs"), (4, "fri"), (5, "sat")
)
NAMES = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""Days by name."""

_DAY = rf"(?P<weekday>{NAMES})(?!\w)"
_ANY_NAME = rf"(?P<weekday>{NAMES}|{'|'.join(sorted(_SHORT, key=len, reverse=True))})(?!\w)"
_WHICH = r"(?P<which>last|this\s+past|past|this|next|coming)"


_DATE = (
    r"[.,]?\s+(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
"""A date behind a day of the week tells which of them it is."""


def weekday_number(name: str) -> int:
    """0..6 of a name or its abbreviation; Monday is 0."""
    return _FULL[name.removesuffix("day")] if name.endswith("day") else _SHORT[name]


def _last(here: Reference, number: int) -> date:
    """The latest such weekday before today."""
    return here.today - timedelta(days=(here.today.weekday() - number - 1) % 7 + 1)


def _coming(here: Reference, number: int) -> date:
    """The first such weekday after today."""
    return here.today + timedelta(days=(number - here.today.weekday() - 1) % 7 + 1)


def _last_weekend(here: Reference, weeks: int = 0) -> Span:
    """The latest weekend that is over, or that of so many weeks before it."""
    return weekend(here.today, (weekend(here.today).last < here.now) - 1 - weeks)


def _near(m: re.Match[str], here: Reference) -> Span | None:
    """The nearest such weekday, and the time of it; None if a habit is told."""
    if is_habit(m):
        return None
    number = weekday_number(m["weekday"])
    of = leaning_of(m, here).which(lambda shift: weekday(here.today, number, shift), 0)
    return at_time(of, m)


@rule(rf"\b{_WHICH}\s+{_ANY_NAME}{TIME}", "last", "past", "this", "next", "coming")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last Tuesday: the latest before today; this: of this week; next: of next week."""
    number = weekday_number(m["weekday"])
    match m["which"].split()[-1]:
        case "last" | "past":
            found = day(_last(here, number))
        case "this":
            found = weekday(here.today, number)
        case "coming":
            found = day(_coming(here, number))
        case _:
            found = weekday(here.today, number, 1)
    return at_time(found, m)


@rule(rf"\b{_DAY}(?:,?\s+(?:of\s+)?(?P<which>last|this|next)\s+week(?!\w))?{TIME}", "day")
def any_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """Friday, Tuesday at 3 pm, Monday next week; no habit of Fridays."""
    if not m["which"]:
        return _near(m, here)
    shift = {"last": -1, "this": 0, "next": 1}[m["which"]]
    return at_time(weekday(here.today, weekday_number(m["weekday"]), shift), m)


@rule(
    rf"\b(?:on|by|until|till|since|before|after|from)\s+(?P<weekday>{'|'.join(_SHORT)})(?![\w'])"
    rf"(?!{_DATE})\.?{TIME}",
    *_SHORT,
)
def short_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """On Fri."""
    return _near(m, here)


@rule(
    r"\b(?:from\s+)?monday\s+(?:to|through|thru|till|until|-)\s+(?:friday|saturday|sunday)(?!\w)|"
    r"\bmon(?:day)?\s?[-–]\s?(?:fri|sat|sun)(?:day)?\b",
    "mon",
)
def working_week(m: re.Match[str], here: Reference) -> Span | None:
    """Monday to Friday is what one does each week, unless it is told as over."""
    if not is_over(m) or is_habit(m):
        return None
    last = 4 if "fri" in m.group() else 5 if "sat" in m.group() else 6

    def of(shift: int) -> Span:
        return weekday(here.today, 0, shift).until(weekday(here.today, last, shift))

    return here.which(of, 0)


@rule(
    rf"(?<!black )(?<!good )\b(?P<weekday>{NAMES})\s+week(?!\w)|"
    rf"\ba\s+week\s+(?:on|from)\s+(?P<other>{NAMES})(?!\w)",
    "week",
)
def in_the_week_after(m: re.Match[str], here: Reference) -> Span:
    """Friday week, a week on Friday: seven days after the Friday to come."""
    number = weekday_number(m["weekday"] or m["other"])
    return day(_coming(here, number) + timedelta(weeks=1))


@rule(
    rf"\b(?P<name>{NAMES}|weekend|{'|'.join(sorted(_SHORT, key=len, reverse=True))})"
    r"\s+just\s+gone(?!\w)",
    "gone",
)
def just_gone(m: re.Match[str], here: Reference) -> Span:
    """The weekend just gone, Saturday just gone."""
    if m["name"] == "weekend":
        return _last_weekend(here)
    return day(_last(here, weekday_number(m["name"])))


@rule(rf"\b(?P<count>{NUMBER})\s+(?P<name>{NAMES}|weekend)s?\s+(?:ago|back)(?!\w)", "ago", "back")
def counted_back(m: re.Match[str], here: Reference) -> Span:
    """Two Fridays ago, three weekends ago."""
    before = english_number(m["count"]) - 1
    if m["name"] == "weekend":
        return _last_weekend(here, before)
    return day(_last(here, weekday_number(m["name"])) - timedelta(weeks=before))


@rule(
    rf"\bthe\s+(?P<name>{NAMES}|weekend)\s+(?P<which>before\s+last|after\s+next)"
    r"(?!\s+(?:week|month|year|christmas|easter|thanksgiving))(?!\w)",
    "before",
    "after",
)
def one_further_off(m: re.Match[str], here: Reference) -> Span:
    """The Friday before last, the weekend after next."""
    ago = m["which"].startswith("before")
    if m["name"] == "weekend":
        return _last_weekend(here, 1) if ago else weekend(here.today, 2)
    number = weekday_number(m["name"])
    if not ago:
        return weekday(here.today, number, 2)
    return day(_last(here, number) - timedelta(weeks=1))


@rule(
    rf"\b(?:{_WHICH}\s+|(?:at|on|over|during|for|by|this\s+coming)\s+the\s+)weekend(?!\w)",
    "weekend",
)
def weekend_near_by(m: re.Match[str], here: Reference) -> Span | None:
    """Last weekend, over the weekend; no habit of weekends."""
    match (m["which"] or "").split()[-1:]:
        case ["last"] | ["past"]:
            return _last_weekend(here)
        case ["this"] | ["coming"]:
            return weekend(here.today)
        case ["next"]:
            return weekend(here.today, 1)
        case _ if is_habit(m):
            return None
        case _:
            return leaning_of(m, here).which(lambda shift: weekend(here.today, shift), 0)
