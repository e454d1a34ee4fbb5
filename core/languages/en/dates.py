"""Years, months, seasons, dates and holidays in English. Pure."""

import re
from datetime import date

from ...text.time.calendar import (
    Reference,
    Span,
    day,
    half,
    month,
    month_from,
    months,
    part,
    quarter,
    week,
    year,
)
from ...text.time.festivals import ENGLISH
from ...text.time.rule import rule
from .clock import TIME, at_time

_MONTHS = {
    name[:3]: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1} | {
    "coming": 1,
    "following": 1,
}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4} | {
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}

_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_MONTH = (
    r"(?P<month>jan(?:uary|\b\.?)|feb(?:ruary|\b\.?)|mar(?:ch|\b\.?)|apr(?:il|\b\.?)|may|"
    r"june?|july?|aug(?:ust|\b\.?)|sep(?:t(?:ember|\b\.?)|\b\.?)|oct(?:ober|\b\.?)|"
    r"nov(?:ember|\b\.?)|dec(?:ember|\b\.?))(?!\w)"
)
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\w:])(?!\s?%)"
# "In July" is not all of "in July 2023", nor "on May" of "on May 23".
_NOT_GONE_ON = (
    r"(?!,?\s+(?:of\s+)?(?:19|20)\d\d(?!\d))"
    r"(?!\s+(?:the\s+)?(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\w:%]))"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
_WHICH = r"(?P<which>last|past|previous|this|current|next|coming|following)"
_EDGE = r"(?P<edge>beginning|start|early|middle|mid|end|late)"
_BEFORE = r"(?:in|on|at|for|over|during|since|by|until|till|before|after|around|from|of|to)"
_NAMES = "|".join(
    re.escape(name)
    .replace("'", "'?")
    .replace("st\\ patrick", "st\\.?\\ patrick")
    .replace("\\ ", r"\s+")
    for name in sorted(ENGLISH, key=len, reverse=True)
)
_NO_FESTIVAL = r"(?!\s+(?:tree|card|carol|song|present|gift|party|dinner|movie|sale|egg|bunny)s?\b)"


def _month_of(name: str) -> int:
    return _MONTHS[name[:3]]


def _edge(of: Span, name: str) -> Span:
    """The first, middle or last part of a month, a year or a week."""
    length = (of.last - of.first).days + 1
    third = max(1, length // 3)
    match name:
        case "beginning" | "start" | "early":
            return part(of, 0, third - 1)
        case "middle" | "mid":
            return part(of, third, length - third - 1)
        case _:
            return part(of, length - third, length - 1)


def _dated(m: re.Match[str], here: Reference) -> Span:
    """The day, of the year that is named or of the nearest."""
    of_month, number = _month_of(m["month"]), int(m["day"])

    def of(in_year: int) -> Span:
        return day(date(in_year, of_month, number))

    found = of(int(m["year"])) if m["year"] else here.which(of, here.today.year)
    return at_time(found, m)


@rule(rf"\b{_WEEKDAY}{_MONTH}\s+(?:the\s+)?{_DAY}(?:(?:,\s*|\s+){_YEAR})?{TIME}")
def month_and_day(m: re.Match[str], here: Reference) -> Span:
    """March 3rd, 2024."""
    return _dated(m, here)


@rule(rf"\b{_WEEKDAY}(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?{TIME}")
def day_and_month(m: re.Match[str], here: Reference) -> Span:
    """3 March 2024, the 5th of May."""
    return _dated(m, here)


@rule(
    r"\b(?:on|by|until|till|before|since)\s+the\s+(?P<day>3[01]|[12]?\d)(?:st|nd|rd|th)"
    r"(?=\s*(?:[.,;!?]|$|(?:at|and|but|i|we)\b))",
    "the",
)
def day_of_any_month(m: re.Match[str], here: Reference) -> Span:
    """On the 15th: only where no floor and no time follows it."""
    first = here.today.replace(day=1)

    def of(shift: int) -> Span:
        return day(month_from(first, shift).first.date().replace(day=int(m["day"])))

    return here.which(of, 0)


@rule(rf"(?<![\w/.-])(?P<year>\d{{4}})-(?P<month>\d\d?)-(?P<day>\d\d?)(?!\d){TIME}", "-")
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03."""
    return at_time(day(date(int(m["year"]), int(m["month"]), int(m["day"]))), m)


@rule(rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}")
def month_of_year(m: re.Match[str], here: Reference) -> Span:
    """March 2024."""
    return month(int(m["year"]), _month_of(m["month"]))


@rule(
    rf"\b(?:(?:{_BEFORE}|{_EDGE})[\s-]+|(?P<which>last|this|next)\s+)(?:(?P<inner>early|mid|late)[\s-]+)?{_MONTH}{_NOT_GONE_ON}"
)
def month_of_any_year(m: re.Match[str], here: Reference) -> Span:
    """In March, last June, late May; the bare word may be a verb."""
    of_month = _month_of(m["month"])
    match m["which"] or "":
        case "last":
            found = _last_whole(here, of_month)
        case "next":
            found = next(
                span
                for shift in (0, 1)
                if (span := month(here.today.year + shift, of_month)).first > here.now
            )
        case "this":
            found = month(here.today.year, of_month)
        case _:
            found = here.which(lambda number: month(number, of_month), here.today.year)
    edge = m["edge"] or m["inner"]
    return _edge(found, edge) if edge else found


def _last_whole(here: Reference, of_month: int) -> Span:
    this = month(here.today.year, of_month)
    return this if this.last < here.now else month(here.today.year - 1, of_month)


@rule(
    rf"\b(?:in|during|since|of|by|until|till|throughout|before|after|{_EDGE}(?:\s+of)?)\s+(?:the\s+year\s+)?{_YEAR}(?![-/.]\d|\s*%|\s+\w+s\b)",
    "19",
    "20",
)
def whole_year(m: re.Match[str], here: Reference) -> Span:
    """In 2023, early 2024; a number alone is no year."""
    found = year(int(m["year"]))
    return _edge(found, m["edge"]) if m["edge"] else found


@rule(
    rf"\b(?:(?:the\s+)?{_EDGE}(?:\s+of)?\s+)?(?:(?:the|{_WHICH})\s+)(?P<unit>month|year|week|quarter)(?!\w|[\s-]old)",
    "month",
    "year",
    "week",
    "quarter",
)
def stretch_near_by(m: re.Match[str], here: Reference) -> Span | None:
    """Last month, next year, the end of the month."""
    if m["which"] is None and m["edge"] is None:
        return None
    shift = _SHIFTS[m["which"] or "this"]
    match m["unit"]:
        case "week":
            found = week(here.today, shift)
        case "month":
            found = month_from(here.today, shift)
        case "year":
            found = year(here.today.year + shift)
        case _:
            within = month_from(here.today, 3 * shift).first
            found = quarter(within.year, (within.month + 2) // 3)
    return _edge(found, m["edge"]) if m["edge"] else found


@rule(
    r"\bthe\s+(?P<unit>week|month|year)\s+(?P<which>before\s+last|after\s+next)\b",
    "before",
    "after",
)
def stretch_further_off(m: re.Match[str], here: Reference) -> Span:
    """The week before last, the year after next."""
    shift = -2 if m["which"].startswith("before") else 2
    match m["unit"]:
        case "week":
            return week(here.today, shift)
        case "month":
            return month_from(here.today, shift)
        case _:
            return year(here.today.year + shift)


@rule(
    rf"\b(?:q(?P<short>[1-4])|the\s+(?P<number>{'|'.join(_ORDINALS)})\s+(?P<unit>quarter|half))(?!\w)"
    rf"(?:\s+(?:of\s+)?(?:{_YEAR}|(?P<which>last|this|next)\s+year|the\s+year))?",
    "q",
    "half",
)
def part_of_year(m: re.Match[str], here: Reference) -> Span:
    """Q2 2024, the first half of last year; of this year if none is named."""
    number = int(m["year"]) if m["year"] else here.today.year
    if m["which"]:
        number += _SHIFTS[m["which"]]
    if m["short"]:
        return quarter(number, int(m["short"]))
    which = _ORDINALS[m["number"]]
    if m["unit"] == "quarter":
        return quarter(number, which)
    if which > 2:
        raise ValueError(f"no half {which}")
    return half(number, which)


@rule(
    rf"\b(?:(?P<which>last|this|past|next|coming)\s+|(?:in|during)\s+(?:the\s+)?)(?P<season>spring|summer|autumn|fall|winter)(?:\s+(?:of\s+)?{_YEAR})?(?!\w)",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
)
def season(m: re.Match[str], here: Reference) -> Span | None:
    """Last summer, in the winter of 2023; a season alone is a habit."""
    first = _SEASONS[m["season"]]
    if m["year"]:
        return months(int(m["year"]), first, 3)
    if m["which"] is None:
        return None
    every = [months(here.today.year + shift, first, 3) for shift in (-2, -1, 0, 1)]
    over = [span for span in every if span.last < here.now]
    ahead = [span for span in every if span.first > here.now]
    match m["which"]:
        case "last" | "past":
            return over[-1]
        case "next" | "coming":
            return ahead[0]
        case _:
            return every[len(over)]


@rule(
    rf"(?:\b(?P<which>last|this|past|next|coming)\s+|\b{_BEFORE}\s+|(?P<start>^\s*))"
    rf"(?P<festival>{_NAMES})(?!\w){_NO_FESTIVAL}(?:,?\s+(?:of\s+)?{_YEAR})?(?P<end>\s*[?.!,]|\s*$)?"
)
def holiday(m: re.Match[str], here: Reference) -> Span | None:
    """At Christmas, last Thanksgiving, Easter 2024."""
    name = re.sub(r"\s+", " ", m["festival"])
    make = ENGLISH[
        next(n for n in ENGLISH if n.replace("'", "") == name.replace("'", "").replace("st.", "st"))
    ]
    if m["year"]:
        return make(int(m["year"]))
    every = [make(here.today.year + shift) for shift in (-1, 0, 1)]
    match m["which"] or "":
        case "last" | "past":
            return [span for span in every if span.last < here.now][-1]
        case "next" | "coming":
            return next(span for span in every if span.first > here.now)
        case "this":
            return every[1]
        case _:
            return here.which(make, here.today.year)


RULES = (
    month_and_day,
    day_and_month,
    day_of_any_month,
    written_date,
    month_of_year,
    month_of_any_year,
    whole_year,
    stretch_near_by,
    stretch_further_off,
    part_of_year,
    season,
    holiday,
)
