"""Days near by, and what is counted from now, in Chinese. Pure."""

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
    between,
    day,
    day_of,
    days,
    hours,
    moment,
    shifted,
    since,
    weekend,
)
from ...text.time.rule import Joining, after, before, by_word, rule
from ..han_numerals import ABOUT, NUMBER, about_number, chinese_number
from .clock import TIME, at_time

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
UNITS = by_word(
    (Unit.MINUTE, "分钟"),
    (Unit.HOUR, "小时 钟头"),
    (Unit.DAY, "天 日"),
    (Unit.WEEK, "周 星期 礼拜"),
    (Unit.MONTH, "月"),
    (Unit.QUARTER, "季度"),
    (Unit.YEAR, "年"),
)
_HALF = {
    Unit.HOUR: (30, Unit.MINUTE),
    Unit.DAY: (12, Unit.HOUR),
    Unit.MONTH: (15, Unit.DAY),
    Unit.YEAR: (6, Unit.MONTH),
}
FEW = (2, 5)
"""How many a few may be."""

_LATELY = {"天": (2, 10), "日子": (3, 30), "阵": (3, 60), "段时间": (3, 60), "段日子": (3, 60)}
"""How many days ago 前些天, 前阵子 and the like may be."""

_COUNTED = r"[\d一二两三四五六七八九十百千万几个][天年月周日]"
UNIT = f"(?P<unit>{'|'.join(UNITS)})"
_BEFORE = r"之前|以前|前(?![端台面])"
_AFTER = r"之后|以后|过后|后(?![悔台端面])"
_PAST_WINDOW = "过去|最近|近|这"
_COMING_WINDOW = "未来|接下来|今后|往后"


@rule(
    rf"(?P<day>(?<![以之目此然])(?<!{_COUNTED})大?[前后](?=[天日儿](?!女|子|媳|歌))|(?<![发说证声聪透文])[昨今明](?=[天日早晚夜晨儿]))"
    rf"(?:[天日]|儿个?)?+(?!头条|方舟|香|黄花|性|努力|形成|养成|培养|之星){TIME}",
    "天",
    "日",
    "今",
    "昨",
    "明",
    "儿",
)
def day_near_by(m: re.Match[str], here: Reference) -> Span:
    """大前天, 昨天, 今晚, 明早八点, 昨儿."""
    return at_time(day(here.today + timedelta(days=_DAYS[m["day"]])), m)


@rule(r"(?P<day>大?前)(?P<part>晚)(?!辈|年)", "前晚")
def evening_near_by(m: re.Match[str], here: Reference) -> Span:
    """前晚: of the day before yesterday."""
    return at_time(day(here.today + timedelta(days=_DAYS[m["day"]])), m)


@rule(
    r"刚才|方才|适才|刚刚(?=[说聊讲提问发在那，,我你他她]|$)|(?:几|两|一)(?:秒钟?|会儿)之?前",
    "刚",
    "才",
    "前",
)
def just_now(m: re.Match[str], here: Reference) -> Span:
    """刚才: within the hour."""
    return Span(here.now - timedelta(hours=1), here.now)


@rule(
    rf"(?<![第\d])(?:(?P<few>好?几)|(?P<about>{ABOUT})|(?P<half>[大小]?半)|(?P<count>{NUMBER}))(?P<odd>多)?个?"
    rf"(?P<and>半)?(?P<over>多)?{UNIT}(?P<more>半|多)?(?:(?P<before>{_BEFORE})|{_AFTER})(?:{TIME})",
    "前",
    "后",
)
def counted(m: re.Match[str], here: Reference) -> Span | None:
    """三天前, 半年前, 一个半月后, 两年半以前, 一年多前, 几周前, 三天前晚上."""
    way, unit = -1 if m["before"] else 1, UNITS[m["unit"]]
    if m["few"]:
        return a_few(here, unit, way)
    if m["about"]:
        return _about(here, m["about"], unit, way)
    if m["odd"] or m["over"] or m["more"] == "多":
        return _more(here, m["count"], unit, way)
    at = here.now
    if m["count"]:
        at = shifted(at, way * chinese_number(m["count"]), unit)
    smaller = unit
    if m["half"] or m["and"] or m["more"]:
        count, smaller = _HALF.get(unit, (0, unit))
        at = shifted(at, way * count, smaller)
    return at_time(moment(at, smaller), m) if unit is Unit.DAY else moment(at, smaller)


@rule(
    rf"(?:(?:再|等|[要就]|(?<![\u4e00-\u9fff])|(?<=[我你他她们那]))过)(?:(?P<few>几)|(?P<count>[一两]|{NUMBER}))个?{UNIT}(?!前)",
    "过",
)
def ahead(m: re.Match[str], here: Reference) -> Span | None:
    """过两天, 再过三周: to come; 过了两天 is not."""
    unit = UNITS[m["unit"]]
    if m["few"]:
        return a_few(here, unit, 1)
    if unit is Unit.YEAR and m["count"] == "一":
        return None
    return moment(shifted(here.now, chinese_number(m["count"]), unit), unit)


@rule(
    rf"(?:(?P<coming>{_COMING_WINDOW})|{_PAST_WINDOW})的?(?:(?P<about>{ABOUT})|几|(?P<half>[大小]?半)|(?P<count>{NUMBER}))"
    rf"(?:多)?个?(?P<and>半)?{UNIT}(?:多|半)?(?:以?来|里|内|间)?",
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
    """过去三天, 最近一周, 近半年, 接下来两个月; today is part of it."""
    unit = UNITS[m["unit"]]
    if not (m["count"] or m["half"] or m["about"]) and unit is Unit.YEAR:
        return None
    return _window(m, here, unit, 1 if m["coming"] else -1)


@rule(
    rf"(?<![\d第每哪那某当同])(?:(?P<about>{ABOUT})|(?P<half>半)|(?P<count>{NUMBER}))(?:个|(?!月))(?P<and>半)?"
    rf"{UNIT}多?(?:以来|来(?!的|[了到过去临说看往源信]))",
    "来",
)
def window_until_now(m: re.Match[str], here: Reference) -> Span | None:
    """半年来, 三个月以来."""
    return _window(m, here, UNITS[m["unit"]], -1)


def _window(m: re.Match[str], here: Reference, unit: Unit, way: int) -> Span:
    count = FEW[1] if m["about"] is None and m["count"] is None else 0
    if m["about"]:
        count = about_number(m["about"])[1]
    elif m["count"]:
        count = chinese_number(m["count"])
    edge = here.now if m["half"] else shifted(here.now, way * count, unit)
    if m["half"] or m["and"]:
        size, unit = _HALF.get(unit, (1, unit))
        edge = shifted(edge, way * size, unit)
    return between(here.now, edge, unit)


@rule(
    r"前(?:(?P<few>几)|(?P<count>两|[2-9](?!\d)|[二三四五六七八九]))(?P<unit>天|周|个?星期|个?礼拜|个?月)(?!前|后)"
    r"|(?<![之以目])前(?P<lately>些(?=[天日])|一?(?=阵|段[时日]))(?P<what>天|日子|阵|段时间|段日子)",
    "前",
)
def days_just_gone(m: re.Match[str], here: Reference) -> Span | None:
    """前几天, 前两天, 前阵子: before today."""
    if m["what"]:
        least, most = _LATELY[m["what"]]
        return between(
            shifted(here.now, -most, Unit.DAY), shifted(here.now, -least, Unit.DAY), Unit.DAY
        )
    unit = UNITS[m["unit"].removeprefix("个")]
    if m["few"]:
        return a_few(here, unit, -1)
    first = day(shifted(here.now, -chinese_number(m["count"]), unit).date())
    return first.until(day(here.today - timedelta(days=1)))


def a_few(here: Reference, unit: Unit, way: int) -> Span | None:
    """As few, or as many, as may be meant. A few years may be any."""
    if unit is Unit.YEAR:
        return None
    least, most = (shifted(here.now, way * few, unit) for few in FEW)
    return between(least, most, unit)


def _about(here: Reference, number: str, unit: Unit, way: int) -> Span:
    """两三天前, 十几天前: from the least to the most."""
    ends = [shifted(here.now, way * count, unit) for count in about_number(number)]
    return between(ends[0], ends[1], unit)


def _more(here: Reference, number: str | None, unit: Unit, way: int) -> Span:
    """一年多前, 十多天前, 半个多月前: from that to one, or ten, more; from a half to a whole."""
    if number is None:
        size, smaller = _HALF.get(unit, (1, unit))
        ends = [shifted(here.now, way * size, smaller), shifted(here.now, way, unit)]
        return between(ends[0], ends[1], unit)
    count = chinese_number(number)
    more = 1 if count % 10 else 10
    ends = [shifted(here.now, way * each, unit) for each in (count, count + more)]
    return between(ends[0], ends[1], unit)


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
