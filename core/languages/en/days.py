"""Days near by, and what is counted from now, in English. Pure."""

import re
from datetime import timedelta

from ...text.time import calendar as civil
from ...text.time.calendar import FEW, Leaning, Reference, Span, Unit
from ...text.time.rule import after, before, by_word, joining, just_now, rule, until_now
from .clock import PARTS, TIME, at_time
from .numerals import NUMBER, english_number

_DAYS = by_word((-1, "yesterday yday"), (0, "today"), (1, "tomorrow tmrw tmr tmoz tomoz"))
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
    _DAYS,
)
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Yesterday, the day after tomorrow, tomorrow at 3 pm."""
    name = m["day"].split()
    shift = _DAYS[name[-1]]
    if m["far"]:
        shift += -1 if "before" in name else 1
    return at_time(civil.day(here.today + timedelta(days=shift)), m)


@rule(
    r"\b(?:(?P<far>the\s+night\s+before\s+last)|(?P<last>last\s+(?:night|evening))|tonight"
    r"|this\s+(?P<part>morning|afternoon|evening|noon))(?!\w)",
    "night this evening",
)
def part_of_day_near_by(m: re.Match[str], here: Reference) -> Span:
    """Last night, the night before last, tonight, this morning."""
    if m["last"] or m["far"]:
        return civil.hours(here.today - timedelta(days=2 if m["far"] else 1), 18, 24)
    return (
        at_time(civil.hours(here.today, 0, 24), m) if m["part"] else civil.hours(here.today, 18, 24)
    )


@rule(
    r"\bthe\s+other\s+(?P<unit>day|night|evening|morning|afternoon|week|weekend|month)(?!\w)",
    "other",
)
def lately(m: re.Match[str], here: Reference) -> Span:
    """The other day, the other week: not the last one, and not long ago."""
    unit = Unit(m["unit"]) if m["unit"] in ("week", "weekend", "month") else Unit.DAY
    counts = _LATELY if unit is Unit.DAY else FEW
    return civil.away(here.now, [-count for count in counts], unit)


a_moment_ago = rule(
    r"\bjust\s+now(?!\w)|\b(?:(?:just\s+)?a\s+)?(?:moment|second|sec|little\s+bit)s?\s+ago(?!\w)",
    "now ago",
)(just_now)


def _counted(m: re.Match[str], here: Reference) -> Span | None:
    """Three weeks ago, a few days ago, a week or two ago, two years from now, in two weeks."""
    found = m.groupdict()
    way = -1 if found.get("ago") else 1
    unit, size = _UNITS[m["unit"]]
    if m["few"] or found.get("many") is not None:
        if unit is Unit.YEAR:
            return None
        least, most = FEW
    else:
        least = english_number(m["count"])
        most = english_number(m["most"]) if m["most"] else least + (found.get("two") == "two")
    halves = way * size if found.get("half") or found.get("and") else 0
    return civil.away(here.now, (way * size * least, way * size * most), unit, halves)


counted = rule(
    rf"\b(?:(?:{_FEW}\s+|(?P<many>(?<![\w.-]\s)(?<!\d)(?=\w+s\b)))|{_COUNT}{_GAP}(?:and\s+a\s+(?P<half>half)\s+)?)"
    rf"{UNIT}(?:\s+and\s+a\s+(?P<and>half)|\s+or\s+(?P<two>two|so))?\s+(?:(?P<ago>{_AGO})|{_LATER})"
    r"(?:\s+(?:today|on\s+this\s+day|(?:around|about)\s+this\s+time))?(?!\w)",
    "ago now back earlier later from",
)(_counted)
ahead = rule(
    rf"\b(?:with)?in\s+(?:about\s+|around\s+|just\s+)?(?:{_FEW}\s+|{_COUNT}{_GAP}(?:and\s+a\s+(?P<half>half)\s+)?)"
    rf"{UNIT}(?:\s+or\s+(?P<two>two|so))?('s?\s+time)?(?!\s+(?:ago|a\s+row))",
    "in",
)(_counted)


@rule(rf"\bhalf\s+(?:a\s+|an\s+)(?P<unit>year|hour)\s+(?:(?P<ago>{_AGO})|{_LATER})(?!\w)", "half")
def half_counted(m: re.Match[str], here: Reference) -> Span:
    """Half a year ago."""
    return civil.away(here.now, (0,), Unit(m["unit"]), -1 if m["ago"] else 1)


@rule(
    r"\b(?:(?P<past>last|past|previous)|next|coming)\s+"
    rf"(?:few|half\s+(?:a\s+)?(?P<half>year)|several|(?P<count>{NUMBER}))(?:{_GAP}{UNIT})?",
    "last past previous next coming",
)
def window(m: re.Match[str], here: Reference) -> Span | None:
    """The past three days, over the next few weeks; today is part of it."""
    way = -1 if m["past"] else 1
    if m["half"]:
        return civil.within(here.now, 0, Unit.YEAR, way)
    if m["unit"] is None:
        return None
    unit, size = _UNITS[m["unit"]]
    if m["count"] is None and unit is Unit.YEAR:
        return None
    said = m["count"]
    count = FEW[1] if said is None or "couple" in said else english_number(said)
    return civil.within(here.now, way * count * size, unit)


LEAD = r"(?:since|before|after|of|from|between|to)\s+(?:the\s+)?"
"""What begins an expression, and belongs to the words before it as much."""

_COUNTED = (
    rf"\b(?:(?P<few>(?:a\s+)?few|several)|(?P<count>{NUMBER}))\s+"
    r"(?P<unit>day|week|month|year)s?\s+"
)


def _counted_from(m: re.Match[str], of: Span, here: Reference) -> Span:
    """A week from Friday, two days before Christmas."""
    counts = FEW if m["few"] else (english_number(m["count"]),)
    return civil.counted_from(of, -1 if m.groupdict().get("before") else 1, counts, Unit(m["unit"]))


@before(
    r"\b(?:the\s+)?"
    r"(?:(?P<unit>day|week|weekend|month|year)|(?P<part>night|evening|morning|afternoon))\s+"
    r"(?:right\s+|just\s+)?(?:(?P<before>before|prior\s+to|leading\s+up\s+to)|after|following)\s+"
    r"(?:the\s+)?"
)
def one_beside(m: re.Match[str], of: Span, here: Reference) -> Span:
    """The week before 23 August, the weekend after Easter, the night before Christmas."""
    way = -1 if m["before"] else 1
    if m["part"]:
        return civil.hours(civil.day_beside(of, way), *PARTS[m["part"]])
    return civil.beside(of, way, 1, Unit(m["unit"]))


@before(
    r"\b(?:the\s+)?(?:(?P<unit>day|week|weekend|month)|(?P<part>night|evening|morning|afternoon))"
    r"\s+of\s+(?:the\s+)?"
)
def one_around(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """The week of 14 August, the night of the 3rd."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["part"]:
        return civil.hours(of.first.date(), *PARTS[m["part"]])
    unit = Unit(m["unit"])
    return civil.weekend_by(of) if unit is Unit.WEEKEND else civil.stretch(of.first.date(), unit)


@before(r"\b(?:around|near)\s+(?:the\s+)?")
def round_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Around Christmas: a few days on either side of one day."""
    whole = timedelta(hours=23) <= of.last - of.first <= timedelta(days=1)
    return civil.about(of, 3) if whole else None


@after(r"\s+(?:(?P<weekend>(?:long\s+)?weekend)|(?P<week>week)|(?P<rest>holidays?|break|season))\b")
def days_about(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """Labor Day weekend, Thanksgiving week, the Christmas holidays."""
    if of.last - of.first > timedelta(days=1):
        return None
    if m["weekend"]:
        return civil.covering(civil.weekend_by(of), of)
    if m["week"]:
        return civil.week(of.first.date())
    return civil.days(of.first.date() - timedelta(days=2), of.last.date() + timedelta(days=7))


BEFORE = (
    before(rf"{_COUNTED}from\s+(?:the\s+)?", Leaning.FUTURE)(_counted_from),
    before(rf"{_COUNTED}(?:(?P<before>before|prior\s+to)|after|following)\s+(?:the\s+)?")(
        _counted_from
    ),
    one_beside,
    one_around,
    before(r"\b(?:ever\s+)?since\s+(?:about\s+|around\s+)?(?:the\s+)?", Leaning.PAST)(until_now),
    round_it,
)
AFTER = (
    after(
        r"\s*,?\s*(?:onwards?\b|on\b(?=\s*(?:[.,;!?]|$))|(?:up\s+)?(?:until|till|to)\s+"
        r"(?:now|date|the\s+present)\b)",
        Leaning.PAST,
    )(until_now),
    days_about,
)
JOINING = (
    joining("to|until|till|through|thru"),
    joining(r"and(?:\s+the)?", before=r"\bbetween\s+(?:the\s+)?"),
)
