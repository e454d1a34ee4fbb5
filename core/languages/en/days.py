"""Days near by, and what is counted from now, in English. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import (
    Leaning,
    Reference,
    Span,
    Unit,
    about,
    after_it,
    before_it,
    between,
    day,
    days,
    hours,
    moment,
    month_from,
    shifted,
    since,
    week,
    weekend,
    weekend_by,
)
from ...text.time.rule import Joining, after, before, by_word, rule
from .clock import PARTS, TIME, at_time
from .numerals import NUMBER, english_number

_DAYS = by_word((-1, "yesterday yday"), (0, "today"), (1, "tomorrow tmrw tmr tmoz tomoz"))
FEW = (2, 5)
"""How many a few may be."""

_LATELY = (2, 10)
"""How many days ago the other day may be."""

_UNITS = by_word(
    ((Unit.MINUTE, 1), "min minute"),
    ((Unit.HOUR, 1), "h hr hour"),
    ((Unit.DAY, 1), "d day night"),
    ((Unit.WEEK, 1), "w wk week"),
    ((Unit.WEEK, 2), "fortnight"),
    ((Unit.MONTH, 1), "mo mon mth month"),
    ((Unit.QUARTER, 1), "quarter"),
    ((Unit.YEAR, 1), "y yr year"),
    ((Unit.YEAR, 10), "decade"),
)
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
    return between(shifted(here.now, -least, unit), shifted(here.now, -most, unit), unit)


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
        return between(here.now, shifted(here.now, way * 6, Unit.MONTH), Unit.MONTH)
    if m["unit"] is None:
        return None
    unit, size = _UNITS[m["unit"]]
    if m["count"] is None and unit is Unit.YEAR:
        return None
    said = m["count"]
    count = FEW[1] if said is None or "couple" in said else english_number(said)
    return between(here.now, shifted(here.now, way * count * size, unit), unit)


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
    return between(ends[0], ends[1], smaller)


LEAD = r"(?:since|before|after|of|from|between|to)\s+(?:the\s+)?"
"""What begins an expression, and belongs to the words before it as much."""

_UNIT = r"(?P<unit>day|week|month|year)"


_COUNTED = rf"\b(?:(?P<few>(?:a\s+)?few|several)|(?P<count>{NUMBER}))\s+{_UNIT}s?\s+"


@before(rf"{_COUNTED}from\s+(?:the\s+)?", Leaning.FUTURE)
def counted_on(m: re.Match[str], of: Span, here: Reference) -> Span:
    """A week from Friday."""
    return _counted_beside(m, of, ago=False)


@before(rf"{_COUNTED}(?:(?P<before>before|prior\s+to)|after|following)\s+(?:the\s+)?")
def counted_from(m: re.Match[str], of: Span, here: Reference) -> Span:
    """Two days before Christmas."""
    return _counted_beside(m, of, ago=bool(m["before"]))


def _counted_beside(m: re.Match[str], of: Span, *, ago: bool) -> Span:
    unit = Unit(m["unit"])
    counts = FEW if m["few"] else (english_number(m["count"]),) * 2
    base = of.first if ago else of.last
    ends = sorted(shifted(base, -count if ago else count, unit).date() for count in counts)
    return days(ends[0], ends[1])


@before(
    rf"\b(?:the\s+)?(?:{_UNIT}|(?P<weekend>weekend)|(?P<part>night|evening|morning|afternoon))\s+"
    r"(?:right\s+|just\s+)?(?:(?P<before>before|prior\s+to|leading\s+up\s+to)|after|following)\s+"
    r"(?:the\s+)?"
)
def one_beside(m: re.Match[str], of: Span, here: Reference) -> Span:
    """The week before 23 August, the weekend after Easter, the night before Christmas."""
    ago = bool(m["before"])
    near = of.first.date() - timedelta(days=1) if ago else of.last.date() + timedelta(days=1)
    if m["part"]:
        return hours(near, *PARTS[m["part"]])
    if m["weekend"]:
        found = weekend(near)
        return weekend(near, -1) if ago and found.last >= of.first else found
    unit = Unit(m["unit"])
    return before_it(of, 1, unit) if ago else after_it(of, 1, unit)


@before(
    r"\b(?:the\s+)?(?:(?P<week>week)|(?P<weekend>weekend)|(?P<month>month)"
    r"|(?P<part>night|evening|morning|afternoon)|day)\s+of\s+(?:the\s+)?"
)
def one_around(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """The week of 14 August, the night of the 3rd."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["part"]:
        return hours(of.first.date(), *PARTS[m["part"]])
    if m["weekend"]:
        return weekend_by(of)
    if m["month"]:
        return month_from(of.first.date(), 0)
    return week(of.first.date()) if m["week"] else day(of.first.date())


@before(r"\b(?:ever\s+)?since\s+(?:about\s+|around\s+)?(?:the\s+)?", Leaning.PAST)
def since_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Since March: until now."""
    return since(of, here.now)


@before(r"\b(?:around|near)\s+(?:the\s+)?")
def round_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Around Christmas: a few days on either side of one day."""
    whole = timedelta(hours=23) <= of.last - of.first <= timedelta(days=1)
    return about(of, 3) if whole else None


@after(
    r"\s*,?\s*(?:onwards?\b|on\b(?=\s*(?:[.,;!?]|$))|(?:up\s+)?(?:until|till|to)\s+"
    r"(?:now|date|the\s+present)\b)",
    Leaning.PAST,
)
def until_now(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """From March on, from June until now."""
    return since(of, here.now)


@after(r"\s+(?:(?P<weekend>(?:long\s+)?weekend)|(?P<week>week)|(?P<rest>holidays?|break|season))\b")
def days_about(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Labor Day weekend, Thanksgiving week, the Christmas holidays."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["weekend"]:
        found = weekend_by(of)
        return Span(min(found.first, of.first), max(found.last, of.last))
    if m["week"]:
        return week(of.first.date())
    return days(of.first.date() - timedelta(days=2), of.last.date() + timedelta(days=7))


BEFORE = (counted_on, counted_from, one_beside, one_around, since_it, round_it)
AFTER = (until_now, days_about)
JOINING = (
    Joining("to|until|till|through|thru"),
    Joining(r"and(?:\s+the)?", before=r"\bbetween\s+(?:the\s+)?"),
)
