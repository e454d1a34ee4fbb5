"""Days of the week and weekends in English. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import Reference, Span, day, weekday, weekend
from ...text.time.rule import rule
from .clock import TIME, at_time, is_habit, is_over, leaning_of
from .numerals import NUMBER, english_number

_FULL = {name: number for number, name in enumerate("mon tues wednes thurs fri satur sun".split())}
_SHORT = {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "weds": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
}
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


@rule(rf"\b{_WHICH}\s+{_ANY_NAME}{TIME}", "last", "past", "this", "next", "coming")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last Tuesday: the latest before today; this: of this week; next: of next week."""
    number = weekday_number(m["weekday"])
    match m["which"].split()[-1]:
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


@rule(rf"\b{_DAY}(?:,?\s+(?:of\s+)?(?P<which>last|this|next)\s+week(?!\w))?{TIME}", "day")
def any_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """Friday, Tuesday at 3 pm, Monday next week; no habit of Fridays."""
    number = weekday_number(m["weekday"])
    if m["which"]:
        shift = {"last": -1, "this": 0, "next": 1}[m["which"]]
        return at_time(weekday(here.today, number, shift), m)
    if is_habit(m):
        return None
    return at_time(
        leaning_of(m, here).which(lambda shift: weekday(here.today, number, shift), 0), m
    )


@rule(
    rf"\b(?:on|by|until|till|since|before|after|from)\s+(?P<weekday>{'|'.join(_SHORT)})(?![\w'])"
    rf"(?!{_DATE})\.?{TIME}",
    *_SHORT,
)
def short_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """On Fri."""
    number = weekday_number(m["weekday"])
    if is_habit(m):
        return None
    return at_time(
        leaning_of(m, here).which(lambda shift: weekday(here.today, number, shift), 0), m
    )


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
    ahead = (number - here.today.weekday() - 1) % 7 + 1
    return day(here.today + timedelta(days=ahead + 7))


@rule(
    rf"\b(?P<name>{NAMES}|weekend|{'|'.join(sorted(_SHORT, key=len, reverse=True))})"
    r"\s+just\s+gone(?!\w)",
    "gone",
)
def just_gone(m: re.Match[str], here: Reference) -> Span:
    """The weekend just gone, Saturday just gone."""
    if m["name"] == "weekend":
        return weekend(here.today, 0 if weekend(here.today).last < here.now else -1)
    back = (here.today.weekday() - weekday_number(m["name"]) - 1) % 7 + 1
    return day(here.today - timedelta(days=back))


@rule(rf"\b(?P<count>{NUMBER})\s+(?P<name>{NAMES}|weekend)s?\s+(?:ago|back)(?!\w)", "ago", "back")
def counted_back(m: re.Match[str], here: Reference) -> Span:
    """Two Fridays ago, three weekends ago."""
    count = english_number(m["count"])
    if m["name"] == "weekend":
        over = weekend(here.today).last < here.now
        return weekend(here.today, -count + over)
    back = (here.today.weekday() - weekday_number(m["name"]) - 1) % 7 + 1
    return day(here.today - timedelta(days=back, weeks=count - 1))


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
        over = weekend(here.today).last < here.now
        return weekend(here.today, -2 + over if ago else 2)
    number = weekday_number(m["name"])
    if not ago:
        return weekday(here.today, number, 2)
    back = (here.today.weekday() - number - 1) % 7 + 1
    return day(here.today - timedelta(days=back, weeks=1))


@rule(
    rf"\b(?:{_WHICH}\s+|(?:at|on|over|during|for|by|this\s+coming)\s+the\s+)weekend(?!\w)",
    "weekend",
)
def weekend_near_by(m: re.Match[str], here: Reference) -> Span | None:
    """Last weekend, over the weekend; no habit of weekends."""
    match (m["which"] or "").split()[-1:]:
        case ["last"] | ["past"]:
            return weekend(here.today, 0 if weekend(here.today).last < here.now else -1)
        case ["this"] | ["coming"]:
            return weekend(here.today)
        case ["next"]:
            return weekend(here.today, 1)
        case _ if is_habit(m):
            return None
        case _:
            return leaning_of(m, here).which(lambda shift: weekend(here.today, shift), 0)
