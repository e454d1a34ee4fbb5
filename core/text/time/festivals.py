"""Public holidays and festivals, solar and lunar, Chinese and Western. Pure.

The lunar calendar is lunardate's (1900..2099); solar terms follow the usual formula for those
two centuries; Easter is Gauss's (in the form of Meeus, "Astronomical Algorithms").
"""

from collections.abc import Callable, Mapping
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


def _on(month: int, number: int, length: int = 1) -> Festival:
    def of(year: int) -> Span:
        first = date(year, month, number)
        return days(first, first + timedelta(days=length - 1))

    return of


def _lunar(month: int, number: int, *, before: int = 0, length: int = 1) -> Festival:
    def of(year: int) -> Span:
        first = lunar(year, month, number) - timedelta(days=before)
        return days(first, first + timedelta(days=length - 1))

    return of


def _nth(month: int, weekday: int, number: int, *, after: int = 0) -> Festival:
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


def _last_lunar_day(year: int) -> Span:
    # The eve belongs to the year that ends with it: the one before the new year's.
    return day(lunar(year, 1, 1) - timedelta(days=1))


def _easter(year: int) -> Span:
    return day(easter(year))


def _term(name: str) -> Festival:
    return lambda year: day(solar_term(name, year))


_SPRING = _lunar(1, 1)
_AUTUMN = _lunar(8, 15)
_DRAGON_BOAT = _lunar(5, 5)
_MOTHERS, _FATHERS = _nth(5, 6, 2), _nth(6, 6, 3)
_THANKSGIVING = _nth(11, 3, 4)

CHINESE: Mapping[str, Festival] = {
    "元旦": _on(1, 1),
    "情人节": _on(2, 14),
    "妇女节": _on(3, 8),
    "植树节": _on(3, 12),
    "愚人节": _on(4, 1),
    "清明": _term("清明"),
    "劳动节": _on(5, 1),
    "青年节": _on(5, 4),
    "母亲节": _MOTHERS,
    "儿童节": _on(6, 1),
    "父亲节": _FATHERS,
    "建党节": _on(7, 1),
    "建军节": _on(8, 1),
    "教师节": _on(9, 10),
    "国庆": _on(10, 1),
    "万圣节": _on(10, 31),
    "双十一": _on(11, 11),
    "感恩节": _THANKSGIVING,
    "双十二": _on(12, 12),
    "冬至": _term("冬至"),
    "平安夜": _on(12, 24),
    "圣诞": _on(12, 25),
    "跨年": _on(12, 31),
    "小年": _lunar(12, 23),
    "除夕": _last_lunar_day,
    "年三十": _last_lunar_day,
    "春节": _SPRING,
    "过年": _lunar(1, 1, before=1, length=8),
    "元宵": _lunar(1, 15),
    "龙抬头": _lunar(2, 2),
    "端午": _DRAGON_BOAT,
    "七夕": _lunar(7, 7),
    "中元节": _lunar(7, 15),
    "中秋": _AUTUMN,
    "重阳": _lunar(9, 9),
    "腊八": _lunar(12, 8),
    "五一": _on(5, 1),
    "六一": _on(6, 1),
    "十一": _on(10, 1),
}
"""By the shortest name. Of the lunar year: 小年 and 腊八 may fall in the next civil one."""

LONG_HOLIDAYS: Mapping[str, Festival] = {
    "国庆": _on(10, 1, 7),
    "十一": _on(10, 1, 7),
    "劳动节": _on(5, 1, 5),
    "五一": _on(5, 1, 5),
    "元旦": _on(1, 1, 3),
    "春节": _lunar(1, 1, before=1, length=8),
}
"""The days off about some of them."""

NUMBERED = frozenset({"五一", "六一", "十一"})
"""Names that are a festival only where something else says so."""

ENGLISH: Mapping[str, Festival] = {
    "new year's eve": _on(12, 31),
    "new year's day": _on(1, 1),
    "chinese new year": _SPRING,
    "lunar new year": _SPRING,
    "spring festival": _SPRING,
    "lantern festival": _lunar(1, 15),
    "dragon boat festival": _DRAGON_BOAT,
    "mid-autumn festival": _AUTUMN,
    "new year": _on(1, 1),
    "valentine's day": _on(2, 14),
    "st patrick's day": _on(3, 17),
    "april fools' day": _on(4, 1),
    "good friday": lambda year: day(easter(year) - timedelta(days=2)),
    "easter": _easter,
    "mother's day": _MOTHERS,
    "memorial day": _nth(5, 0, -1),
    "father's day": _FATHERS,
    "independence day": _on(7, 4),
    "the fourth of july": _on(7, 4),
    "labor day": _nth(9, 0, 1),
    "halloween": _on(10, 31),
    "thanksgiving": _THANKSGIVING,
    "black friday": _nth(11, 3, 4, after=1),
    "christmas eve": _on(12, 24),
    "christmas day": _on(12, 25),
    "christmas": _on(12, 25),
    "boxing day": _on(12, 26),
}
"""By the lower-case name with a plain apostrophe."""
