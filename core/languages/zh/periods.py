"""Parts of years and months, and the same time of another one, in Chinese. Pure."""

import re
from datetime import timedelta

from ...text.time.calendar import (
    Reference,
    Span,
    Unit,
    about,
    day,
    day_of,
    half,
    hours,
    month,
    month_from,
    months,
    quarter,
    shifted,
    week,
    week_of,
    weekday_of,
    weekend,
    year,
)
from ...text.time.rule import rule
from ..han_numerals import NUMBER, chinese_number
from .clock import TIME, at_time, is_habit, leaning_of
from .dates import ANY_YEAR, MONTH, SHIFTS, YEAR, named_year, year_of
from .weekdays import WEEK, WEEKDAYS

_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_BREAKS = {"寒": 1, "暑": 7}
_AROUND = {Unit.YEAR: 14, Unit.QUARTER: 7, Unit.MONTH: 3, Unit.WEEK: 0}
"""Days on either side of "this time last …"."""

_NO_PLACE = "(?![学国文级期间心午秋元])"
_SEASON = (
    r"(?:(?P<early>[初早深晚暮仲])?(?P<season>[春夏秋冬])[天季日]?|(?P<break>[暑寒])假)"
    r"(?!节|游|装|令|至|分)"
)
_SAME = (
    r"(?P<same>这个?时候|这会儿?|此[时刻]|同期|同一?时[间候]|这时|现在|这(?:几天|段时间|阵子?)"
    r"|这个?月|[本当]月|这周|本周|这一天|这天|今[天日])"
)


def _place_of_year(number: int, place: str) -> Span:
    return months(number, {"初": 1, "中": 6}.get(place, 11), 2)


@rule(rf"(?:{ANY_YEAR}的?年?|(?P<near>[去今明]年)年?)(?P<place>[初中底末尾]){_NO_PLACE}", "年")
def place_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年年底, 2024年初, 23年底."""
    number = year_of(m["near"], here) if m["near"] else named_year(m, here)
    return _place_of_year(number, m["place"])


@rule(
    r"(?<![\u4e00-\u9fff\w])年(?P<place>[初中底末尾])(?!奖)|(?<!\d)年(?P<end>[底末尾])(?!奖)", "年"
)
def place_of_this_year(m: re.Match[str], here: Reference) -> Span:
    """年底."""
    return _place_of_year(here.today.year, m["place"] or m["end"])


@rule(
    rf"(?:{ANY_YEAR}的?)?(?P<part>[上下前后]半年|(?<!每)第?[一二三四1-4]季度|(?<!\w)q[1-4](?!\w))",
    "半年",
    "季度",
    "q",
)
def part_of_year(m: re.Match[str], here: Reference) -> Span:
    """下半年, 去年第二季度; of this year if none is named."""
    named = m["year"] or m["short"] or m["bare"]
    number = named_year(m, here) if named else here.today.year
    name = m["part"]
    if name.endswith("半年"):
        return half(number, 1 if name[0] in "上前" else 2)
    return quarter(number, chinese_number(name.strip("第季度q")))


@rule(r"(?P<which>上上|下下|[上下这本])一?个?季度", "季度")
def quarter_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个季度."""
    within = month_from(here.today, 3 * SHIFTS[m["which"]]).first
    return quarter(within.year, (within.month + 2) // 3)


def _season(m: re.Match[str], number: int) -> Span:
    if m["break"]:
        return months(number, _BREAKS[m["break"]], 2)
    first = _SEASONS[m["season"]]
    match m["early"] or "":
        case "初" | "早":
            return month_from(month(number, first).first.date(), 0)
        case "仲":
            return month_from(month(number, first).first.date(), 1)
        case "":
            return months(number, first, 3)
        case _:
            return month_from(month(number, first).first.date(), 2)


@rule(rf"{ANY_YEAR}的?{_SEASON}", "年", *_SEASONS, "假")
def season_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年夏天, 明年寒假, 2023年深秋."""
    return _season(m, named_year(m, here))


@rule(
    r"(?P<which>[上下这今去])一?个?(?P<early>)"
    r"(?:(?P<season>[春夏秋冬])(?:[天季日]|(?=[^\u4e00-\u9fff]|$))|(?P<break>[暑寒])假)",
    *_SEASONS,
    "假",
)
def season_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个夏天, 这个暑假, 今夏: over, or still to come."""
    if m["which"] in "今去":
        return _season(m, here.today.year - (m["which"] == "去"))
    every = [_season(m, here.today.year + shift) for shift in (-2, -1, 0, 1)]
    ahead = next(index for index, span in enumerate(every) if span.last >= here.now)
    under_way = every[ahead].first <= here.now
    match m["which"]:
        case "上":
            return every[ahead - 1]
        case "下":
            return every[ahead + under_way]
        case _:
            return every[ahead]


@rule(r"(?<![喜爱盼每过个])(?<!喜欢)(?<!讨厌)(?P<break>[暑寒])假(?![作工快前后]|一般)", "假")
def school_holidays(m: re.Match[str], here: Reference) -> Span | None:
    """暑假: the last, or the next."""
    if is_habit(m):
        return None

    def of(number: int) -> Span:
        return months(number, _BREAKS[m["break"]], 2)

    return leaning_of(m, here).which(of, here.today.year)


@rule(
    rf"(?:{YEAR}|(?P<which>大上|上上|下下|[上下])一?个?(?P<unit>月|周|星期|礼拜|季度))的?{_SAME}{TIME}",
    "年",
    "月",
    "周",
    "星期",
    "礼拜",
    "季度",
)
def same_time(m: re.Match[str], here: Reference) -> Span:
    """去年这个时候, 上个月今天, 去年这个月: then as now."""
    if m["year"]:
        unit, count = Unit.YEAR, year_of(m["year"], here) - here.today.year
    else:
        units = {"月": Unit.MONTH, "季度": Unit.QUARTER}
        unit, count = units.get(m["unit"], Unit.WEEK), SHIFTS[m["which"]]
    of = shifted(here.now, count, unit).date()
    match m["same"][-1]:
        case "天" | "日" if not m["same"].startswith("这几"):
            return at_time(day(of), m)
        case "月":
            return month_from(of, 0)
        case "周":
            return week(of)
        case _:
            return about(day(of), _AROUND[unit])


@rule(
    r"(?P<day>大?前天|昨天|前日|昨日|明天|后天)的?(?:这个?时候|这会儿|此[时刻]|这时|同一?时[间候])",
    "天",
    "日",
)
def same_hour(m: re.Match[str], here: Reference) -> Span:
    """昨天这个时候: an hour on either side."""
    shift = {"大": -3, "前": -2, "昨": -1, "明": 1, "后": 2}[m["day"][0]]
    at = here.now + timedelta(days=shift)
    return hours(at.date(), max(0, at.hour - 1), min(24, at.hour + 2))


_MANY = rf"[一两几]|{NUMBER}"
_PART = (
    rf"(?P<what>周末|(?:{WEEK}|周)(?P<weekday>[一二三四五六日天])"
    r"|周|星期|礼拜|[天日](?![气线空])|月)"
)


@rule(
    rf"(?:{YEAR}的?)?(?:{MONTH}|(?P<which>大上|上上|下下|[上下这本当])个?月|(?<=年)|(?<=年的))的?"
    rf"(?:第(?P<nth>{NUMBER})|(?P<last>最后|末尾?)(?P<least>{_MANY})?|[头首](?P<most>{_MANY})?)"
    rf"个?{_PART}{TIME}",
    "月",
    "年",
)
def part_by_number(m: re.Match[str], here: Reference) -> Span | None:
    """八月第一周, 8月的最后一个周末, 去年最后一天, 这个月头三天."""
    if not (m["year"] or m["month"] or m["which"]):
        return None
    whole = _whole(m, here)
    if m["nth"]:
        return at_time(_nth(whole, m, chinese_number(m["nth"])), m)
    many = m["least"] or m["most"] or "一"
    count = 3 if many == "几" else chinese_number(many)
    way = -1 if m["last"] else 1
    ends = [_nth(whole, m, way * number) for number in (1, count)]
    found = min(ends, key=lambda each: each.first).until(max(ends, key=lambda each: each.last))
    return at_time(found, m)


def _whole(m: re.Match[str], here: Reference) -> Span:
    if m["which"]:
        return month_from(here.today, SHIFTS[m["which"]])
    if m["month"] is None:
        return year(year_of(m["year"], here))
    of_month = chinese_number(m["month"])
    if m["year"]:
        return month(year_of(m["year"], here), of_month)
    return here.which(lambda number: month(number, of_month), here.today.year)


def _nth(whole: Span, m: re.Match[str], number: int) -> Span:
    if m["weekday"]:
        return day(weekday_of(whole, WEEKDAYS[m["weekday"]], number))
    match m["what"]:
        case "周末":
            return weekend(weekday_of(whole, 5, number))
        case "天" | "日":
            return day_of(whole, number)
        case "月":
            edge = whole.last if number < 0 else whole.first
            return month_from(edge.date(), number + 1 if number < 0 else number - 1)
        case _:
            return week_of(whole, number)
