"""Days, weeks, dates, and what is counted from now, in Japanese. Pure."""

import re
from datetime import timedelta
from functools import partial

from ...text.time import calendar as civil
from ...text.time.calendar import Reference, Span, Unit
from ...text.time.rule import by_word, rule
from ..han_numerals import NUMBER, chinese_number

_DAYS = by_word(
    (-2, "一昨日 おととい"),
    (-1, "昨日 きのう"),
    (0, "今日 きょう 今朝 今晩 今夜"),
    (1, "明日 あした"),
    (2, "明後日 あさって"),
)
_SHIFTS = {"先々": -2, "先": -1, "今": 0, "来": 1, "再来": 2}
_YEARS = {"一昨年": -2, "おととし": -2, "去年": -1, "昨年": -1, "今年": 0, "来年": 1, "再来年": 2}
_WEEKDAYS = {name: number for number, name in enumerate("月火水木金土日")}
_UNITS = by_word(
    (Unit.MINUTE, "分"),
    (Unit.HOUR, "時間"),
    (Unit.DAY, "日"),
    (Unit.WEEK, "週間"),
    (Unit.MONTH, "か月 ヶ月 ヵ月 カ月"),
    (Unit.YEAR, "年"),
)
_WHICH = "(?P<which>先々|再来|[先今来])"
_WEEKDAY = "(?P<weekday>[月火水木金土日])曜日?"
_YEAR = r"(?P<year>一昨年|おととし|再来年|[去昨今来]年|(?<!\d)\d{4}年)"
_MONTH = r"(?<![\d一二三四五六七八九十])(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月"
_DAY = rf"(?P<day>{NUMBER})日(?!間|本)"


def _alternatives(words: dict[str, int] | dict[str, Unit]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _year_of(found: str, here: Reference) -> int:
    if found in _YEARS:
        return here.today.year + _YEARS[found]
    return int(found.removesuffix("年"))


def _in_month(of: Span, m: re.Match[str]) -> Span:
    if not m["day"]:
        return of
    return civil.day(of.first.date().replace(day=chinese_number(m["day"])))


@rule(rf"(?P<day>{_alternatives(_DAYS)})")
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """昨日, あさって."""
    return civil.day(here.today + timedelta(days=_DAYS[m["day"]]))


@rule(rf"{_WHICH}週の?(?:週末|土日)", "週")
def weekend_near_by(m: re.Match[str], here: Reference) -> Span:
    """先週の週末."""
    return civil.weekend(here.today, _SHIFTS[m["which"]])


@rule(rf"{_WHICH}週(?:の?{_WEEKDAY})?", "週")
def week_near_by(m: re.Match[str], here: Reference) -> Span:
    """先週, 来週の金曜日."""
    shift = _SHIFTS[m["which"]]
    if not m["weekday"]:
        return civil.week(here.today, shift)
    return civil.weekday(here.today, _WEEKDAYS[m["weekday"]], shift)


@rule(r"(?<!毎)週末", "週末")
def any_weekend(m: re.Match[str], here: Reference) -> Span:
    """週末."""
    return here.which(partial(civil.weekend, here.today), 0)


@rule(rf"(?<!毎週)(?<!毎週の){_WEEKDAY}", "曜")
def any_weekday(m: re.Match[str], here: Reference) -> Span:
    """金曜日."""
    return here.which(partial(civil.weekday, here.today, _WEEKDAYS[m["weekday"]]), 0)


@rule(rf"{_WHICH}月(?:の?{_DAY})?(?!曜)", "月")
def month_near_by(m: re.Match[str], here: Reference) -> Span:
    """先月, 来月の三日."""
    return _in_month(civil.month_from(here.today, _SHIFTS[m["which"]]), m)


@rule(_YEAR, "年 おととし")
def whole_year(m: re.Match[str], here: Reference) -> Span:
    """去年, 2024年."""
    return civil.year(_year_of(m["year"], here))


@rule(rf"(?:{_YEAR}の?)?{_MONTH}(?:の?{_DAY})?(?!曜)", "月")
def month_or_day(m: re.Match[str], here: Reference) -> Span:
    """去年の三月, 2024年3月3日, 三月, 3月5日."""
    of_month = chinese_number(m["month"])
    number = _year_of(m["year"], here) if m["year"] else None
    return here.in_year(lambda number: _in_month(civil.month(number, of_month), m), number)


@rule(rf"(?P<count>{NUMBER})(?P<unit>{_alternatives(_UNITS)})(?:(?P<before>前)|後)(?!半)", "前 後")
def counted(m: re.Match[str], here: Reference) -> Span:
    """三日前, 2週間後."""
    count = chinese_number(m["count"]) * (-1 if m["before"] else 1)
    return civil.away(here.now, (count,), _UNITS[m["unit"]])
