"""Days of the week and weekends in English. Pure."""

import re
from collections.abc import Callable
from functools import partial

from ...text.time.calendar import Reference, Span, weekday, weekend
from ...text.time.rule import by_word, rule
from .clock import CLAUSES, TIME, at_time
from .dates import SHIFTS
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


def _weekly(name: str, here: Reference) -> Callable[[int], Span]:
    """Makes that weekday, or the weekend, of the week so many after this one."""
    if name == "weekend":
        return partial(weekend, here.today)
    return partial(weekday, here.today, weekday_number(name))


def _near(m: re.Match[str], here: Reference) -> Span | None:
    """The nearest such weekday, and the time of it; None if a habit is told."""
    if CLAUSES.is_habit(m):
        return None
    return at_time(CLAUSES.leaning(m, here).which(_weekly(m["weekday"], here), 0), m)


@rule(rf"\b{_WHICH}\s+{_ANY_NAME}{TIME}", "last past this next coming")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last Tuesday: the latest before today; this: of this week; next: of next week."""
    of, which = _weekly(m["weekday"], here), m["which"].split()[-1]
    return at_time(of(1) if which == "next" else here.which(of, 0, SHIFTS[which]), m)


@rule(rf"\b{_DAY}(?:,?\s+(?:of\s+)?(?P<which>last|this|next)\s+week(?!\w))?{TIME}", "day")
def any_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """Friday, Tuesday at 3 pm, Monday next week; no habit of Fridays."""
    if not m["which"]:
        return _near(m, here)
    return at_time(_weekly(m["weekday"], here)(SHIFTS[m["which"]]), m)


@rule(
    rf"\b(?:on|by|until|till|since|before|after|from)\s+(?P<weekday>{'|'.join(_SHORT)})(?![\w'])"
    rf"(?!{_DATE})\.?{TIME}",
    _SHORT,
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
    if not CLAUSES.is_over(m) or CLAUSES.is_habit(m):
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
    return here.which(_weekly(m["weekday"] or m["other"], here), 0, way=1, back=-1)


@rule(
    rf"\b(?P<name>{NAMES}|weekend|{'|'.join(sorted(_SHORT, key=len, reverse=True))})"
    r"\s+just\s+gone(?!\w)",
    "gone",
)
def just_gone(m: re.Match[str], here: Reference) -> Span:
    """The weekend just gone, Saturday just gone."""
    return here.which(_weekly(m["name"], here), 0, way=-1)


@rule(rf"\b(?P<count>{NUMBER})\s+(?P<name>{NAMES}|weekend)s?\s+(?:ago|back)(?!\w)", "ago back")
def counted_back(m: re.Match[str], here: Reference) -> Span:
    """Two Fridays ago, three weekends ago."""
    return here.which(_weekly(m["name"], here), 0, way=-1, back=english_number(m["count"]) - 1)


@rule(
    rf"\bthe\s+(?P<name>{NAMES}|weekend)\s+(?P<which>before\s+last|after\s+next)"
    r"(?!\s+(?:week|month|year|christmas|easter|thanksgiving))(?!\w)",
    "before after",
)
def one_further_off(m: re.Match[str], here: Reference) -> Span:
    """The Friday before last, the weekend after next."""
    of = _weekly(m["name"], here)
    return here.which(of, 0, way=-1, back=1) if m["which"].startswith("before") else of(2)


@rule(
    rf"\b(?:{_WHICH}\s+|(?:at|on|over|during|for|by|this\s+coming)\s+the\s+)weekend(?!\w)",
    "weekend",
)
def weekend_near_by(m: re.Match[str], here: Reference) -> Span | None:
    """Last weekend, over the weekend; no habit of weekends."""
    of = _weekly("weekend", here)
    if m["which"]:
        which = m["which"].split()[-1]
        return here.which(of, 0, -1) if SHIFTS[which] < 0 else of(which == "next")
    return None if CLAUSES.is_habit(m) else CLAUSES.leaning(m, here).which(of, 0)
