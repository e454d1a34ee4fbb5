"""Attributes that have one value at a time: name, home, work, age, dates, counts. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..text.normalisation import normalise
from .clauses import Clause, clauses
from .numbers import NUMBER_EN, NUMBER_ZH, numbers
from .words import PAST

MOST_VALUES = 12


class Attribute(StrEnum):
    """What somebody or something has exactly one of."""

    NAME = "name"
    HOME = "home"
    WORKPLACE = "workplace"
    OCCUPATION = "occupation"
    SCHOOL = "school"
    ORIGIN = "origin"
    BIRTHDAY = "birthday"
    AGE = "age"
    SIZE = "size"
    FAVOURITE = "favourite"
    COUNT = "count"
    SCHEDULE = "schedule"
    MARITAL = "marital"
    SUBJECT = "subject"
    DETAIL = "detail"


DATED = frozenset({Attribute.BIRTHDAY, Attribute.DETAIL})
"""Attributes whose value may be a time: other times are then other values."""

COUNTED = DATED | {Attribute.AGE, Attribute.SIZE, Attribute.COUNT, Attribute.SCHEDULE}
"""Attributes whose value is a number, or a date with numbers in it."""


@dataclass(frozen=True, slots=True)
class Value:
    """One attribute as a clause states it. `of` narrows it: which favourite, what is counted."""

    attribute: Attribute
    value: str
    holder: Clause
    of: str = ""

    def rivals(self, other: "Value") -> bool:
        """Whether both give the same attribute of the same holder another value."""
        if (self.attribute, self.of) != (other.attribute, other.of):
            return False
        if not same_holder(self.holder, other.holder):
            return False
        return differ(self.value, other.value, counted=self.attribute in COUNTED)


_JOBS_ZH = (
    "医生|护士|老师|教师|律师|厨师|工程师|设计师|会计|司机|警察|军人|记者|作家|画家|演员|歌手|程序员|公务员"
    "|学生|研究生|教授|经理|销售|老板|翻译|编辑|导游"
)
_JOBS_EN = (
    "doctor|nurse|teacher|lawyer|cook|chef|engineer|designer|accountant|driver|policeman|soldier"
    "|journalist|writer|painter|actor|actress|singer|programmer|developer|student|professor|manager"
    "|architect|dentist|plumber|electrician|librarian|translator|editor|pilot|farmer|baker|scientist"
)
_DETAIL_ZH = (
    "手机号码?|电话|邮箱|地址|密码|专业|年级|血型|星座|工资|月薪|房租|车牌|网名|昵称|学号|截止日期|航班|婚礼"
    "|考试|面试|会议|手术|聚会|比赛"
)
_DETAIL_EN = (
    "phone number|email|address|password|major|blood type|salary|rent|deadline|flight|wedding|exam"
    "|interview|meeting|appointment|surgery|party|game"
)

_PATTERNS: tuple[tuple[Attribute, str], ...] = (
    (Attribute.HOME, r"(?:住在|定居在?|住到了?|搬到了?|搬去了?|家在)(?P<x>[^的了]{2,12})"),
    (
        Attribute.NAME,
        r"(?:名字[是叫]|名叫|叫做?)(?P<x>(?![我他她你人车醒上来停好它外大]|一)[\w·]{1,10}?)(?:了|$)",
    ),
    (Attribute.SCHOOL, r"在(?P<x>\w{2,15}?(?:大学|学院|中学|小学|高中))(?:读|上|念|学)"),
    (Attribute.WORKPLACE, r"在(?P<x>(?!家)\w{2,15}?)(?:上班|工作|任职|实习)"),
    (Attribute.OCCUPATION, rf"(?:职业是|[是当做]了?一?[名位个]?)(?P<x>\w{{0,6}}?(?:{_JOBS_ZH}))"),
    (Attribute.ORIGIN, r"(?:老家[在是]|来自|出生[在于])(?P<x>\w{2,8})|是(?P<x2>\w{2,4})人$"),
    (Attribute.BIRTHDAY, r"生日[是在]?(?P<x>\w{2,12})"),
    (Attribute.AGE, rf"(?P<x>{NUMBER_ZH})岁(?!生日|时|的时候|那年)"),
    (Attribute.SIZE, rf"(?P<y>身高|体重)[是有]?(?P<x>{NUMBER_ZH})"),
    (Attribute.FAVOURITE, r"最(?:喜欢|爱)的(?P<y>\w{1,6}?)是(?P<x>\w{1,12})"),
    (Attribute.FAVOURITE, r"最(?:喜欢|爱)(?P<y>[吃喝看听玩])的?是?(?P<x>\w{1,12})"),
    (
        Attribute.COUNT,
        rf"[养有]了?(?P<x>{NUMBER_ZH})[只条个辆套位名头匹台](?P<y>\w{{1,4}}?)(?:了|$)",
    ),
    (
        Attribute.SCHEDULE,
        rf"(?P<x>{NUMBER_ZH}点半?|\d+[:：]\d+)[就才]?(?P<y>起床|睡觉|上床|下班|上班|出门|吃晚饭)",
    ),
    (Attribute.MARITAL, r"(?P<x>单身|未婚|已婚|离异|离婚|结婚)了?$"),
    (Attribute.SUBJECT, r"(?:主修|读的是|学的是)(?P<x>\w{2,10})"),
    (Attribute.DETAIL, rf"(?P<y>{_DETAIL_ZH})(?:是|为|定在|改到|改在|在|到)(?P<x>[\w@.-]{{1,24}})"),
    (
        Attribute.HOME,
        r"\b(?:lives?|living|resides?|moved|relocated|settled|based) (?:in|to) (?P<x>.{2,40})",
    ),
    (Attribute.NAME, r"\b(?:called|named|name is|name's) (?P<x>[\w'-]{2,30}(?: [A-Z][\w'-]+)?)"),
    (
        Attribute.WORKPLACE,
        r"\b(?:works?|working|employed|has a job) (?:at|for|by|with) (?P<x>.{2,40})",
    ),
    (
        Attribute.OCCUPATION,
        rf"\b(?:is|am|'m|'s|works as|work as|became) an? (?P<x>(?:\w+ )?(?:{_JOBS_EN}))\b",
    ),
    (
        Attribute.ORIGIN,
        r"(?:\b(?:is|am|comes?|hails?)|'m|'s) from (?P<x>.{2,30})|\bborn in (?P<x2>[^\d]{2,30})",
    ),
    (
        Attribute.BIRTHDAY,
        r"\bbirthday (?:is|falls) (?:on |in )?(?P<x>.{3,24})|\bborn on (?P<x2>.+)",
    ),
    (
        Attribute.AGE,
        rf"(?:\b(?:is|am|turned)|'m|'s) (?P<x>{NUMBER_EN})(?: years? old| now)?\s*$",
    ),
    (Attribute.SIZE, rf"(?P<x>{NUMBER_EN}) ?(?P<y>cm|kg|metres|kilos)\b"),
    (Attribute.FAVOURITE, r"\bfavou?rite (?P<y>\w+) is (?P<x>.{2,40})"),
    (
        Attribute.COUNT,
        rf"\b(?:has|have|owns?|keeps?) (?P<x>{NUMBER_EN}) (?:\w+ )?(?P<y>[a-z]+)\s*$",
    ),
    (
        Attribute.SCHEDULE,
        r"\b(?P<y>gets? up|wakes? up|goes to bed|go to bed|starts? work|finish(?:es)? work"
        rf"|leaves? home) at (?P<x>(?:{NUMBER_EN})(?::\d+)?)",
    ),
    (Attribute.MARITAL, r"(?:\b(?:is|am)|'m|'s) (?P<x>single|married|divorced|widowed|engaged)\b"),
    (Attribute.SUBJECT, r"\b(?:studies|studying|study|majors in|majoring in) (?P<x>.{3,30})"),
    (
        Attribute.DETAIL,
        rf"\b(?P<y>{_DETAIL_EN}) (?:is|was moved|has been moved|costs)(?: on| at| to| in)?"
        r" (?P<x>.{1,40})",
    ),
)
_RULES = tuple((attribute, re.compile(pattern, re.I)) for attribute, pattern in _PATTERNS)
_UNSPECIFIC = re.compile(
    r"公寓|宿舍|房|家里|附近|楼|城[东西南北里]|一起|\b(?:an?|the|his|her|their|my|our|alone|together)\b",
    re.I,
)


def values(text: str) -> tuple[Value, ...]:
    """The attributes that a text gives a value to, of now: neither denied nor over."""
    return values_of(clauses(text))


def values_of(told: Sequence[Clause]) -> tuple[Value, ...]:
    """Those of these clauses."""
    return tuple(value for clause in told for value in _values(clause))[:MOST_VALUES]


def same_holder(one: Clause, other: Clause) -> bool:
    """Whether two clauses tell of the same people, as far as their words show."""
    named = bool(one.subject and other.subject and one.subject != other.subject)
    return not named and one.others == other.others


def differ(one: str, other: str, *, counted: bool) -> bool:
    """Whether two values exclude each other: other numbers where one counts, or no term shared."""
    counts = numbers(one), numbers(other)
    if counted and all(counts):
        return counts[0] != counts[1]
    terms = Clause(one).content, Clause(other).content
    return all(terms) and not terms[0] & terms[1]


def _values(clause: Clause) -> Iterator[Value]:
    if clause.denies or PAST.search(clause.text):
        return
    for attribute, pattern in _RULES:
        found = pattern.search(clause.text.strip())
        if found is None:
            continue
        groups = found.groupdict()
        value = (groups["x"] or groups.get("x2") or "").strip()
        vague = attribute in (Attribute.HOME, Attribute.WORKPLACE) and _UNSPECIFIC.search(value)
        if value and not vague:
            yield Value(attribute, value, clause, normalise(groups.get("y") or ""))
