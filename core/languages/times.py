"""Every time a text tells of, as intervals of Unix time. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from itertools import islice
from math import isfinite
from string import ascii_lowercase, ascii_uppercase

from ..text.time.calendar import Leaning, Reference, Span
from ..text.time.rule import Rule
from .registry import languages, languages_in
from .written_dates import RULES as EVERYWHERE

LONGEST = 1_000
"""Characters of a text that are read."""

MOST = 16
"""Expressions of a text that are understood."""

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
    match: re.Match[str]
    rule: Rule
    span: Span | None


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
    spans = _joined(plain, _found(plain, Reference(now, leaning)))
    return tuple(
        Told(start, end, Interval(_unix(span.first, where), _unix(span.last, where)))
        for start, end, span in spans[:MOST]
    )


def _found(text: str, here: Reference) -> list[_Found]:
    """Expressions that do not overlap; of those that start together the longest."""
    found: list[_Found] = []
    end = 0
    for match, rule in sorted(_matches(text), key=lambda each: (each[0].start(), -each[0].end())):
        if match.start() >= end:
            end = match.end()
            found.append(_Found(match, rule, _read(rule, match, here)))
    return found


def _matches(text: str) -> Iterator[tuple[re.Match[str], Rule]]:
    for language in languages_in(text):
        yield from _matches_of(language.times, text.translate(language.time_folding))
    yield from _matches_of(EVERYWHERE, text)


def _matches_of(rules: Sequence[Rule], text: str) -> Iterator[tuple[re.Match[str], Rule]]:
    for rule in rules:
        if not rule.needs or any(word in text for word in rule.needs):
            for match in islice(rule.pattern.finditer(text), MOST):
                yield match, rule


def _read(rule: Rule, match: re.Match[str], here: Reference) -> Span | None:
    try:
        return rule.read(match, here)
    except (ValueError, OverflowError):
        return None


def _joined(text: str, found: Sequence[_Found]) -> list[tuple[int, int, Span]]:
    """What they mean, and where; two with "to" between them are one stretch."""
    result: list[tuple[int, int, Span]] = []
    for each in found:
        if each.span is None:
            continue
        start, end, span = each.match.start(), each.match.end(), each.span
        if result and _joining().fullmatch(text, result[-1][1], start):
            start, _, first = result.pop()
            if span.last < first.first:
                # Friday to Monday: the Monday after that Friday.
                later = Reference(first.first, Leaning.FUTURE)
                span = _read(each.rule, each.match, later) or span
            span = first.until(span)
        result.append((start, end, span))
    return result


@cache
def _joining() -> re.Pattern[str]:
    words = [language.time_joining for language in languages() if language.time_joining]
    return re.compile(rf"\s*(?:{'|'.join([*words, '~|—+|–|-'])})\s*")


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
