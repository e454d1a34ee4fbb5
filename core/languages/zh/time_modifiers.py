"""Chinese words beside an expression of time that change it. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import (
    Leaning,
    Reference,
    Span,
    Unit,
    about,
    after_it,
    before_it,
    day,
    day_of,
    days,
    hours,
    shifted,
    since,
    weekend,
)
from ...text.time.rule import Joining, after, before
from ..han_numerals import NUMBER, chinese_number
from .days import FEW, UNITS

AROUND = 20
"""Characters in which 从 is looked for."""

_FROM = re.compile(r"[从自打][^，。！？,!?从自打]{0,14}\Z")
_UNIT = (
    r"(?P<unit>[天日](?!气)|周(?!末)|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|月|年)"
)
_WHICH = r"(?:(?P<few>几)|(?P<count>[一两]|" + NUMBER + "))?"


@after(r"的?[之以]?(?P<side>[前后])的?(?:那|这|一)?个?(?P<what>周末|晚上?|夜)|前(?P<eve>夕|夜)")
def next_to_it(m: re.Match[str], of: Span, here: Reference) -> Span:
    """国庆前的周末, 考试前一晚, 圣诞前夕."""
    ago = m["side"] != "后"
    near = of.first.date() - timedelta(days=1) if ago else of.last.date() + timedelta(days=1)
    if m["eve"]:
        return day(near)
    if m["what"] == "周末":
        found = weekend(near)
        return weekend(near, -1) if ago and found.last >= of.first else found
    return hours(near, 18, 24)


@after(rf"的?[之以]?(?P<side>[前后])的?(?P<nth>第)?{_WHICH}个?{_UNIT}(?![前后])")
def stretch_beside(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """8月23号前一周, 春节前两天, 国庆后第二天."""
    if m["count"] is None and m["few"] is None:
        return None
    unit, ago = UNITS[m["unit"]], m["side"] == "前"
    count = FEW[1] if m["few"] else chinese_number(m["count"])
    whole = before_it(of, count, unit) if ago else after_it(of, count, unit)
    if not m["nth"] or unit is not Unit.DAY:
        return whole
    return day_of(whole, -count if ago else count)


@after(rf"的?(?:(?P<few>几)|(?P<count>{NUMBER}))个?{_UNIT}[之以]?(?P<side>前|后)(?![面台端])")
def counted_from(m: re.Match[str], of: Span, here: Reference) -> Span:
    """中秋三天前, 8月23号两周后."""
    unit, ago = UNITS[m["unit"]], m["side"] == "前"
    counts = FEW if m["few"] else (chinese_number(m["count"]),) * 2
    base = of.first if ago else of.last
    ends = sorted(shifted(base, -count if ago else count, unit).date() for count in counts)
    return days(ends[0], ends[1])


@after(r"的?第(?P<nth>[一二三四五六七八九十\d]{1,2})天")
def day_within(m: re.Match[str], of: Span, here: Reference) -> Span:
    """国庆第二天."""
    return day_of(of, chinese_number(m["nth"]))


@after(r"的?前后(?:几天)?")
def round_it(m: re.Match[str], of: Span, here: Reference) -> Span:
    """国庆前后: a few days on either side."""
    return about(of, 3)


@after(
    r"(?:以来|至今|到现在|到目前|(?:开始|起)?(?:直|一直)到?(?:现在|今天|目前)|(?:开始|起)?至今)",
    Leaning.PAST,
)
def until_now(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """三月以来, 去年至今."""
    return since(of, here.now)


@before(r"自从?|打从", Leaning.PAST)
def since_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """自从三月: until now."""
    return since(of, here.now)


@after(r"(?:开始|起)(?![床飞点来])")
def from_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """从三月开始, 三月起: until now."""
    said_from = m.string[: m.start()]
    opened = _FROM.search(said_from[-AROUND:]) is not None
    return since(of, here.now) if opened or m.group() == "起" else None


BEFORE = (since_it,)
AFTER = (next_to_it, stretch_beside, counted_from, day_within, round_it, until_now, from_it)
JOINING = (Joining("到|至|直到"), Joining("和|与|跟|同|到", after="的?之间"))
