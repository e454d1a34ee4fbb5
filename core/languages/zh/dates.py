"""Years, months, seasons, dates and festivals in Chinese. Pure."""

import re
from datetime import date

from ...text.time.calendar import (
    Reference,
    Span,
    day,
    days,
    half,
    month,
    month_from,
    months,
    part,
    quarter,
    year,
)
from ...text.time.festivals import CHINESE, LONG_HOLIDAYS, NUMBERED, lunar
from ...text.time.numerals import chinese_number
from ...text.time.rule import rule
from .clock import TIME, at_time

_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0} | {
    "明年": 1,
    "来年": 1,
    "下一年": 1,
    "后年": 2,
    "大后年": 3,
}
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_BREAKS = {"寒": 1, "暑": 7}
_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}

_DIGIT = "一二三四五六七八九"
_YEAR = (
    rf"(?P<year>(?<![以之目此年月周天今然])大?[前后]年|[去今本明来]年|[上下]一年|"
    rf"(?<!\d)\d{{4}}年|(?<![零〇{_DIGIT}])[一二][零〇{_DIGIT}]{{3}}年)(?![级代版薪纪鉴龄轻货度])"
)
_MONTH = rf"(?<![\d零〇{_DIGIT}十第每])(?P<month>\d{{1,2}}|[{_DIGIT}]|十[一二]?)月(?:份)?"
_NUMBER_OF_DAY = rf"\d{{1,2}}|三十一?|二?十[{_DIGIT}]?|廿[{_DIGIT}]?|[{_DIGIT}]"
_DAY = (
    rf"(?P<day>{_NUMBER_OF_DAY})(?:[日号]|(?=[到至~-](?:{_NUMBER_OF_DAY})[日号]))"
    rf"(?:[到至~-](?P<till>{_NUMBER_OF_DAY})[日号])?"
)
_NO_PLACE = "(?![学国文级期间心午秋元])"
_PLACE = rf"(?P<place>[上中下]旬|[初中底末]{_NO_PLACE})"
_NO_MONTH = r"(?![球亮台饼光经色嫂票]|天(?!气))"
_LUNAR_DAY = rf"(?P<day>初[{_DIGIT}十]|二?十[{_DIGIT}]?|廿[{_DIGIT}]?|三十)"
_LUNAR_MONTH = rf"(?P<month>[正冬腊]|十[一二]?|[{_DIGIT}])月"
_NAMES = "|".join(sorted(CHINESE.keys() - NUMBERED, key=len, reverse=True))
_NUMBERED = "|".join(sorted(NUMBERED))
_LONG = "(?P<long>小?长?假期?|黄金周|放假|期间|那几天)"
_NO_FESTIVAL = (
    r"(?!快乐|愉快|轻|老人|树|礼|歌|帽|卡|贺|装|联欢|晚会|月饼|粽|汤圆|红包|音乐|广场|档|路)"
)


def _year_of(found: str, here: Reference) -> int:
    if found in _YEARS:
        return here.today.year + _YEARS[found]
    return chinese_number(found.removesuffix("年"))


def _place_of_month(of: Span, place: str) -> Span:
    """The beginning, middle or end."""
    match place:
        case "初" | "上旬":
            return part(of, 0, 9)
        case "中" | "中旬":
            return part(of, 10, 19)
        case _:
            return part(of, 20, 30)


def _place_of_year(number: int, place: str) -> Span:
    return months(number, {"初": 1, "中": 6}.get(place, 11), 2)


def _in_month(of: Span, m: re.Match[str]) -> Span:
    """The day or the place in that month, where one is named, and the time of that day."""
    if m["day"]:
        first, last = (chinese_number(m[name] or m["day"]) for name in ("day", "till"))
        of = days(of.first.date().replace(day=first), of.first.date().replace(day=last))
    elif m["place"]:
        of = _place_of_month(of, m["place"])
    return at_time(of, m)


@rule(rf"{_YEAR}的?{_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}", "年")
def date_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年三月, 2024年3月3日, 明年五月底."""
    return _in_month(month(_year_of(m["year"], here), chinese_number(m["month"])), m)


@rule(rf"(?<!\d)(?P<year>\d\d)年{_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}", "年")
def date_of_short_year(m: re.Match[str], here: Reference) -> Span:
    """24年3月: of the hundred years that end twenty years from now."""
    latest = here.today.year + 20
    number = latest - (latest - int(m["year"])) % 100
    return _in_month(month(number, chinese_number(m["month"])), m)


@rule(
    rf"(?<!\d)(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d){TIME}"
)
def written_date(m: re.Match[str], here: Reference) -> Span:
    """2024-03-03."""
    return at_time(day(date(int(m["year"]), int(m["month"]), int(m["day"]))), m)


@rule(rf"{_MONTH}{_NO_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}", "月")
def date_of_any_year(m: re.Match[str], here: Reference) -> Span:
    """十二月, 3月5日, 六月底."""
    of_month = chinese_number(m["month"])
    return here.which(lambda number: _in_month(month(number, of_month), m), here.today.year)


@rule(rf"(?P<which>上上|下下|[上下这本当])个?月{_NO_MONTH}(?:的?(?:{_DAY}|{_PLACE}))?{TIME}", "月")
def month_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个月, 下月初, 这个月15号."""
    return _in_month(month_from(here.today, _SHIFTS[m["which"]]), m)


@rule(r"(?<![\u4e00-\u9fff\w])月(?P<place>[初中底末])|月(?P<end>[底末])", "月")
def place_of_this_month(m: re.Match[str], here: Reference) -> Span:
    """月底."""
    return _place_of_month(month_from(here.today, 0), m["place"] or m["end"])


@rule(
    r"(?<![\d.:月第])(?P<day>[12]?\d|3[01])[号日]"
    r"(?=[上下中]午|[早晚]上|凌晨|那天|当天|[之以]前|截止|到期|就?要|去|出发|开始|[面笔]?考?试|前(?!面|台))"
    rf"{TIME}",
    "号",
    "日",
)
def day_of_any_month(m: re.Match[str], here: Reference) -> Span:
    """15号下午, 20号之前: only where something says that it is no house number."""

    def of(shift: int) -> Span:
        return day(month_from(here.today, shift).first.date().replace(day=int(m["day"])))

    return at_time(here.which(of, 0), m)


@rule(rf"{_YEAR}的?今[天日]{TIME}", "年")
def this_day_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年今天."""
    return at_time(day(here.today.replace(year=_year_of(m["year"], here))), m)


@rule(_YEAR, "年")
def whole_year(m: re.Match[str], here: Reference) -> Span | None:
    """去年, 2024年; four digits and nothing else are a title as often as a time."""
    if m["year"] not in _YEARS and m.group() == m.string.strip():
        return None
    return year(_year_of(m["year"], here))


@rule(rf"{_YEAR}的?年?(?P<place>[初中底末]){_NO_PLACE}", "年")
def place_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年年底, 2024年初."""
    return _place_of_year(_year_of(m["year"], here), m["place"])


@rule(r"(?<![\u4e00-\u9fff\w])年(?P<place>[初中底末])(?!奖)|(?<!\d)年(?P<end>[底末])(?!奖)", "年")
def place_of_this_year(m: re.Match[str], here: Reference) -> Span:
    """年底."""
    return _place_of_year(here.today.year, m["place"] or m["end"])


@rule(
    rf"(?:{_YEAR}的?)?(?P<part>[上下]半年|(?<!每)第?[一二三四1-4]季度|(?<!\w)q[1-4](?!\w))",
    "半年",
    "季度",
    "q",
)
def part_of_year(m: re.Match[str], here: Reference) -> Span:
    """下半年, 去年第二季度; of this year if none is named."""
    number = here.today.year if m["year"] is None else _year_of(m["year"], here)
    name = m["part"]
    if name.endswith("半年"):
        return half(number, 1 if name.startswith("上") else 2)
    return quarter(number, chinese_number(name.strip("第季度q")))


@rule(r"(?P<which>上上|下下|[上下这本])个?季度", "季度")
def quarter_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个季度."""
    within = month_from(here.today, 3 * _SHIFTS[m["which"]]).first
    return quarter(within.year, (within.month + 2) // 3)


@rule(rf"{_YEAR}的?(?:(?P<season>[春夏秋冬])[天季]|(?P<break>[暑寒])假)", "年")
def season_of_year(m: re.Match[str], here: Reference) -> Span:
    """去年夏天, 明年寒假."""
    number = _year_of(m["year"], here)
    if m["season"]:
        return months(number, _SEASONS[m["season"]], 3)
    return months(number, _BREAKS[m["break"]], 2)


@rule(
    r"(?P<which>[上下这])个?(?:(?P<season>[春夏秋冬])[天季]|(?P<break>[暑寒])假)", "天", "季", "假"
)
def season_near_by(m: re.Match[str], here: Reference) -> Span:
    """上个夏天, 这个暑假: over, or still to come."""
    first, count = (_SEASONS[m["season"]], 3) if m["season"] else (_BREAKS[m["break"]], 2)
    every = [months(here.today.year + shift, first, count) for shift in (-2, -1, 0, 1)]
    ahead = next(index for index, span in enumerate(every) if span.last >= here.now)
    under_way = every[ahead].first <= here.now
    match m["which"]:
        case "上":
            return every[ahead - 1]
        case "下":
            return every[ahead + under_way]
        case _:
            return every[ahead]


def _festival(m: re.Match[str], number: int) -> Span:
    name = m["festival"]
    lasting = LONG_HOLIDAYS if m["long"] else CHINESE
    return at_time(lasting.get(name, CHINESE[name])(number), m)


@rule(
    rf"{_YEAR}的?(?P<festival>{_NAMES}|(?:{_NUMBERED})(?!月))(?:节(?!目))?{_LONG}?{_NO_FESTIVAL}{TIME}",
    "年",
)
def festival_of_year(m: re.Match[str], here: Reference) -> Span:
    """前年国庆, 今年中秋节."""
    return _festival(m, _year_of(m["year"], here))


@rule(rf"(?P<festival>{_NAMES})(?:节(?!目))?+{_LONG}?{_NO_FESTIVAL}{TIME}")
def festival(m: re.Match[str], here: Reference) -> Span:
    """国庆假期, 除夕."""
    return here.which(lambda number: _festival(m, number), here.today.year)


@rule(rf"(?P<festival>{_NUMBERED})(?:节(?!目)|{_LONG}){TIME}", "五一", "六一", "十一")
def numbered_festival(m: re.Match[str], here: Reference) -> Span:
    """五一假期; the bare number says nothing."""
    return here.which(lambda number: _festival(m, number), here.today.year)


def _lunar(m: re.Match[str], here: Reference, of_month: int) -> Span:
    def of(number: int) -> Span:
        if m["day"]:
            return day(lunar(number, of_month, chinese_number(m["day"].removeprefix("初"))))
        return days(lunar(number, of_month, 1), lunar(number, of_month, 30))

    return of(_year_of(m["year"], here)) if m["year"] else here.which(of, here.today.year)


@rule(rf"(?:{_YEAR}的?)?(?:农历|阴历|旧历){_LUNAR_MONTH}{_LUNAR_DAY}?", "历")
def lunar_date(m: re.Match[str], here: Reference) -> Span:
    """农历八月十五."""
    return _lunar(m, here, _LUNAR_MONTHS.get(m["month"]) or chinese_number(m["month"]))


@rule(rf"(?:{_YEAR}的?)?(?P<month>[正腊])月{_LUNAR_DAY}?", "正月", "腊月")
def named_lunar_month(m: re.Match[str], here: Reference) -> Span:
    """腊月二十三, 正月."""
    return _lunar(m, here, _LUNAR_MONTHS[m["month"]])


@rule(rf"(?:{_YEAR}的?)?(?:大年|年)(?P<day>初[一二三四五六七])", "年初")
def day_of_new_year(m: re.Match[str], here: Reference) -> Span:
    """大年初二."""
    return _lunar(m, here, 1)


RULES = (
    date_of_year,
    date_of_short_year,
    written_date,
    this_day_of_year,
    date_of_any_year,
    month_near_by,
    place_of_this_month,
    day_of_any_month,
    whole_year,
    place_of_year,
    place_of_this_year,
    part_of_year,
    quarter_near_by,
    season_of_year,
    season_near_by,
    festival_of_year,
    festival,
    numbered_festival,
    lunar_date,
    named_lunar_month,
    day_of_new_year,
)
