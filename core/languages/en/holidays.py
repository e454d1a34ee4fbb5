"""Holidays in English. Pure."""

import re
from collections.abc import Mapping
from datetime import timedelta

from ...text.time.calendar import Reference, Span, day
from ...text.time.festivals import Festival, easter, lunar_from, nth_weekday, yearly
from ...text.time.rule import rule
from .clock import CLAUSES, TIME, at_time
from .dates import BEFORE, OF_YEAR, SHIFTS, year_named

_SPRING = lunar_from(1, 1)

HOLIDAYS: Mapping[str, Festival] = {
    "new year's eve": yearly(12, 31),
    "new year's day": yearly(1, 1),
    "chinese new year": _SPRING,
    "lunar new year": _SPRING,
    "spring festival": _SPRING,
    "lantern festival": lunar_from(1, 15),
    "dragon boat festival": lunar_from(5, 5),
    "mid-autumn festival": lunar_from(8, 15),
    "new year's": yearly(1, 1),
    "new year": yearly(1, 1),
    "valentine's day": yearly(2, 14),
    "valentine's": yearly(2, 14),
    "st patrick's day": yearly(3, 17),
    "april fools' day": yearly(4, 1),
    "good friday": lambda year: day(easter(year) - timedelta(days=2)),
    "easter": lambda year: day(easter(year)),
    "may day": yearly(5, 1),
    "mother's day": nth_weekday(5, 6, 2),
    "memorial day": nth_weekday(5, 0, -1),
    "father's day": nth_weekday(6, 6, 3),
    "juneteenth": yearly(6, 19),
    "independence day": yearly(7, 4),
    "the fourth of july": yearly(7, 4),
    "labor day": nth_weekday(9, 0, 1),
    "columbus day": nth_weekday(10, 0, 2),
    "halloween": yearly(10, 31),
    "veterans day": yearly(11, 11),
    "thanksgiving": nth_weekday(11, 3, 4),
    "black friday": nth_weekday(11, 3, 4, after=1),
    "christmas eve": yearly(12, 24),
    "christmas day": yearly(12, 25),
    "christmas": yearly(12, 25),
    "xmas": yearly(12, 25),
    "boxing day": yearly(12, 26),
}
"""By the lower-case name with a plain apostrophe."""

_PLAIN = {name.replace("'", ""): name for name in HOLIDAYS}
_NAMES = "|".join(
    re.escape(name)
    .replace("'", "'?")
    .replace("st\\ patrick", "st\\.?\\ patrick")
    .replace("\\ ", r"\s+")
    for name in sorted(HOLIDAYS, key=len, reverse=True)
)
_LONGEST_WORDS = tuple(dict.fromkeys(max(re.findall("[a-z]+", name), key=len) for name in HOLIDAYS))
_SOME_YEAR = r",?\s+(?:of\s+|in\s+)?(?:(?:19|20)\d\d|(?:last|this|next)\s+year)(?!\w)"
_NO_FESTIVAL = r"(?!\s+(?:tree|card|carol|song|present|gift|party|dinner|movie|sale|egg|bunny)s?\b)"


@rule(
    rf"(?:\b(?P<which>last|this|past|next|coming)\s+|\b{BEFORE}\s+|(?P<start>^\s*)|(?<=\band\s)|(?<=\bto\s)|\b(?=(?:{_NAMES}){_SOME_YEAR}))"
    rf"(?P<festival>{_NAMES})(?!\w){_NO_FESTIVAL}{OF_YEAR}?{TIME}",
    _LONGEST_WORDS,
)
def holiday(m: re.Match[str], here: Reference) -> Span:
    """At Christmas, last Thanksgiving, Easter 2024, Christmas last year."""
    name = re.sub(r"\s+", " ", m["festival"].replace("'", "").replace("st.", "st"))
    make = HOLIDAYS[_PLAIN[name]]
    way = SHIFTS[m["which"]] if m["which"] else None
    return at_time(CLAUSES.leaning(m, here).in_year(make, year_named(m, here), way), m)
