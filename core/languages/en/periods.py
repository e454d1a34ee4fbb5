"""Weeks, months, seasons and parts of them in English. Pure."""

import re

from ...text.time import calendar as civil
from ...text.time.calendar import Leaning, Reference, Span, Unit
from ...text.time.rule import by_word, rule
from .dates import EDGE, MONTH, OF_YEAR, SHIFTS, WHICH, edge_of, month_of, shift_of, year_named
from .numerals import NUMBER, english_number
from .weekdays import NAMES, weekday_number

_SEASONS = by_word((3, "spring"), (6, "summer"), (9, "autumn fall"), (12, "winter"))
_ORDINALS = by_word(
    (1, "first 1st"),
    (2, "second 2nd"),
    (3, "third 3rd"),
    (4, "fourth 4th"),
    (5, "fifth"),
    (-1, "last final"),
    (-2, "second_to_last second_last"),
)
_NTH = rf"(?P<nth>{'|'.join(sorted(_ORDINALS, key=len, reverse=True)).replace(' ', '[ -]')})"
_WHICH = WHICH.replace("<which>", "<alone>")
_AROUND = {Unit.YEAR: 14, Unit.QUARTER: 7, Unit.MONTH: 3, Unit.WEEK: 0}
"""Days on either side of "this time last …"."""


@rule(
    rf"\b(?:(?:the\s+)?{EDGE}(?:\s+of)?[\s-]+(?:(?:the|{WHICH})\s+)|{_WHICH}\s+)"
    r"(?P<unit>month|year|week|quarter)(?!\w|[\s-]old)",
    "month year week quarter",
)
def stretch_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last month, next year, the end of the month; the past week ends now."""
    which = re.sub(r"\s+", " ", m["which"] or m["alone"] or "this")
    if which in ("past", "this past") and not m["edge"]:
        return civil.days(civil.shifted(here.now, -1, Unit(m["unit"])).date(), here.today)
    found = civil.stretch(here.today, Unit(m["unit"]), shift_of(which))
    return edge_of(found, m["edge"]) if m["edge"] else found


@rule(
    r"\b(?:in|within|over|during|for|of)\s+the\s+(?P<which>last|next|coming)\s+"
    r"(?P<unit>week|month|quarter|year)(?!\w|\s+of\b)",
    "the",
)
def stretch_until_now(m: re.Match[str], here: Reference) -> Span:
    """In the last month: what "last month" is not."""
    edge = civil.shifted(here.now, -1 if m["which"] == "last" else 1, Unit(m["unit"])).date()
    return civil.days(min(edge, here.today), max(edge, here.today))


@rule(
    r"\b(?:the\s+)?(?P<unit>week|month|year|quarter)\s+(?P<which>before\s+last|after\s+next)"
    rf"(?!\s+(?:{NAMES}|weekend|spring|summer|autumn|fall|winter|christmas|easter|thanksgiving))\b",
    "before after",
)
def stretch_further_off(m: re.Match[str], here: Reference) -> Span:
    """The week before last, the year after next."""
    shift = -2 if m["which"].startswith("before") else 2
    return civil.stretch(here.today, Unit(m["unit"]), shift)


@rule(
    r"\b(?:(?:at|around|about)\s+)?(?:this|the\s+same|same)\s+(?P<what>time|day|date|week|month)"
    r"(?:\s+of(?:\s+the)?\s+year)?,?\s+(?P<which>last|next)\s+(?P<unit>year|quarter|month|week)(?!\w)",
    "last next",
)
def same_time(m: re.Match[str], here: Reference) -> Span:
    """This time last year: some days about it. This day last year, this month last year."""
    unit, what = Unit(m["unit"]), m["what"]
    of = civil.shifted(here.now, SHIFTS[m["which"]], unit).date()
    if what == "time":
        return civil.about(civil.day(of), _AROUND[unit])
    return civil.day(of) if what == "date" else civil.stretch(of, Unit(what))


def _whole(m: re.Match[str], here: Reference) -> Span:
    """The month or year of a match with `_WHOLE` in it; a month without a year the nearest."""
    if m["unit"]:
        return civil.stretch(here.today, Unit(m["unit"]), shift_of(m["which"] or "this"))
    if m["month"] is None:
        return civil.year(int(m["alone"]))
    of_month = month_of(m["month"])
    return here.in_year(lambda number: civil.month(number, of_month), year_named(m, here))


_WHOLE = (
    rf"(?:(?:the\s+month\s+of\s+|(?:this|last|next)\s+)?{MONTH}{OF_YEAR}?|(?P<alone>(?:19|20)\d\d)(?!\d)"
    rf"|(?:the|{WHICH})\s+(?P<unit>month|year|quarter)(?!\w))"
)


@rule(
    rf"\b(?:the\s+)?(?:very\s+)?{_NTH}\s+(?:(?P<count>few|couple(?:\s+of)?|{NUMBER})\s+)?"
    rf"(?P<what>weekend|week|day|half|month|{NAMES})s?(?:\s+or\s+(?:two|so))?\s+(?:of|in)\s+{_WHOLE}",
    "of in",
)
def part_by_number(m: re.Match[str], here: Reference) -> Span:
    """The last week of August 2023, the first weekend of May, the first few days of June."""
    whole, number = _whole(m, here), _ORDINALS[m["nth"].replace("-", " ")]
    said = m["count"] or "one"
    count = 3 if said == "few" else english_number(said)
    return civil.covering(*(_part(whole, m["what"], number * each) for each in {1, count}))


def _part(whole: Span, what: str, place: int) -> Span:
    if what == "half":
        return _half(whole, place)
    return civil.nth(whole, Unit(what) if what in {*Unit} else weekday_number(what), place)


def _half(whole: Span, place: int) -> Span:
    if place not in (1, 2, -1):
        raise ValueError(f"no half {place}")
    if whole == civil.year(whole.first.year):
        return civil.half(whole.first.year, 1 if place == 1 else 2)
    length = (whole.last - whole.first).days + 1
    middle = length // 2
    return civil.part(whole, 0, middle - 1) if place == 1 else civil.part(whole, middle, length - 1)


@rule(
    rf"\b(?:q(?P<q>[1-4])|the\s+{_NTH}\s+(?P<unit>quarter|half))(?!\w)"
    rf"(?:{OF_YEAR}|\s+(?:of\s+)?the\s+year)?",
    "q half",
)
def part_of_year(m: re.Match[str], here: Reference) -> Span:
    """Q2 2024, the first half of last year; of this year if none is named."""
    whole = civil.year(year_named(m, here) or here.today.year)
    place = int(m["q"]) if m["q"] else _ORDINALS[m["nth"].replace("-", " ")]
    return _part(whole, m["unit"] or "quarter", place)


@rule(
    rf"\b(?:{EDGE}[\s-]+)?(?:(?P<which>last|this\s+past|this|past|next|coming)\s+|(?P<over>over\s+the\s+)"
    r"|(?:in|during|since|of|by)\s+(?:the\s+)?)?(?:(?P<inner>early|mid|late)[\s-]+)?"
    rf"(?P<season>spring|summer|autumn|fall|winter)(?!\s+in\s){OF_YEAR}?(?!\w)",
    _SEASONS,
)
def season(m: re.Match[str], here: Reference) -> Span | None:
    """Last summer, in the winter of 2023, over the summer; a season alone is a habit."""
    first, number = _SEASONS[m["season"]], year_named(m, here)
    if not (number or m["which"] or m["over"]):
        return None
    way = SHIFTS[m["which"].split()[-1]] if m["which"] else None
    if way == 0:
        way, here = None, Reference(here.now, Leaning.FUTURE)
    found = here.in_year(lambda near: civil.months(near, first, 3), number, way)
    edge = m["edge"] or m["inner"]
    return edge_of(found, edge) if edge else found
