"""How the days of festivals are found, solar and lunar, Chinese and Western. Pure.

The lunar calendar is lunardate's (1900..2099); solar terms follow the usual formula for those
two centuries; Easter is Gauss's (in the form of Meeus, "Astronomical Algorithms").
"""

from collections.abc import Callable
from datetime import date, timedelta

from .calendar import Span, day, days

type Festival = Callable[[int], Span]

_TERM_CONSTANTS = {"清明": (4, 5.59, 4.81), "冬至": (12, 22.60, 21.94)}
_TERM_STEP = 0.2422


def lunar(year: int, month: int, number: int) -> date:
    """The civil date of a day of the lunar calendar; day 30 is the last of a short month.

    Raises ValueError beyond 1900..2099, and where lunardate is not installed.
    """
    try:
        return _lunar_date(year, month, number)
    except ValueError:
        if number != 30:
            raise
        return _lunar_date(year, month, 29)


def _lunar_date(year: int, month: int, number: int) -> date:
    # A plugin copied by hand must start without it: then only lunar festivals mean nothing.
    try:
        from lunardate import LunarDate
    except ImportError as absent:
        raise ValueError("no lunar calendar: lunardate is not installed") from absent
    # The stubs that pyright brings are of an older release.
    return LunarDate(year, month, number).to_solar_date()  # pyright: ignore


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    lap = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * lap) // 451
    month, number = divmod(h + lap - 7 * m + 114, 31)
    return date(year, month, number + 1)


def solar_term(name: str, year: int) -> date:
    """清明 or 冬至 of a year 1900..2099. Raises ValueError for another."""
    if not 1900 <= year <= 2099:
        raise ValueError(f"no solar terms for {year}")
    month, last_century, this_century = _TERM_CONSTANTS[name]
    constant = last_century if year < 2000 else this_century
    within = year % 100
    leaps = (within - 1) // 4 if month < 3 else within // 4
    return date(year, month, int(within * _TERM_STEP + constant) - leaps)


def yearly(month: int, number: int, length: int = 1) -> Festival:
    """The same date each year, and the days after it."""

    def of(year: int) -> Span:
        first = date(year, month, number)
        return days(first, first + timedelta(days=length - 1))

    return of


def lunar_from(month: int, number: int, *, before: int = 0, length: int = 1) -> Festival:
    """So many days from one of the lunar calendar, or from some days before it."""

    def of(year: int) -> Span:
        first = lunar(year, month, number) - timedelta(days=before)
        return days(first, first + timedelta(days=length - 1))

    return of


def nth_weekday(month: int, weekday: int, number: int, *, after: int = 0) -> Festival:
    """The n-th such weekday of a month (negative: the last), `after` days later."""

    def of(year: int) -> Span:
        if number > 0:
            first = date(year, month, 1)
            skip = (weekday - first.weekday()) % 7 + 7 * (number - 1)
        else:
            first = date(year, month + 1, 1) - timedelta(days=1)
            skip = -((first.weekday() - weekday) % 7)
        return day(first + timedelta(days=skip + after))

    return of


def easter_sunday(year: int) -> Span:
    """Easter as a day."""
    return day(easter(year))


def solar_term_day(name: str) -> Festival:
    """清明 or 冬至."""
    return lambda year: day(solar_term(name, year))
