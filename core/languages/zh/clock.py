"""Parts of a day and times of the clock in Chinese. Pure."""

import re
from datetime import datetime, time, timedelta

from ...text.time.calendar import Reference, Span, hours, minutes
from ...text.time.rule import rule
from ..han_numerals import chinese_number

_PARTS = {
    "凌晨": (0, 6),
    "清晨": (5, 8),
    "早晨": (5, 9),
    "早上": (5, 9),
    "晨": (5, 9),
    "早": (5, 9),
    "上午": (6, 12),
    "中午": (11, 14),
    "下午": (12, 18),
    "午后": (12, 18),
    "傍晚": (17, 20),
    "晚上": (18, 24),
    "夜里": (18, 24),
    "深夜": (22, 24),
    "半夜": (0, 5),
    "午夜": (23, 24),
    "正午": (12, 13),
    "清早": (5, 8),
    "晚": (18, 24),
    "夜": (18, 24),
}
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}
_NAMED = "凌晨|清晨|早晨|早上|上午|中午|下午|午后|傍晚|晚上|夜里|深夜|半夜|午夜|正午|清早"
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
    full, fraction = _of_24(chinese_number(hour), name), found.get("minute")
    past = (_QUARTERS.get(fraction) or chinese_number(fraction)) if fraction else 0
    if full > 23 or past > 59:
        return of
    at = datetime.combine(of.first.date(), time(full, past))
    return minutes(at, 1 if fraction else 60)


def _of_24(hour: int, name: str | None) -> int:
    start, _ = _PARTS.get(name or "", (0, 0))
    late = start >= 12 or (name == "中午" and hour < 3)
    return hour + 12 if late and hour < 12 else hour


@rule(rf"(?P<part>{_NAMED})的?{_HOUR}", "点", ":", "：")
def time_of_today(m: re.Match[str], here: Reference) -> Span:
    """下午三点: today's."""
    return at_time(hours(here.today, 0, 24), m)


RULES = (time_of_today,)
