"""Every time a text tells of, as intervals of Unix time. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import islice
from math import isfinite
from string import ascii_lowercase, ascii_uppercase

from ..text.time.calendar import Leaning, Reference, Span, at_clock, day, full_year
from ..text.time.calendar import month as of_month
from ..text.time.rule import Beside, TimeRule, joining, rule
from .registry import languages, languages_in


@rule(
    r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)"
    r"(?:[\st]?(?P<hour>\d\d?):(?P<minute>\d\d?))?",
    "- / .",
)
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03, 2024-03-03 14:30; a time that no clock shows is left aside."""
    of = day(date(int(m["year"]), int(m["month"]), int(m["day"])))
    return of if m["hour"] is None else at_clock(of, int(m["hour"]), int(m["minute"]))


@rule(
    r"(?<![\d./-])(?P<one>\d\d?)(?P<mark>[-/.])(?P<other>\d\d?)(?P=mark)(?P<year>(?:19|20)\d\d)(?!\d)",
    "/ . -",
)
def written_date_with_last_year(m: re.Match[str], here: Reference) -> Span:
    """01/15/2024 and 15.01.2024: with strokes the month comes first where it may be either."""
    one, other = int(m["one"]), int(m["other"])
    month_first = other > 12 or (m["mark"] == "/" and one <= 12)
    month, number = (one, other) if month_first else (other, one)
    return day(date(int(m["year"]), month, number))


@rule(r"(?<![\d/])(?P<one>\d\d?)/(?P<other>\d\d?)/(?P<year>\d\d)(?![\d/])", "/")
def written_date_with_short_year(m: re.Match[str], here: Reference) -> Span:
    """1/15/24: of the hundred years that end twenty years from now."""
    one, other = int(m["one"]), int(m["other"])
    month, number = (one, other) if one <= 12 else (other, one)
    return day(date(full_year(int(m["year"]), here.today), month, number))


@rule(
    r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/.](?P<month>0[1-9]|1[0-2])(?![\d./-]|\s*[%月])", "- / ."
)
def written_month(m: re.Match[str], here: Reference) -> Span:
    """2024-03."""
    return of_month(int(m["year"]), int(m["month"]))


WRITTEN_DATES = (
    written_date,
    written_date_with_last_year,
    written_date_with_short_year,
    written_month,
)


LONGEST = 1_000
"""Characters of a text that are read."""

MOST = 16
"""Expressions of a text that are understood."""

_DASHES = joining("~|—+|–|-")

AROUND = 40
"""Characters before an expression that are read for what they make of it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIDE_MEANS = "".join(map(chr, range(0x21, 0x7F)))
_WIDE = "".join(chr(0xFEE0 + ord(character)) for character in _WIDE_MEANS)
_PLAIN = str.maketrans("’" + _WIDE + ascii_uppercase, "'" + _WIDE_MEANS.lower() + ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Interval:
    """Unix seconds, from the first moment to the last, which is a microsecond before the next."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Told:
    """An expression of time, where it stands in the text, and what it means."""

    start: int
    end: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    span: Span | None
    match: re.Match[str]
    rule: TimeRule


@lru_cache(2_048)
def times_in(
    text: str, said_at: float, where: tzinfo | None, *, leaning: Leaning = Leaning.PAST
) -> tuple[Told, ...]:
    """The times that a text tells of, in its order; none for any text that tells of none.

    `said_at` is Unix time; `where` the zone of whoever says it (None: the machine's own). What
    may be the last or the next of its kind is taken by `leaning`.
    """
    now = _local(said_at, where)
    if now is None:
        return ()
    plain = text[:LONGEST].translate(_PLAIN)
    here = Reference(now, leaning)
    spans = _joined(plain, _found(plain, here), here)
    return tuple(
        Told(start, end, Interval(_unix(span.first, where), _unix(span.last, where)))
        for start, end, span in spans[:MOST]
    )


def without_times(text: str, said_at: float, where: tzinfo | None) -> str:
    """A text without its expressions of time, its words a space apart, lines as they are."""
    rest, end = list[str](), 0
    for told in times_in(text, said_at, where):
        rest.append(text[end : told.start])
        end = told.end
    lines = " ".join([*rest, text[end:]]).split("\n")
    return "\n".join(" ".join(line.split()) for line in lines)


def _found(text: str, here: Reference) -> list[_Found]:
    """Expressions that do not overlap; of those that start together the longest."""
    found: list[_Found] = []
    end = told = 0
    for match, form in sorted(_matches(text), key=lambda each: (each[0].start(), -each[0].end())):
        if match.start() >= end:
            alone = _Found(match.start(), match.end(), _read(form, match, here), match, form)
            found.append(_changed(text, alone, here, told))
            end = found[-1].end
            told = told if found[-1].span is None else end
    return found


def _matches(text: str) -> Iterator[tuple[re.Match[str], TimeRule]]:
    for language in languages_in(text):
        yield from _matches_of(language.times, text.translate(language.folding))
    yield from _matches_of(WRITTEN_DATES, text)


def _matches_of(rules: Sequence[TimeRule], text: str) -> Iterator[tuple[re.Match[str], TimeRule]]:
    for form in rules:
        if form.needs:
            # Of each recall thousands of words are looked for: `any` would take twice as long.
            for word in form.needs:
                if word in text:
                    break
            else:
                continue
        for match in islice(form.pattern.finditer(text), MOST):
            yield match, form


def _read(rule: TimeRule, match: re.Match[str], here: Reference) -> Span | None:
    try:
        return rule.read(match, here)
    except (ValueError, OverflowError):
        return None


def _changed(text: str, found: _Found, here: Reference, floor: int) -> _Found:
    """With what the words before and after it make of it: the week before Easter."""
    for language in languages_in(text):
        plain = text.translate(language.folding)
        start = max(floor, found.start - AROUND)
        head = plain[start : found.start + _lead(plain[found.start : found.end])]
        for beside in language.times_before:
            match = beside.pattern.search(head)
            if match and (span := _shifted(beside, match, found, here)):
                found = replace(found, start=start + match.start(), span=span)
                break
        for beside in language.times_after:
            match = beside.pattern.match(plain, found.end)
            if match and (span := _shifted(beside, match, found, here)):
                found = replace(found, end=match.end(), span=span)
                break
    return found


def _lead(expression: str) -> int:
    """How many characters of it belong to the words before it as much."""
    leads = (re.match(each.time_lead, expression) for each in languages())
    return max(lead.end() if lead else 0 for lead in leads)


def _shifted(beside: Beside, match: re.Match[str], found: _Found, here: Reference) -> Span | None:
    here = here if beside.leaning is None else Reference(here.now, beside.leaning)
    try:
        span = found.span if beside.leaning is None else _read(found.rule, found.match, here)
        return None if span is None else beside.read(match, span, here)
    except (ValueError, OverflowError):
        return None


def _joined(text: str, found: Sequence[_Found], here: Reference) -> list[tuple[int, int, Span]]:
    """What they mean, and where; two with "to" between them are one stretch."""
    result: list[tuple[int, int, Span]] = []
    for each in found:
        if each.span is None:
            continue
        start, end, span = each.start, each.end, each.span
        ends = _joins(text, result[-1][:2], (start, end)) if result else None
        if ends is not None:
            _, _, first = result.pop()
            (start, end), span = ends, first.until(_last_of(each, first, here) or span)
        result.append((start, end, span))
    return result


def _last_of(found: _Found, first: Span, here: Reference) -> Span | None:
    """The end of a stretch that begins there: of Friday to Monday the Monday after that Friday."""
    alone = {_read(found.rule, found.match, Reference(here.now, each)) for each in Leaning}
    certain = len(alone) == 1 and found.span is not None and found.span.last >= first.first
    if certain or found.span not in alone:
        return found.span
    return _read(found.rule, found.match, Reference(first.first, Leaning.FUTURE))


def _joins(text: str, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int] | None:
    """From where to where a stretch goes of which these are the ends; None if they are not."""
    between = text[one[1] : other[0]]
    told = (each for language in languages() for each in language.time_joining)
    for joined in (*told, _DASHES):
        if not joined.between.fullmatch(between):
            continue
        start = max(0, one[0] - AROUND)
        opened = joined.before.search(text[start : one[0] + _lead(text[one[0] : one[1]])])
        closed = joined.after.match(text, other[1])
        if opened and closed:
            return min(one[0], start + opened.start()), closed.end()
    return None


def _local(at: float, where: tzinfo | None) -> datetime | None:
    """Naive civil time; None where no calendar reaches."""
    if not isfinite(at):
        return None
    try:
        return (_EPOCH + timedelta(seconds=at)).astimezone(where).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return None


def _unix(at: datetime, where: tzinfo | None) -> float:
    """At the edges of the calendar no zone can be applied; there it is UTC's."""
    try:
        return (at.replace(tzinfo=where) if where else at.astimezone()).timestamp()
    except (OverflowError, ValueError, OSError):
        return (at.replace(tzinfo=UTC) - _EPOCH).total_seconds()
