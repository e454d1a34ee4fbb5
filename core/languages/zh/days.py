"""Days near by, and what is counted from now, in Chinese. Pure."""

import re
from datetime import timedelta

from ...text.time import calendar as civil
from ...text.time.calendar import FEW, Leaning, Reference, Span, Unit
from ...text.time.rule import after, before, joining, just_now, rule, until_now
from ..han_numerals import ABOUT, NUMBER, about_number, chinese_number
from .clock import TIME, at_time
from .dates import UNITS

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_LATELY = {"天": (2, 10), "日子": (3, 30), "阵": (3, 60), "段时间": (3, 60), "段日子": (3, 60)}
"""How many days ago 前些天, 前阵子 and the like may be."""

_COUNTED = r"[\d一二两三四五六七八九十百千万几个][天年月周日]"
UNIT = rf"(?P<unit>{'|'.join(UNITS)})"
_BEFORE = r"之前|以前|前(?![端台面])"
_AFTER = r"之后|以后|过后|后(?![悔台端面])"
_PAST_WINDOW = "过去|最近|近|这"
_COMING_WINDOW = "未来|接下来|今后|往后"


def _near_by(m: re.Match[str], here: Reference) -> Span:
    """大前天, 昨天, 今晚, 明早八点, 昨儿, 前晚."""
    return at_time(civil.day(here.today + timedelta(days=_DAYS[m["day"]])), m)


day_near_by = rule(
    rf"(?P<day>(?<![以之目此然])(?<!{_COUNTED})大?[前后](?=[天日儿](?!女|子|媳|歌))|(?<![发说证声聪透文])[昨今明](?=[天日早晚夜晨儿]))"
    rf"(?:[天日]|儿个?)?+(?!头条|方舟|香|黄花|性|努力|形成|养成|培养|之星){TIME}",
    "天 日 今 昨 明 儿",
)(_near_by)
evening_near_by = rule(r"(?P<day>大?前)(?P<part>晚)(?!辈|年)", "前晚")(_near_by)
a_moment_ago = rule(
    r"刚才|方才|适才|刚刚(?=[说聊讲提问发在那，,我你他她]|$)|(?:几|两|一)(?:秒钟?|会儿)之?前",
    "刚 才 前",
)(just_now)


@rule(
    rf"(?<![第\d])(?:(?P<few>好?几)|(?P<about>{ABOUT})|(?P<half>[大小]?半)|(?P<count>{NUMBER}))(?P<odd>多)?个?"
    rf"(?P<and>半)?(?P<over>多)?{UNIT}(?P<more>半|多)?(?:(?P<before>{_BEFORE})|{_AFTER})(?:{TIME})",
    "前 后",
)
def counted(m: re.Match[str], here: Reference) -> Span | None:
    """三天前, 半年前, 一个半月后, 两年半以前, 一年多前, 几周前, 三天前晚上."""
    way, unit = -1 if m["before"] else 1, UNITS[m["unit"]]
    if m["few"] and unit is Unit.YEAR:
        return None
    exact = not (m["few"] or m["about"])
    if exact and (m["odd"] or m["over"] or m["more"] == "多"):
        return _more(here, m["count"], unit, way)
    half = exact and (m["half"] or m["and"] or m["more"])
    counts = [way * count for count in _counts(m)]
    found = civil.away(here.now, counts, unit, way if half else 0)
    return at_time(found, m) if unit is Unit.DAY else found


def _counts(m: re.Match[str]) -> tuple[int, ...]:
    """The least and the most of a count, a few if it names none; 0 of a half alone."""
    found = m.groupdict()
    if found.get("about"):
        return about_number(found["about"])
    if found.get("count"):
        return (chinese_number(found["count"]),)
    return (0,) if found.get("half") else FEW


@rule(
    rf"(?:(?:再|等|[要就]|(?<![\u4e00-\u9fff])|(?<=[我你他她们那]))过)(?:(?P<few>几)|(?P<count>[一两]|{NUMBER}))个?{UNIT}(?!前)",
    "过",
)
def ahead(m: re.Match[str], here: Reference) -> Span | None:
    """过两天, 再过三周: to come; 过了两天 is not."""
    unit = UNITS[m["unit"]]
    if unit is Unit.YEAR and (m["few"] or m["count"] == "一"):
        return None
    return civil.away(here.now, _counts(m), unit)


def _window(m: re.Match[str], here: Reference) -> Span | None:
    """过去三天, 最近一周, 近半年, 接下来两个月, 三个月以来; today is part of it."""
    unit, way = UNITS[m["unit"]], 1 if m.groupdict().get("coming") else -1
    if not (m["count"] or m["half"] or m["about"]) and unit is Unit.YEAR:
        return None
    return civil.within(here.now, way * _counts(m)[-1], unit, way if m["half"] or m["and"] else 0)


window = rule(
    rf"(?:(?P<coming>{_COMING_WINDOW})|{_PAST_WINDOW})的?(?:(?P<about>{ABOUT})|几|(?P<half>[大小]?半)|(?P<count>{NUMBER}))"
    rf"(?:多)?个?(?P<and>半)?{UNIT}(?:多|半)?(?:以?来|里|内|间)?",
    (*_PAST_WINDOW.split("|"), *_COMING_WINDOW.split("|")),
)(_window)
window_until_now = rule(
    rf"(?<![\d第每哪那某当同])(?:(?P<about>{ABOUT})|(?P<half>半)|(?P<count>{NUMBER}))(?:个|(?!月))(?P<and>半)?"
    rf"{UNIT}多?(?:以来|来(?!的|[了到过去临说看往源信]))",
    "来",
)(_window)


@rule(
    r"前(?:(?P<few>几)|(?P<count>两|[2-9](?!\d)|[二三四五六七八九]))(?P<unit>天|周|个?星期|个?礼拜|个?月)(?!前|后)"
    r"|(?<![之以目])前(?P<lately>些(?=[天日])|一?(?=阵|段[时日]))(?P<what>天|日子|阵|段时间|段日子)",
    "前",
)
def days_just_gone(m: re.Match[str], here: Reference) -> Span | None:
    """前几天, 前两天, 前阵子: before today."""
    if m["what"]:
        return civil.away(here.now, [-count for count in _LATELY[m["what"]]], Unit.DAY)
    unit = UNITS[m["unit"].removeprefix("个")]
    if m["few"]:
        return civil.away(here.now, [-count for count in FEW], unit)
    first = civil.day(civil.shifted(here.now, -chinese_number(m["count"]), unit).date())
    return first.until(civil.day(here.today - timedelta(days=1)))


def _more(here: Reference, number: str | None, unit: Unit, way: int) -> Span:
    """一年多前, 十多天前, 半个多月前: from that to one, or ten, more; from a half to a whole."""
    if number is None:
        half = civil.away(here.now, (0,), unit, way)
        return civil.covering(half, civil.away(here.now, (way,), unit))
    count = chinese_number(number)
    return civil.away(here.now, (way * count, way * (count + (1 if count % 10 else 10))), unit)


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
    way = 1 if m["side"] == "后" else -1
    if m["eve"] or m["what"] == "周末":
        return civil.beside(of, way, 1, Unit.DAY if m["eve"] else Unit.WEEKEND)
    return civil.hours(civil.day_beside(of, way), 18, 24)


@after(rf"的?[之以]?(?P<side>[前后])的?(?P<nth>第)?{_WHICH}个?{_UNIT}(?![前后])")
def stretch_beside(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """8月23号前一周, 春节前两天, 国庆后第二天."""
    if m["count"] is None and m["few"] is None:
        return None
    unit, way = UNITS[m["unit"]], -1 if m["side"] == "前" else 1
    count = _counts(m)[-1]
    whole = civil.beside(of, way, count, unit)
    return civil.nth(whole, Unit.DAY, way * count) if m["nth"] and unit is Unit.DAY else whole


@after(rf"的?(?:(?P<few>几)|(?P<count>{NUMBER}))个?{_UNIT}[之以]?(?P<side>前|后)(?![面台端])")
def counted_beside(m: re.Match[str], of: Span, here: Reference) -> Span:
    """中秋三天前, 8月23号两周后."""
    way = -1 if m["side"] == "前" else 1
    return civil.counted_from(of, way, _counts(m), UNITS[m["unit"]])


@after(r"的?第(?P<nth>[一二三四五六七八九十\d]{1,2})天")
def day_within(m: re.Match[str], of: Span, here: Reference) -> Span:
    """国庆第二天."""
    return civil.nth(of, Unit.DAY, chinese_number(m["nth"]))


@after(r"的?前后(?:几天)?")
def round_it(m: re.Match[str], of: Span, here: Reference) -> Span:
    """国庆前后: a few days on either side."""
    return civil.about(of, 3)


@after(r"(?:开始|起)(?![床飞点来])")
def from_it(m: re.Match[str], of: Span, here: Reference) -> Span | None:
    """从三月开始, 三月起: until now."""
    opened = _FROM.search(m.string[max(0, m.start() - AROUND) : m.start()])
    return until_now(m, of, here) if opened or m.group() == "起" else None


BEFORE = (before(r"自从?|打从", Leaning.PAST)(until_now),)
AFTER = (
    next_to_it,
    stretch_beside,
    counted_beside,
    day_within,
    round_it,
    after(
        r"(?:以来|至今|到现在|到目前|(?:开始|起)?(?:直|一直)到?(?:现在|今天|目前)|(?:开始|起)?至今)",
        Leaning.PAST,
    )(until_now),
    from_it,
)
JOINING = (joining("到|至|直到"), joining("和|与|跟|同|到", after="的?之间"))
