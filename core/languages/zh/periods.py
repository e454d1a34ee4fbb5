"""Parts of years and months, and the same time of another one, in Chinese. Pure."""

import re
from datetime import date, timedelta
from functools import partial

from ...text.time import calendar as civil
from ...text.time.calendar import Leaning, Reference, Span, Unit
from ...text.time.rule import rule
from ..han_numerals import NUMBER, chinese_number
from .clock import CLAUSES, TIME, at_time
from .dates import ANY_YEAR, MONTH, NO_PLACE, SHIFTS, UNITS, YEAR, named_year
from .weekdays import WEEK, WEEKDAYS

_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_BREAKS = {"寒": 1, "暑": 7}
_AROUND = {Unit.YEAR: 14, Unit.QUARTER: 7, Unit.MONTH: 3, Unit.WEEK: 0}
"""Days on either side of "this time last …"."""

_SEASON = (
    r"(?:(?P<early>[初早深晚暮仲])?(?P<season>[春夏秋冬])[天季日]?|(?P<break>[暑寒])假)"
    r"(?!节|游|装|令|至|分)"
)
_SAME = (
    r"(?P<same>这个?时候|这会儿?|此[时刻]|同期|同一?时[间候]|这时|现在|这(?:几天|段时间|阵子?)"
    r"|这个?月|[本当]月|这周|本周|这一天|这天|今[天日])"
)


def _place_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年年底, 2024年初, 23年底, 年底."""
    number, place = named_year(m, here) or here.today.year, m["place"]
    return civil.months(number, {"初": 1, "中": 6}.get(place, 11), 2)


place_of_year = rule(rf"{ANY_YEAR}的?年?(?P<place>[初中底末尾]){NO_PLACE}", "年")(_place_of_year)
place_of_this_year = rule(
    r"(?:(?<![\u4e00-\u9fff\w])年|(?<!\d)年(?=[底末尾]))(?P<place>[初中底末尾])(?!奖)", "年"
)(_place_of_year)


@rule(
    rf"(?:{ANY_YEAR}的?)?(?P<part>[上下前后]半年|(?<!每)第?[一二三四1-4]季度|(?<!\w)q[1-4](?!\w))",
    "半年 季度 q",
)
def part_of_year(m: re.Match[str], here: Reference) -> Span:
    """下半年, 去年第二季度; of this year if none is named."""
    number = named_year(m, here) or here.today.year
    name = m["part"]
    if name.endswith("半年"):
        return civil.half(number, 1 if name[0] in "上前" else 2)
    return civil.quarter(number, chinese_number(name.strip("第季度q")))


@rule(r"(?P<which>上上|下下|[上下这本])一?个?季度", "季度")
def quarter_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个季度."""
    return civil.stretch(here.today, Unit.QUARTER, SHIFTS[m["which"]])


def _season(m: re.Match[str], number: int) -> Span:
    if m["break"]:
        return civil.months(number, _BREAKS[m["break"]], 2)
    first, place = _SEASONS[m["season"]], m["early"]
    if not place:
        return civil.months(number, first, 3)
    return civil.month_from(date(number, first, 1), {"初": 0, "早": 0, "仲": 1}.get(place, 2))


@rule(rf"{ANY_YEAR}的?{_SEASON}", ("年", *_SEASONS, "假"))
def season_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年夏天, 明年寒假, 2023年深秋."""
    return here.in_year(partial(_season, m), named_year(m, here))


@rule(
    r"(?P<which>[上下这今去])一?个?(?P<early>)"
    r"(?:(?P<season>[春夏秋冬])(?:[天季日]|(?=[^\u4e00-\u9fff]|$))|(?P<break>[暑寒])假)",
    (*_SEASONS, "假"),
)
def season_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个夏天, 这个暑假, 今夏: over, or still to come."""
    if m["which"] in "今去":
        return _season(m, here.today.year - (m["which"] == "去"))
    ahead = Reference(here.now, Leaning.FUTURE)
    return ahead.which(partial(_season, m), here.today.year, SHIFTS[m["which"]] or None)


@rule(r"(?<![喜爱盼每过个])(?<!喜欢)(?<!讨厌)(?P<break>[暑寒])假(?![作工快前后]|一般)", "假")
def school_holidays(m: re.Match[str], here: Reference) -> Span | None:
    """暑假: the last, or the next."""
    if CLAUSES.is_habit(m):
        return None
    return CLAUSES.leaning(m, here).which(partial(_season, m), here.today.year)


@rule(
    rf"(?:{YEAR}|(?P<which>大上|上上|下下|[上下])一?个?(?P<unit>月|周|星期|礼拜|季度))的?{_SAME}{TIME}",
    "年 月 周 星期 礼拜 季度",
)
def same_time(m: re.Match[str], here: Reference) -> Span:
    """去年这个时候, 上个月今天, 去年这个月: then as now."""
    unit, number = UNITS[m["unit"] or "年"], named_year(m, here)
    count = number - here.today.year if number else SHIFTS[m["which"]]
    of = civil.shifted(here.now, count, unit).date()
    match m["same"][-1]:
        case "天" | "日" if not m["same"].startswith("这几"):
            return at_time(civil.day(of), m)
        case "月" | "周":
            return civil.stretch(of, UNITS[m["same"][-1]])
        case _:
            return civil.about(civil.day(of), _AROUND[unit])


@rule(
    r"(?P<day>大?前天|昨天|前日|昨日|明天|后天)的?(?:这个?时候|这会儿|此[时刻]|这时|同一?时[间候])",
    "天 日",
)
def same_hour(m: re.Match[str], here: Reference) -> Span:
    """昨天这个时候: an hour on either side."""
    shift = {"大": -3, "前": -2, "昨": -1, "明": 1, "后": 2}[m["day"][0]]
    at = here.now + timedelta(days=shift)
    return civil.hours(at.date(), max(0, at.hour - 1), min(24, at.hour + 2))


_PARTS = UNITS | {"周末": Unit.WEEKEND}
_MANY = rf"[一两几]|{NUMBER}"
_PART = (
    rf"(?P<what>周末|(?:{WEEK}|周)(?P<weekday>[一二三四五六日天])"
    r"|周|星期|礼拜|[天日](?![气线空])|月)"
)


@rule(
    rf"(?:{YEAR}的?)?(?:{MONTH}|(?P<which>大上|上上|下下|[上下这本当])个?月|(?<=年)|(?<=年的))的?"
    rf"(?:第(?P<nth>{NUMBER})|(?P<last>最后|末尾?)(?P<least>{_MANY})?|[头首](?P<most>{_MANY})?)"
    rf"个?{_PART}{TIME}",
    "月 年",
)
def part_by_number(m: re.Match[str], here: Reference) -> Span | None:
    """八月第一周, 8月的最后一个周末, 去年最后一天, 这个月头三天."""
    if not (m["year"] or m["month"] or m["which"]):
        return None
    whole = _whole(m, here)
    what = WEEKDAYS[m["weekday"]] if m["weekday"] else _PARTS[m["what"]]
    if m["nth"]:
        return at_time(civil.nth(whole, what, chinese_number(m["nth"])), m)
    many = m["least"] or m["most"] or "一"
    count = 3 if many == "几" else chinese_number(many)
    way = -1 if m["last"] else 1
    return at_time(civil.covering(*(civil.nth(whole, what, way * each) for each in (1, count))), m)


def _whole(m: re.Match[str], here: Reference) -> Span:
    if m["which"]:
        return civil.month_from(here.today, SHIFTS[m["which"]])
    of_month = chinese_number(m["month"] or "1")

    def of(number: int) -> Span:
        return civil.month(number, of_month) if m["month"] else civil.year(number)

    return here.in_year(of, named_year(m, here))
