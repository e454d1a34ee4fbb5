"""Days near by, and what is counted from now, in English. Pure."""

import re
from datetime import datetime, timedelta

from ...text.time.calendar import Reference, Span, Unit, day, hours, moment, shifted
from ...text.time.rule import rule
from .clock import TIME, at_time
from .numerals import NUMBER, english_number

_DAYS = {
    "yesterday": -1,
    "yday": -1,
    "today": 0,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "tmoz": 1,
    "tomoz": 1,
}
FEW = (2, 5)
"""How many a few may be."""

_LATELY = (2, 10)
"""How many days ago the other day may be."""

_UNITS: dict[str, tuple[Unit, int]] = {
    "min": (Unit.MINUTE, 1),
    "minute": (Unit.MINUTE, 1),
    "h": (Unit.HOUR, 1),
    "hr": (Unit.HOUR, 1),
    "hour": (Unit.HOUR, 1),
    "d": (Unit.DAY, 1),
    "day": (Unit.DAY, 1),
    "night": (Unit.DAY, 1),
    "w": (Unit.WEEK, 1),
    "wk": (Unit.WEEK, 1),
    "week": (Unit.WEEK, 1),
    "fortnight": (Unit.WEEK, 2),
    "mo": (Unit.MONTH, 1),
    "mon": (Unit.MONTH, 1),
    "mth": (Unit.MONTH, 1),
    "month": (Unit.MONTH, 1),
    "quarter": (Unit.QUARTER, 1),
    "y": (Unit.YEAR, 1),
    "yr": (Unit.YEAR, 1),
    "year": (Unit.YEAR, 1),
    "decade": (Unit.YEAR, 10),
}
_HALF = {
    Unit.HOUR: (30, Unit.MINUTE),
    Unit.DAY: (12, Unit.HOUR),
    Unit.WEEK: (3, Unit.DAY),
    Unit.MONTH: (15, Unit.DAY),
    Unit.YEAR: (6, Unit.MONTH),
}
_COUNT = rf"(?P<count>{NUMBER})(?:(?:\s*-\s*|\s+(?:or|to)\s+)(?P<most>{NUMBER}))?"
_GAP = r"(?:(?<=\d)|\s)\s*"
"""After a number: 3d, but not "and"."""

_FEW = r"(?P<few>(?:a\s+)?few|several|some)"
UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})s?(?!\w|[\s-]old)"
_AGO = r"ago|before\s+now|back|earlier"
_LATER = r"from\s+now|later|from\s+today"


@rule(
    rf"\b(?P<day>(?P<far>(?:the\s+)?day\s+(?:before|after)\s+)?(?:{'|'.join(_DAYS)}))"
    rf"(?!'s\s+world)(?:'s)?{TIME}(?!\w)",
    *_DAYS,
)
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Yesterday, the day after tomorrow, tomorrow at 3 pm."""
    name = m["day"].split()
    shift = _DAYS[name[-1]]
    if m["far"]:
        shift += -1 if "before" in name else 1
    return at_time(day(here.today + timedelta(days=shift)), m)


@rule(
    r"\b(?:(?P<far>the\s+night\s+before\s+last)|(?P<last>last\s+(?:night|evening))|tonight"
    r"|this\s+(?P<part>morning|afternoon|evening|noon))(?!\w)",
    "night",
    "this",
    "evening",
)
def part_of_day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last night, the night before last, tonight, this morning."""
    if m["last"] or m["far"]:
        return hours(here.today - timedelta(days=2 if m["far"] else 1), 18, 24)
    return at_time(hours(here.today, 0, 24), m) if m["part"] else hours(here.today, 18, 24)


@rule(
    r"\bthe\s+other\s+(?P<unit>day|night|evening|morning|afternoon|week|weekend|month)(?!\w)",
    "other",
)
def lately(m: re.Match[str], here: Reference) -> Span:
    """The other day, the other week: not the last one, and not long ago."""
    unit = Unit(m["unit"]) if m["unit"] in ("week", "month") else Unit.DAY
    if m["unit"] == "weekend":
        unit = Unit.WEEK
    least, most = _LATELY if unit is Unit.DAY else FEW
    return _between(shifted(here.now, -least, unit), shifted(here.now, -most, unit), unit)


@rule(
    r"\bjust\s+now(?!\w)|\b(?:(?:just\s+)?a\s+)?(?:moment|second|sec|little\s+bit)s?\s+ago(?!\w)",
    "now",
    "ago",
)
def just_now(m: re.Match[str], here: Reference) -> Span:
    """Just now, a moment ago: within the hour."""
    return Span(here.now - timedelta(hours=1), here.now)


@rule(
    rf"\b(?:(?:{_FEW}\s+|(?P<many>(?<![\w.-]\s)(?<!\d)(?=\w+s\b)))|{_COUNT}{_GAP}(?:and\s+a\s+(?P<half>half)\s+)?)"
    rf"{UNIT}(?:\s+and\s+a\s+(?P<and>half)|\s+or\s+(?P<two>two|so))?\s+(?:(?P<ago>{_AGO})|{_LATER})"
    r"(?:\s+(?:today|on\s+this\s+day|(?:around|about)\s+this\s+time))?(?!\w)",
    "ago",
    "now",
    "back",
    "earlier",
    "later",
    "from",
)
def counted(m: re.Match[str], here: Reference) -> Span | None:
    """Three weeks ago, a few days ago, a week or two ago, 1mon ago, two years from now."""
    return _counted(m, here, -1 if m["ago"] else 1)


@rule(
    rf"\b(?:with)?in\s+(?:about\s+|around\s+|just\s+)?(?:{_FEW}\s+|{_COUNT}{_GAP}(?:and\s+a\s+(?P<half>half)\s+)?)"
    rf"{UNIT}(?:\s+or\s+(?P<two>two|so))?('s?\s+time)?(?!\s+(?:ago|a\s+row))",
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
    r"\b(?:(?P<past>last|past|previous)|next|coming)\s+"
    rf"(?:few|half\s+(?:a\s+)?(?P<half>year)|several|(?P<count>{NUMBER}))(?:{_GAP}{UNIT})?",
    "last",
    "past",
    "previous",
    "next",
    "coming",
)
def window(m: re.Match[str], here: Reference) -> Span | None:
    """The past three days, over the next few weeks; today is part of it."""
    way = -1 if m["past"] else 1
    if m["half"]:
        return _between(here.now, shifted(here.now, way * 6, Unit.MONTH), Unit.MONTH)
    if m["unit"] is None:
        return None
    unit, size = _UNITS[m["unit"]]
    if m["count"] is None and unit is Unit.YEAR:
        return None
    said = m["count"]
    count = FEW[1] if said is None or "couple" in said else english_number(said)
    return _between(here.now, shifted(here.now, way * count * size, unit), unit)


def _counted(m: re.Match[str], here: Reference, way: int) -> Span | None:
    found = m.groupdict()
    unit, size = _UNITS[m["unit"]]
    if m["few"] or found.get("many") is not None:
        if unit is Unit.YEAR:
            return None
        least, most = FEW
    else:
        least = english_number(m["count"])
        most = english_number(m["most"]) if m["most"] else least + (found.get("two") == "two")
    ends = [shifted(here.now, way * count * size, unit) for count in (least, most)]
    smaller = unit
    if found.get("half") or found.get("and"):
        count, smaller = _HALF.get(unit, (0, unit))
        ends = [shifted(each, way * count * size, smaller) for each in ends]
    return _between(ends[0], ends[1], smaller)


def _between(one: datetime, other: datetime, unit: Unit) -> Span:
    return moment(min(one, other), unit).until(moment(max(one, other), unit))


RULES = (day_near_by, part_of_day_near_by, lately, just_now, counted, ahead, half_counted, window)
