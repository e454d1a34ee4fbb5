"""Parts of a day and times of the clock in Chinese. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import Reference, Span, at_clock, hours
from ...text.time.rule import Clauses, by_word, rule
from ..han_numerals import chinese_number

_PARTS = by_word(
    ((0, 5), "半夜"),
    ((0, 6), "凌晨"),
    ((5, 8), "清晨 清早"),
    ((5, 9), "早晨 早上 晨 早"),
    ((6, 12), "上午"),
    ((11, 14), "中午"),
    ((12, 13), "正午"),
    ((12, 18), "下午 午后"),
    ((17, 20), "傍晚"),
    ((18, 24), "晚上 夜里 晚 夜"),
    ((22, 24), "深夜"),
    ((23, 24), "午夜"),
)
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}
_NAMED = "|".join(name for name in _PARTS if len(name) > 1)
_HOUR = (
    r"(?P<hour>\d{1,2}|二?十[一二三]?|[零一二两三四五六七八九])"
    r"(?:点钟?(?!儿|建议|意见|事|东西|钱)|时(?=\d|整|半|许|左右|[。，,！？?]|$)|[:：](?=\d))"
    r"(?P<minute>半|一刻|三刻|\d{1,2}|[零〇]?[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)?分?"
)

TIME = rf"(?:的?大?(?P<part>{_NAMED}|[早晨夜]|晚(?!会上)))?(?:的?\s?{_HOUR})?"
"""What may follow a day; read it with `at_time`."""


def at_time(of: Span, m: re.Match[str]) -> Span:
    """The part of that day, or the hour or minute, which a match of `TIME` names.

    Stretches longer than a day, and times that no clock shows, are left as they are.
    """
    found = m.groupdict()
    name, hour = found.get("part"), found.get("hour")
    if (name is None and hour is None) or of.last - of.first > timedelta(days=1):
        return of
    if hour is None:
        return hours(of.first.date(), *_PARTS[name or ""])
    fraction = found.get("minute")
    minute = (_QUARTERS.get(fraction) or chinese_number(fraction)) if fraction else None
    return at_clock(of, _of_24(chinese_number(hour), name), minute)


def _of_24(hour: int, name: str | None) -> int:
    start, _ = _PARTS.get(name or "", (0, 0))
    late = start >= 12 or (name == "中午" and hour < 3)
    return hour + 12 if late and hour < 12 else hour


@rule(rf"(?P<part>{_NAMED})的?{_HOUR}", "点 : ：")
def time_of_today(m: re.Match[str], here: Reference) -> Span:
    """下午三点: today's."""
    return at_time(hours(here.today, 0, 24), m)


CLAUSES = Clauses(
    ends=re.compile(r"[，。！？；,!?;\n]"),
    over=re.compile(r"[了过](?!年)|没|那[次时会]|当时|记得|上次"),
    habit=re.compile(
        r"每|一般|通常|经常|常常|时常|偶尔|往往|平时|平常|习惯|从不|从来|总[是爱会在]|老[是爱在]|基本上?[都不]"
        r"|都(?!.*[了过])"
    ),
    coming=re.compile(
        r"(?:天气|气温|温度|气候|适合|人[多少]|机票).{0,8}(?:怎|如何|吗|呢|哪|什么|多少|不|会|贵|[?？])"
        r"|[冷热潮晒]不[冷热潮晒]|[冷热]吗|[会要]下[雨雪]|穿什么|[放休]几天|怎么放假|天气预报"
    ),
    undone=re.compile(r"[我你他她它们大家也又是人的一]{0,4}不(?![想能去在要来会是用行得好太知敢])"),
)
