"""Years, months and dates in Chinese. Pure."""

import re
from datetime import date

from ...text.time import calendar as civil
from ...text.time.calendar import Reference, Span, Unit
from ...text.time.rule import by_word, rule
from ..han_numerals import chinese_number
from .clock import CLAUSES, TIME, at_time

YEARS = by_word(
    (-3, "大前年"),
    (-2, "前年"),
    (-1, "去年 上一年"),
    (0, "今年 本年"),
    (1, "明年 来年 下一年"),
    (2, "后年"),
    (3, "大后年"),
)
UNITS = by_word(
    (Unit.MINUTE, "分钟"),
    (Unit.HOUR, "小时 钟头"),
    (Unit.DAY, "天 日"),
    (Unit.WEEK, "周 星期 礼拜"),
    (Unit.MONTH, "月"),
    (Unit.QUARTER, "季度"),
    (Unit.YEAR, "年"),
)
SHIFTS = by_word((-2, "大上 上上"), (-1, "上"), (0, "这 本 当"), (1, "下"), (2, "下下"))

DIGIT = "一二三四五六七八九"
YEAR = (
    rf"(?P<year>(?<![以之目此年月周天今然])大?[前后]年|[去今本明来]年|[上下]一年|"
    rf"(?<!\d)\d{{4}}年|(?<![零〇{DIGIT}])[一二][零〇{DIGIT}]{{3}}年)(?![级代版薪纪鉴龄轻货度])"
)
ANY_YEAR = rf"(?:{YEAR}|(?<!\d)(?P<short>\d\d)年|(?<!\d)(?P<bare>(?:19|20)\d\d))"
"""A year before what is in it, which may be 23年 or 2023 there; read it with `named_year`."""

MONTH = rf"(?<![\d零〇{DIGIT}十第每])(?P<month>\d{{1,2}}|[{DIGIT}]|十[一二]?)月(?:份)?"


def year_of(found: str, here: Reference) -> int:
    """去年, 2024年, 二〇二四年."""
    if found in YEARS:
        return here.today.year + YEARS[found]
    return chinese_number(found.removesuffix("年"))


def named_year(m: re.Match[str], here: Reference) -> int | None:
    """The year of a match with `ANY_YEAR` or `YEAR` in it; None if it names none."""
    found = m.groupdict()
    if said := found.get("year") or found.get("bare"):
        return year_of(said, here)
    return civil.full_year(int(found["short"]), here.today) if found.get("short") else None


_NUMBER_OF_DAY = rf"\d{{1,2}}|三十一?|二?十[{DIGIT}]?|廿[{DIGIT}]?|[{DIGIT}]"
_TILL = rf"(?:[到至~-](?P<till>{_NUMBER_OF_DAY})[日号])?"
_NO_COUNT = (
    r"(?![\d个次天周点:：.．%元块万千百斤公人位岁分小名家只件种"
    r"条场份月年楼班台本辆间层支双把张篇部~/-])"
)
_DAY = (
    rf"(?P<day>{_NUMBER_OF_DAY})(?:[日号]|(?=[到至~-](?:{_NUMBER_OF_DAY})[日号])|(?<=\d){_NO_COUNT})"
    rf"{_TILL}"
)
NO_PLACE = "(?![学国文级期间心午秋元])"
_PLACE = rf"(?P<place>[上中下]旬|[上下前后]半个?月|[初中底末尾]{NO_PLACE})"
_NO_MONTH = r"(?![球亮台饼光经色嫂票]|天(?!气))"
_MOMENT = (
    r"[上下中]午|[早晚]上|凌晨|[那当这]天|[之以]?前(?!面|台)|截止|到期|就?要|去|回|放"
    r"|出发|开始|[面笔]?考?试"
)
_BARE_DAY = rf"(?P<day>[12]?\d|3[01]|三十一?|二?十[{DIGIT}]?|[{DIGIT}])[号日]"
_JOINS = "(?:到|至|~|-|—|–)"


def place_of_month(of: Span, place: str) -> Span:
    """The beginning, middle, end or half."""
    length = (of.last - of.first).days + 1
    match place[0], place[-1]:
        case ("上" | "前", "月"):
            return civil.part(of, 0, length // 2 - 1)
        case (_, "月"):
            return civil.part(of, length // 2, length - 1)
        case ("初" | "头" | "上", _):
            return civil.part(of, 0, 9)
        case ("中", _):
            return civil.part(of, 10, 19)
        case _:
            return civil.part(of, 20, 30)


def _in_month(of: Span, m: re.Match[str]) -> Span:
    """The day or the place in that month, where one is named, and the time of that day."""
    if m["day"]:
        first, last = (chinese_number(m[name] or m["day"]) for name in ("day", "till"))
        of = civil.days(of.first.date().replace(day=first), of.first.date().replace(day=last))
    elif m["place"]:
        of = place_of_month(of, m["place"])
    return at_time(of, m)


@rule(
    rf"(?:(?:{YEAR}|(?<!\d)(?P<short>\d\d)年)的?)?{MONTH}{_NO_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}",
    "月",
)
def month_or_day(m: re.Match[str], here: Reference) -> Span:
    """去年三月, 2024年3月3日, 24年3月, 十二月, 3月5日, 六月底."""
    of_month = chinese_number(m["month"])

    def of(number: int) -> Span:
        return _in_month(civil.month(number, of_month), m)

    return CLAUSES.leaning(m, here).in_year(of, named_year(m, here))


@rule(
    rf"(?<!\d)(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)[日号]?{TIME}"
)
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03."""
    return at_time(civil.day(date(int(m["year"]), int(m["month"]), int(m["day"]))), m)


@rule(
    rf"(?:{YEAR}的?)?(?<![\d./:：])(?P<month>1[0-2]|0?[1-9])[./](?P<day>3[01]|[12]\d|0?[1-9])"
    rf"(?:[号日]{_TILL}|(?!\d)(?=\s?(?:{_MOMENT}))){TIME}",
    ". /",
)
def short_date(m: re.Match[str], here: Reference) -> Span:
    """8.3号, 10/1那天: with a word that says it is no number."""
    of_month = int(m["month"])

    def of(number: int) -> Span:
        first = date(number, of_month, int(m["day"]))
        return civil.days(first, first.replace(day=chinese_number(m["till"] or m["day"])))

    return at_time(here.in_year(of, named_year(m, here)), m)


@rule(
    rf"(?:{ANY_YEAR}的?)?(?<![\d零〇{DIGIT}十第每.])(?:(?P<from>\d{{1,2}}|[{DIGIT}]|十[一二]?){_JOINS}"
    rf"|(?P<few>一(?=二)|二(?=三)|三(?=四)|四(?=五)|五(?=六)|六(?=七)|七(?=八)|八(?=九)|十一(?=二)))"
    rf"(?P<month>1[0-2]|0?[1-9]|[{DIGIT}]|十[一二]?)月(?:份)?{_NO_MONTH}",
    "月",
)
def months_between(m: re.Match[str], here: Reference) -> Span:
    """3到6月, 去年三至五月, 七八月份."""
    start, end = chinese_number(m["few"] or m["from"]), chinese_number(m["month"])
    end += 10 if m["few"] == "十一" else 0
    count = (end - start) % 12 + 1
    return here.in_year(lambda number: civil.months(number, start, count), named_year(m, here))


@rule(
    rf"(?P<which>大上|上上|下下|[上下这本当])个?月{_NO_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}",
    "月",
)
def month_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个月, 下月初, 这个月15号."""
    return _in_month(civil.month_from(here.today, SHIFTS[m["which"]]), m)


@rule(
    r"(?<![\u4e00-\u9fff\w])月(?P<place>[初中底末头尾])|月(?P<end>[底末尾])"
    r"|(?<![上下前后\d一二三四五六七八九十个几大])(?P<half>[上下]半月)",
    "月",
)
def place_of_this_month(m: re.Match[str], here: Reference) -> Span:
    """月底, 下半月."""
    return place_of_month(civil.month_from(here.today, 0), m["place"] or m["end"] or m["half"])


def _of_any_month(m: re.Match[str], here: Reference) -> Span:
    """15号下午, 推迟到20号: only where something says that it is no house number."""

    def of(shift: int) -> Span:
        first = civil.month_from(here.today, shift).first.date()
        return civil.day(first.replace(day=chinese_number(m["day"])))

    return at_time(here.which(of, 0), m)


day_of_any_month = rule(rf"(?<![\d.:月第{DIGIT}十]){_BARE_DAY}(?={_MOMENT}){TIME}", "号 日")(
    _of_any_month
)
day_it_is_moved_to = rule(rf"(?<=[改迟期后前挪延定调拖][到至在]){_BARE_DAY}{TIME}", "号 日")(
    _of_any_month
)


@rule(YEAR, "年")
def whole_year(m: re.Match[str], here: Reference) -> Span | None:
    """去年, 2024年; four digits and nothing else are a title as often as a time."""
    if m["year"] not in YEARS and m.group() == m.string.strip():
        return None
    return civil.year(year_of(m["year"], here))


@rule(rf"(?<!\d)(?P<from>(?:19|20)\d\d)年?{_JOINS}{YEAR}", "年")
def years_between(m: re.Match[str], here: Reference) -> Span:
    """2019到2021年."""
    return civil.year(int(m["from"])).until(civil.year(year_of(m["year"], here)))


@rule(
    rf"(?:(?P<century>上个?世纪|[一本这]个?世纪)的?)?(?<!\d)(?P<decade>[{DIGIT}]十|[1-9]0)年代(?P<place>[初中末])?",
    "年代",
)
def decade(m: re.Match[str], here: Reference) -> Span:
    """九十年代, 上世纪80年代末."""
    within = chinese_number(m["decade"])
    past = m["century"] is None and within > here.today.year % 100
    number = (1900 if past or (m["century"] or "").startswith("上") else 2000) + within
    first, last = {"初": (0, 3), "中": (3, 6), "末": (7, 9)}.get(m["place"] or "", (0, 9))
    return civil.year(number + first).until(civil.year(number + last))
