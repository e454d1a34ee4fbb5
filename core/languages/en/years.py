"""Years and months by name in English: what other rules are made of. Pure."""

import re
from collections.abc import Mapping

from ...text.time.calendar import Reference, Span, part

MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
SHIFTS: Mapping[str, int] = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this past": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "following": 1,
}

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
        latest = here.today.year + 20
        return latest - (latest - int(short)) % 100
    near = found.get("near")
    return here.today.year + SHIFTS[near] if near else None


def edge_of(of: Span, name: str) -> Span:
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
