"""Years, months and dates in English. Pure."""

import re
from datetime import date

from ...text.time import calendar as civil
from ...text.time.calendar import Reference, Span
from ...text.time.rule import by_word, rule
from .clock import CLAUSES, TIME, at_time

MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
SHIFTS = by_word(
    (-1, "last past previous this_past"), (0, "this current"), (1, "next coming following")
)

YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
OF_YEAR = (
    rf"(?:(?:,\s*|,?\s+(?:of\s+|in\s+)?)(?:{YEAR}|'(?P<short>\d\d)(?!\d)"
    r"|(?P<near>last|this|next)\s+year(?!\w)))"
)
"""A year behind something that is in it; read it with `year_named`."""

MONTH_NAME = (
    r"(?:jan(?:uary|\b\.?)|feb(?:ruary|\b\.?)|mar(?:ch|\b\.?)|apr(?:il|\b\.?)|may|"
    r"june?|july?|aug(?:ust|\b\.?)|sep(?:t(?:ember|\b\.?)|\b\.?)|oct(?:ober|\b\.?)|"
    r"nov(?:ember|\b\.?)|dec(?:ember|\b\.?))(?!\w)"
)
MONTH = rf"(?P<month>{MONTH_NAME})"
NUMBER_OF_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
DAY = rf"(?P<day>{NUMBER_OF_DAY})(?:st|nd|rd|th)?(?![\w:])(?!\s?%)"
EDGE = r"(?P<edge>beginning|start|early|middle|mid|end|late)"
WHICH = r"(?P<which>last|this\s+past|past|previous|this|current|next|coming|following)"
BEFORE = r"(?:in|on|at|for|over|during|since|by|until|till|before|after|around|from|of|to|between)"


def month_of(name: str) -> int:
    """1..12 of a name or its beginning."""
    return MONTHS[name[:3]]


def shift_of(which: str) -> int:
    """-1 of "last", "this past"."""
    return SHIFTS[re.sub(r"\s+", " ", which)]


def year_named(m: re.Match[str], here: Reference) -> int | None:
    """The year of a match with `OF_YEAR` in it; None if it names none."""
    found = m.groupdict()
    if number := found.get("year"):
        return int(number)
    if short := found.get("short"):
        return civil.full_year(int(short), here.today)
    near = found.get("near")
    return here.today.year + SHIFTS[near] if near else None


def edge_of(of: Span, name: str) -> Span:
    """The first, middle or last part of a month, a year or a week."""
    length = (of.last - of.first).days + 1
    third = max(1, length // 3)
    match name:
        case "beginning" | "start" | "early":
            return civil.part(of, 0, third - 1)
        case "middle" | "mid":
            return civil.part(of, third, length - third - 1)
        case _:
            return civil.part(of, length - third, length - 1)


_TO = r"(?:\s?[-–—]\s?|\s+(?:to|through|thru|until|till)\s+)"
_TILL = rf"(?:{_TO}(?:the\s+)?(?P<till>{NUMBER_OF_DAY})(?:st|nd|rd|th)?(?![\w:%])(?!-))?"
# "On May" is not all of "on May 23".
_NO_DAY = rf"(?!\s+(?:the\s+)?{NUMBER_OF_DAY}(?:st|nd|rd|th)?(?![\w:%]))"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"


def _dated(m: re.Match[str], here: Reference) -> Span:
    """March 3rd, 2024; the 5th of May, 3-10 May: of the year that is named, or of the nearest."""
    of_month, first = month_of(m["month"]), int(m["day"])
    last = int(m["till"] or first)

    def of(in_year: int) -> Span:
        return civil.days(date(in_year, of_month, first), date(in_year, of_month, max(first, last)))

    return at_time(here.in_year(of, year_named(m, here)), m)


month_and_day = rule(rf"\b{_WEEKDAY}{MONTH}\s+(?:the\s+)?{DAY}{_TILL}{OF_YEAR}?{TIME}", MONTHS)(
    _dated
)
day_and_month = rule(
    rf"\b{_WEEKDAY}(?:the\s+)?{DAY}{_TILL}\s+(?:of\s+)?{MONTH}{OF_YEAR}?{TIME}", MONTHS
)(_dated)


@rule(
    r"\b(?:on|by|until|till|before|since|of)\s+the\s+(?P<day>3[01]|[12]?\d)(?:st|nd|rd|th)"
    r"(?=\s*(?:[.,;!?]|$|(?:at|and|but|i|we)\b))",
    "the",
)
def day_of_any_month(m: re.Match[str], here: Reference) -> Span:
    """On the 15th: only where no floor and no time follows it."""
    first = here.today.replace(day=1)

    def of(shift: int) -> Span:
        return civil.day(civil.month_from(first, shift).first.date().replace(day=int(m["day"])))

    return here.which(of, 0)


@rule(
    rf"\bthe\s+{DAY}{_TILL}\s+of\s+(?:(?P<which>last|this|next)|the)\s+month(?!\w){TIME}", "month"
)
def day_of_month_near_by(m: re.Match[str], here: Reference) -> Span:
    """The 5th of last month."""
    of = civil.month_from(here.today, SHIFTS[m["which"] or "this"]).first.date()
    last = of.replace(day=int(m["till"] or m["day"]))
    return at_time(civil.days(of.replace(day=int(m["day"])), last), m)


@rule(rf"(?<![\w/.-])(?P<year>\d{{4}})-(?P<month>\d\d?)-(?P<day>\d\d?)(?!\d){TIME}", "-")
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03."""
    return at_time(civil.day(date(int(m["year"]), int(m["month"]), int(m["day"]))), m)


@rule(
    r"\b(?:on|by|until|till|before|since|from|after|around|for)\s+(?P<month>1[0-2]|0?[1-9])/"
    r"(?P<day>3[01]|[12]\d|0?[1-9])(?![\w/])(?!\s?%|\s+(?:of|a|an|the)\b)",
    "/",
)
def short_date(m: re.Match[str], here: Reference) -> Span:
    """On 1/15: the month first, as where dates are written so; a fraction has no such word."""

    def of(in_year: int) -> Span:
        return civil.day(date(in_year, int(m["month"]), int(m["day"])))

    return here.which(of, here.today.year)


@rule(rf"\b{MONTH}{OF_YEAR}", MONTHS)
def month_of_year(m: re.Match[str], here: Reference) -> Span:
    """March 2024, June last year."""
    number = year_named(m, here)
    assert number is not None
    return civil.month(number, month_of(m["month"]))


@rule(
    rf"\b(?:(?:(?:sometime|back)\s+)?(?:{BEFORE}|{EDGE}(?:\s+of)?)[\s-]+"
    rf"|(?P<which>last|this|next)\s+)(?:the\s+month\s+of\s+)?"
    rf"(?:(?P<inner>early|mid|late|(?:the\s+)?(?:beginning|start|middle|end)\s+of)[\s-]+)?"
    rf"{MONTH}(?:{OF_YEAR}|{_NO_DAY})",
    MONTHS,
)
def month_of_any_year(m: re.Match[str], here: Reference) -> Span:
    """In March, last June, late May 2023, the end of June; the bare word may be a verb."""
    of_month, number = month_of(m["month"]), year_named(m, here)
    way = SHIFTS[m["which"]] if m["which"] else None
    near = CLAUSES.leaning(m, here)
    found = near.in_year(lambda in_year: civil.month(in_year, of_month), number, way)
    edge = m["edge"] or m["inner"]
    return edge_of(found, re.sub(r"the\s+|\s+of", "", edge)) if edge else found


@rule(
    rf"\b(?:(?P<opening>between|from)\s+)?(?P<first>{MONTH_NAME})(?:\s+(?P<first_year>(?:19|20)\d\d))?"
    rf"(?:{_TO}|\s+(?P<and>and)\s+){MONTH}(?:{OF_YEAR}|{_NO_DAY})",
    MONTHS,
)
def months_between(m: re.Match[str], here: Reference) -> Span | None:
    """Between March and June, March to May 2023, from November to February."""
    if m["and"] and m["opening"] != "between":
        return None
    start, end, number = month_of(m["first"]), month_of(m["month"]), year_named(m, here)
    first = int(m["first_year"]) if m["first_year"] else number and number - (end < start)
    if m["first_year"] and number:
        return civil.month(int(m["first_year"]), start).until(civil.month(number, end))
    return here.in_year(lambda near: civil.months(near, start, (end - start) % 12 + 1), first)


@rule(
    rf"\b(?:in|during|since|of|by|until|till|throughout|before|after|from|{EDGE}(?:\s+of)?)[\s-]+"
    rf"(?:(?P<inner>early|mid|late)[\s-]+)?(?:the\s+year\s+)?{YEAR}(?![-/.]\d|\s*%|\s+\w+s\b|s)",
    "19 20",
)
def whole_year(m: re.Match[str], here: Reference) -> Span:
    """In 2023, early 2024, mid-2023; a number alone is no year."""
    found, edge = civil.year(int(m["year"])), m["edge"] or m["inner"]
    return edge_of(found, edge) if edge else found


@rule(
    rf"\b(?:between|from|in|during)\s+(?P<first>(?:19|20)\d\d)(?:{_TO}|\s+and\s+){YEAR}(?![-/.]\d|\s*%)",
    "19 20",
)
def years_between(m: re.Match[str], here: Reference) -> Span:
    """Between 2019 and 2021, from 2019 to 2021."""
    return civil.year(int(m["first"])).until(civil.year(int(m["year"])))


@rule(
    rf"\b(?:in|during|since|from|of|throughout)\s+(?:the\s+)?(?:{EDGE}[\s-]+)?"
    r"(?P<century>19|20|')?(?P<decade>\d)0'?s(?!\w)",
    "0s 0's",
)
def decade(m: re.Match[str], here: Reference) -> Span:
    """In the 90s, the early 2010s."""
    of_century = int(m["decade"]) * 10
    if m["century"] in (None, "'"):
        number = (1900 if of_century > here.today.year % 100 else 2000) + of_century
    else:
        number = int(m["century"]) * 100 + of_century
    found = civil.year(number).until(civil.year(number + 9))
    return edge_of(found, m["edge"]) if m["edge"] else found
