"""Festivals and days of the lunar calendar in Chinese. Pure.

Lunar dates are computed for the years 1900 to 2099.
"""

import re
from collections.abc import Mapping
from functools import partial

from ...text.time.calendar import Reference, Span, Unit, beside, day, days
from ...text.time.festivals import Festival, lunar, lunar_from, nth_weekday, solar_term, yearly
from ...text.time.rule import rule
from ..han_numerals import chinese_number
from .clock import CLAUSES, TIME, at_time
from .dates import ANY_YEAR, DIGIT, SHIFTS, YEAR, named_year

_EVE = lunar_from(1, 1, before=1)
"""It belongs to the year that ends with it: the one before the new year's."""

FESTIVALS: Mapping[str, Festival] = {
    "元旦": yearly(1, 1),
    "情人节": yearly(2, 14),
    "妇女节": yearly(3, 8),
    "植树节": yearly(3, 12),
    "愚人节": yearly(4, 1),
    "清明": lambda year: day(solar_term("清明", year)),
    "劳动节": yearly(5, 1, 5),
    "青年节": yearly(5, 4),
    "母亲节": nth_weekday(5, 6, 2),
    "儿童节": yearly(6, 1),
    "父亲节": nth_weekday(6, 6, 3),
    "建党节": yearly(7, 1),
    "建军节": yearly(8, 1),
    "教师节": yearly(9, 10),
    "国庆": yearly(10, 1, 7),
    "万圣节": yearly(10, 31),
    "双十一": yearly(11, 11),
    "感恩节": nth_weekday(11, 3, 4),
    "双十二": yearly(12, 12),
    "冬至": lambda year: day(solar_term("冬至", year)),
    "平安夜": yearly(12, 24),
    "圣诞": yearly(12, 25),
    "跨年": yearly(12, 31),
    "小年": lunar_from(12, 23),
    "除夕": _EVE,
    "年三十": _EVE,
    "春节": lunar_from(1, 1, before=1, length=8),
    "过年": lunar_from(1, 1, before=1, length=8),
    "元宵": lunar_from(1, 15),
    "龙抬头": lunar_from(2, 2),
    "端午": lunar_from(5, 5),
    "七夕": lunar_from(7, 7),
    "中元节": lunar_from(7, 15),
    "中秋": lunar_from(8, 15),
    "重阳": lunar_from(9, 9),
    "腊八": lunar_from(12, 8),
    "五一": yearly(5, 1, 5),
    "六一": yearly(6, 1),
    "十一": yearly(10, 1, 7),
}
"""By the shortest name; those with a week off are that week, 春节 from its eve.

Of the lunar year: 小年 and 腊八 may fall in the next civil one."""

LONGER: Mapping[str, Festival] = {"元旦": yearly(1, 1, 3)}
"""The days off about others of them."""

FIRST_DAY: Mapping[str, Festival] = {"春节": lunar_from(1, 1), "过年": lunar_from(1, 1)}
"""The very day, where that is not the first of the days off."""

_NUMBERED = frozenset({"五一", "六一", "十一"})
"""Names that are a festival only where nothing else is counted."""

_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_LUNAR_DAY = rf"(?P<day>初[{DIGIT}十]|二?十[{DIGIT}]?|廿[{DIGIT}]?|三十)"
_LUNAR_MONTH = rf"(?P<month>[正冬腊]|十[一二]?|[{DIGIT}])月"
_NAMES = "|".join(sorted(FESTIVALS.keys() - _NUMBERED, key=len, reverse=True))
_COUNTED = rf"[{DIGIT}十百千万两几点第年月周期拜\d]"
_ALONE = rf"(?:(?<!{_COUNTED})|(?<=(?:19|20)\d\d))"
_AFTER_A_NUMBER = "(?=节|小?长假|假期|黄金周|放假|期间|那几天|前后|回[家老]|出[去行游门])"
_WHICH = "(?P<which>上一?个?|下一?个?|[这本]个?)"
_LONG = "(?P<long>小?长?假期?|黄金周|放假|期间|那几天|那[周会]儿?)"
_ONE_DAY = "(?P<one>(?:的?[那当这]一?[天日]|正日子?))"
_NO_FESTIVAL = (
    r"(?!快乐|愉快|轻|老人|树|礼|歌|帽|卡|贺|装|联欢|晚会|月饼|粽|汤圆|红包|音乐|广场|档|路|大阅兵)"
)
_NUMBERED_NAME = (
    rf"(?:{_ALONE}五一(?![路村班号楼{DIGIT}十百千万个年月天点]|广场|大道)"
    rf"|{_ALONE}六一(?![路村班号楼{DIGIT}十百千万个年月天点])|{_ALONE}十一{_AFTER_A_NUMBER})"
)
_FESTIVAL = (
    rf"(?P<festival>{_NAMES}|{_NUMBERED_NAME})(?:儿童|劳动)?(?:节(?!目))?+(?:{_LONG}|{_ONE_DAY})?"
)


def _festival(m: re.Match[str], number: int) -> Span:
    name = m["festival"]
    if m["one"]:
        return at_time(day(FIRST_DAY.get(name, FESTIVALS[name])(number).first.date()), m)
    lasting = LONGER if m["long"] else FESTIVALS
    return at_time(lasting.get(name, FESTIVALS[name])(number), m)


@rule(rf"{ANY_YEAR}的?(?:{_FESTIVAL}{TIME}|(?P<eleven>十一)(?![月点号]))", FESTIVALS)
def festival_of_year(m: re.Match[str], here: Reference) -> Span:
    """前年国庆, 今年中秋节, 2023春节."""
    of = FESTIVALS["十一"] if m["eleven"] else partial(_festival, m)
    return here.in_year(of, named_year(m, here))


@rule(rf"{_WHICH}的?{_FESTIVAL}{_NO_FESTIVAL}{TIME}", FESTIVALS)
def festival_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个春节, 这个国庆: over, or still to come."""
    return here.which(partial(_festival, m), here.today.year, SHIFTS[m["which"][0]] or None)


@rule(rf"{_FESTIVAL}{_NO_FESTIVAL}{TIME}", FESTIVALS)
def festival(m: re.Match[str], here: Reference) -> Span:
    """国庆, 五一假期, 除夕."""
    return CLAUSES.leaning(m, here).which(partial(_festival, m), here.today.year)


@rule(r"(?:(?<=[我你他她们想说在到等，。])|(?<![^\s]))年(?P<which>[前后])(?![代卡货辈])", "年")
def beside_new_year(m: re.Match[str], here: Reference) -> Span:
    """年前, 年后: the weeks before the lunar new year, and after its days off."""

    def of(number: int) -> Span:
        return beside(FESTIVALS["过年"](number), -1 if m["which"] == "前" else 1, 3, Unit.WEEK)

    return here.which(of, here.today.year)


def _lunar(m: re.Match[str], here: Reference) -> Span:
    """农历八月十五, 腊月二十三, 正月, 大年初二."""
    name = m.groupdict().get("month", "正")
    of_month = _LUNAR_MONTHS.get(name) or chinese_number(name)

    def of(number: int) -> Span:
        if m["day"]:
            return day(lunar(number, of_month, chinese_number(m["day"].removeprefix("初"))))
        return days(lunar(number, of_month, 1), lunar(number, of_month, 30))

    return here.in_year(of, named_year(m, here))


lunar_date = rule(rf"(?:{YEAR}的?)?(?:农历|阴历|旧历){_LUNAR_MONTH}{_LUNAR_DAY}?", "历")(_lunar)
named_lunar_month = rule(rf"(?:{YEAR}的?)?(?P<month>[正腊])月{_LUNAR_DAY}?", "正月 腊月")(_lunar)
day_of_new_year = rule(rf"(?:{YEAR}的?)?(?:大年|年)(?P<day>初[一二三四五六七八九])", "年初")(_lunar)
