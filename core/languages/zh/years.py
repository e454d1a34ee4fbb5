"""Years and the nth of months by name in Chinese: what other rules are made of. Pure."""

import re

from ...text.time.calendar import Reference
from ..han_numerals import chinese_number

YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0} | {
    "明年": 1,
    "来年": 1,
    "下一年": 1,
    "后年": 2,
    "大后年": 3,
}
SHIFTS = {"大上": -2, "上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}

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


def named_year(m: re.Match[str], here: Reference) -> int:
    """The year of a match of `ANY_YEAR`; two digits: of the hundred that end in twenty years."""
    if m["year"]:
        return year_of(m["year"], here)
    if m["bare"]:
        return int(m["bare"])
    latest = here.today.year + 20
    return latest - (latest - int(m["short"])) % 100
