"""Dates in digits, which are written alike in every language. Pure."""

import re
from datetime import date

from ..text.time.calendar import Reference, Span, day, minutes
from ..text.time.rule import rule


@rule(
    r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)"
    r"(?:\s?(?P<hour>\d\d?):(?P<minute>\d\d?))?",
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


RULES = (written_date,)
