"""Weeks, days, and what is counted from now, in Chinese. Pure."""

import re
from datetime import datetime, timedelta

from ...text.time.calendar import (
    Reference,
    Span,
    Unit,
    day,
    moment,
    shifted,
    week,
    weekday,
    weekend,
)
from ...text.time.numerals import NUMBER, chinese_number
from ...text.time.rule import rule
from .clock import TIME, at_time

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_UNITS = {
    "分钟": Unit.MINUTE,
    "小时": Unit.HOUR,
    "钟头": Unit.HOUR,
    "天": Unit.DAY,
    "日": Unit.DAY,
    "周": Unit.WEEK,
    "星期": Unit.WEEK,
    "礼拜": Unit.WEEK,
    "月": Unit.MONTH,
    "季度": Unit.QUARTER,
    "年": Unit.YEAR,
}
_HALF = {
    Unit.HOUR: (30, Unit.MINUTE),
    Unit.DAY: (12, Unit.HOUR),
    Unit.MONTH: (15, Unit.DAY),
    Unit.YEAR: (6, Unit.MONTH),
}
_ABOUT = "一两|一二|两三|二三|三四|三五|四五|五六|六七|七八|八九|十几|十来"
FEW = (2, 5)
"""How many a few may be."""

_TEENS = (11, 19)

_WHICH = r"(?P<which>上上|下下|[上下这本])一?个?"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = r"(?P<weekday>一(?![起定直样些点边共次个般切旦])|[二三四五六]|日(?!常)|天(?![气天线空]))"
_NOT_COUNTED = r"(?<![一二两三四五六七八九十几每半\d])(?<!每个)(?<![上下这本]个)"
_COUNTED = r"[\d一二两三四五六七八九十百千万几个][天年月周日]"
_UNIT = "(?P<unit>分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)"
_BEFORE = r"之前|以前|前(?![端台面])"
_AFTER = r"之后|以后|过后|后(?![悔台端面])"
_PAST_WINDOW = "过去|最近|近|这"
_COMING_WINDOW = "未来|接下来|今后|往后"


@rule(rf"{_WHICH}(?:{_WEEK}末|双休日)", "末", "双休")
def weekend_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周末."""
    return weekend(here.today, _SHIFTS[m["which"]])


@rule(rf"{_WHICH}{_WEEK}{_WEEKDAY}{TIME}", "周", "星期", "礼拜")
def weekday_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周五, 下星期天晚上."""
    return at_time(weekday(here.today, _WEEKDAYS[m["weekday"]], _SHIFTS[m["which"]]), m)


@rule(rf"{_WHICH}{_WEEK}(?![边围岁刊])", "周", "星期", "礼拜")
def week_near_by(m: re.Match[str], here: Reference) -> Span:
    """上周, 下个星期."""
    return week(here.today, _SHIFTS[m["which"]])


@rule(rf"{_NOT_COUNTED}{_WEEK}末(?!愉快|快乐)", "末")
def any_weekend(m: re.Match[str], here: Reference) -> Span:
    """周末."""
    return here.which(lambda shift: weekend(here.today, shift), 0)


@rule(rf"{_NOT_COUNTED}{_WEEK}{_WEEKDAY}{TIME}", "周", "星期", "礼拜")
def any_weekday(m: re.Match[str], here: Reference) -> Span:
    """周五, 礼拜一下午三点."""
    number = _WEEKDAYS[m["weekday"]]
    return at_time(here.which(lambda shift: weekday(here.today, number, shift), 0), m)


@rule(
    rf"(?P<day>(?<![以之目此然])(?<!{_COUNTED})大?[前后](?=[天日])|(?<![发说证声聪透文])[昨今明](?=[天日早晚夜晨]))"
    rf"[天日]?+(?!头条|方舟|香|黄花|性|努力|形成|养成|培养|之星){TIME}",
    "天",
    "日",
    "今",
    "昨",
    "明",
)
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """大前天, 昨天, 今晚, 明早八点."""
    return at_time(day(here.today + timedelta(days=_DAYS[m["day"]])), m)


@rule(
    rf"(?<![第\d])(?:(?P<few>好?几)|(?P<about>{_ABOUT})|(?P<half>半)|(?P<count>{NUMBER}))个?(?P<and>半)?{_UNIT}(?P<more>半)?"
    rf"(?:(?P<before>{_BEFORE})|{_AFTER})",
    "前",
    "后",
)
def counted(m: re.Match[str], here: Reference) -> Span | None:
    """三天前, 半年前, 一个半月后, 两年半以前, 几周前."""
    way, unit = -1 if m["before"] else 1, _UNITS[m["unit"]]
    if m["few"]:
        return _a_few(here, unit, way)
    if m["about"]:
        return _about(here, m["about"], unit, way)
    at = here.now
    if m["count"]:
        at = shifted(at, way * chinese_number(m["count"]), unit)
    smaller = unit
    if m["half"] or m["and"] or m["more"]:
        count, smaller = _HALF.get(unit, (0, unit))
        at = shifted(at, way * count, smaller)
    return moment(at, smaller)


@rule(
    rf"(?:(?P<coming>{_COMING_WINDOW})|{_PAST_WINDOW})的?(?:几|(?P<count>{NUMBER}))个?{_UNIT}",
    "过去",
    "最近",
    "近",
    "这",
    "未来",
    "接下来",
    "今后",
    "往后",
)
def window(m: re.Match[str], here: Reference) -> Span | None:
    """过去三天, 最近一周, 接下来两个月; today is part of it."""
    unit = _UNITS[m["unit"]]
    if m["count"] is None and unit is Unit.YEAR:
        return None
    count = chinese_number(m["count"]) if m["count"] else FEW[1]
    edge = shifted(here.now, count if m["coming"] else -count, unit)
    return _between(here.now, edge, unit)


@rule(
    r"前(?:(?P<few>几)|(?P<count>两|[2-9](?!\d)|[二三四五六七八九]))(?P<unit>天|周|个?星期|个?月)(?!前|后)",
    "前",
)
def days_just_gone(m: re.Match[str], here: Reference) -> Span | None:
    """前几天, 前两天: before today."""
    unit = _UNITS[m["unit"].removeprefix("个")]
    if m["few"]:
        return _a_few(here, unit, -1)
    first = day(shifted(here.now, -chinese_number(m["count"]), unit).date())
    return first.until(day(here.today - timedelta(days=1)))


def _a_few(here: Reference, unit: Unit, way: int) -> Span | None:
    """As few, or as many, as may be meant. A few years may be any."""
    if unit is Unit.YEAR:
        return None
    least, most = (shifted(here.now, way * few, unit) for few in FEW)
    return _between(least, most, unit)


def _about(here: Reference, number: str, unit: Unit, way: int) -> Span:
    """两三天前, 十几天前: from the least to the most."""
    least, most = _TEENS if number.startswith("十") else map(chinese_number, number)
    ends = [shifted(here.now, way * count, unit) for count in (least, most)]
    return _between(ends[0], ends[1], unit)


def _between(one: datetime, other: datetime, unit: Unit) -> Span:
    return moment(min(one, other), unit).until(moment(max(one, other), unit))


RULES = (
    weekend_near_by,
    weekday_near_by,
    week_near_by,
    any_weekend,
    any_weekday,
    day_near_by,
    counted,
    window,
    days_just_gone,
)
