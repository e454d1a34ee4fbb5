"""Dates in digits, which are written alike in every language. Pure."""

import re
from datetime import date

from ..text.time.calendar import Reference, Span, day, minutes
from ..text.time.calendar import month as of_month
from ..text.time.rule import rule


@rule(
    r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)"
    r"(?:[\st]?(?P<hour>\d\d?):(?P<minute>\d\d?))?",
    "-",
    "/",
    ".",
)
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03, 2024-03-03 14:30; a time that no clock shows is left aside."""
    of = day(date(int(m["year"]), int(m["month"]), int(m["day"])))
    if m["hour"] is None or int(m["hour"]) > 23 or int(m["minute"]) > 59:
        return of
    return minutes(of.first.replace(hour=int(m["hour"]), minute=int(m["minute"])))


@rule(
    r"(?<![\d./-])(?P<one>\d\d?)(?P<mark>[-/.])(?P<other>\d\d?)(?P=mark)(?P<year>(?:19|20)\d\d)(?!\d)",
    "/",
    ".",
    "-",
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
    latest = here.today.year + 20
    one, other = int(m["one"]), int(m["other"])
    month, number = (one, other) if one <= 12 else (other, one)
    return day(date(latest - (latest - int(m["year"])) % 100, month, number))


@rule(
    r"(?<![\d./-])(?P<year>(?:19|20)\d\d)[-/.](?P<month>0[1-9]|1[0-2])(?![\d./-]|\s*[%月])",
    "-",
    "/",
    ".",
)
def written_month(m: re.Match[str], here: Reference) -> Span:
    """2024-03."""
    return of_month(int(m["year"]), int(m["month"]))


RULES = (written_date, written_date_with_last_year, written_date_with_short_year, written_month)
