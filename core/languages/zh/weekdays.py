"""Weeks, their days and weekends in Chinese. Pure."""

import re
from functools import partial

from ...text.time.calendar import Reference, Span, week, weekday, weekend
from ...text.time.rule import rule
from .clock import CLAUSES, TIME, at_time
from .dates import SHIFTS

WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
WEEK = r"(?:周|星期|礼拜)"
_WHICH = r"(?P<which>大上|上上|下下|[上下这本])一?个?"
_WEEKDAY = r"(?P<weekday>一(?![起定直样些点边共次个般切旦])|[二三四五六]|日(?!常)|天(?![气天线空]))"
_NOT_COUNTED = r"(?<![一二两三四五六七八九十几每半\d])(?<!每个)(?<![上下这本]个)"


@rule(rf"{_WHICH}(?:{WEEK}末|双休日)", "末 双休")
def weekend_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周末."""
    return weekend(here.today, SHIFTS[m["which"]])


@rule(rf"{_WHICH}{WEEK}的?(?:{WEEK})?{_WEEKDAY}{TIME}", "周 星期 礼拜")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周五, 下星期天晚上, 上周的周五."""
    return at_time(weekday(here.today, WEEKDAYS[m["weekday"]], SHIFTS[m["which"]]), m)


@rule(rf"{_WHICH}{WEEK}(?![边围岁刊])(?:的?(?P<place>[初中](?!旬)))?", "周 星期 礼拜")
def week_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周, 下个星期, 上周初."""
    found = week(here.today, SHIFTS[m["which"]])
    if m["place"] is None:
        return found
    first = 0 if m["place"] == "初" else 2
    monday = found.first.date()
    return weekday(monday, first).until(weekday(monday, first + 1))


@rule(rf"{_NOT_COUNTED}{WEEK}末(?!愉快|快乐)", "末")
def any_weekend(m: re.Match[str], here: Reference) -> Span | None:
    """周末; no habit of weekends."""
    if CLAUSES.is_habit(m):
        return None
    return CLAUSES.leaning(m, here).which(partial(weekend, here.today), 0)


@rule(rf"{_NOT_COUNTED}{WEEK}{_WEEKDAY}{TIME}", "周 星期 礼拜")
def any_weekday(m: re.Match[str], here: Reference) -> Span | None:
    """周五, 礼拜一下午三点; no habit of Fridays."""
    if CLAUSES.is_habit(m):
        return None
    of = partial(weekday, here.today, WEEKDAYS[m["weekday"]])
    return at_time(CLAUSES.leaning(m, here).which(of, 0), m)


@rule(rf"{_NOT_COUNTED}(?<![上下这本]){WEEK}一[到至~-]{WEEK}?(?P<last>[五六日天])", "周 星期 礼拜")
def working_week(m: re.Match[str], here: Reference) -> Span | None:
    """周一到周五 is what one does each week, unless it is told as over."""
    if CLAUSES.is_habit(m) or not CLAUSES.is_over(m):
        return None
    last = WEEKDAYS[m["last"]]

    def of(shift: int) -> Span:
        return weekday(here.today, 0, shift).until(weekday(here.today, last, shift))

    return here.which(of, 0)
