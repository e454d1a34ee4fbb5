"""Expressions of time mean what their speakers mean by them."""

import pytest
from astrbot_plugin_tidemark.core.languages.en.dates import MONTHS
from astrbot_plugin_tidemark.core.languages.en.holidays import HOLIDAYS
from astrbot_plugin_tidemark.core.languages.registry import languages
from astrbot_plugin_tidemark.core.languages.times import times_in
from astrbot_plugin_tidemark.core.languages.zh.festivals import FESTIVALS
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import NOW, read, told


@pytest.mark.parametrize(("topic", "text", "meant"), [*told("chinese.txt"), *told("english.txt")])
def test_a_time_is_read_as_it_is_meant(topic: str, text: str, meant: list[str]) -> None:
    assert read(text) == meant, topic


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("周五考试", "2026-08-14"),
        ("周末", "2026-08-15..2026-08-16"),
        ("十二月", "2026-12-01..2026-12-31"),
        ("八月", "2026-08-01..2026-08-31"),
        ("国庆", "2026-10-01..2026-10-07"),
        ("过年回家", "2027-02-05..2027-02-12"),
        ("15号下午", "2026-08-15 12:00..2026-08-15 17:59"),
        ("周五到周一", "2026-08-14..2026-08-17"),
        ("2月29日", "2028-02-29"),
        ("on Friday", "2026-08-14"),
        ("in March", "2027-03-01..2027-03-31"),
        ("on 29 February", "2028-02-29"),
        ("at Christmas", "2026-12-25"),
        ("Friday to Monday", "2026-08-14..2026-08-17"),
    ],
)
def test_of_what_comes_round_a_plan_means_the_next(text: str, meant: str) -> None:
    assert read(text, leaning=Leaning.FUTURE) == [meant]


@pytest.mark.parametrize("text", ["昨天", "上周五", "三天后", "去年国庆", "下个月", "2025年3月5日"])
def test_what_is_certain_does_not_depend_on_the_leaning(text: str) -> None:
    assert read(text) == read(text, leaning=Leaning.FUTURE) != []


def test_every_time_of_a_text_is_found_in_its_order_and_place() -> None:
    assert read("昨天说下周三去，国庆前回来") == [
        "2026-08-11",
        "2026-08-19",
        "2025-10-01..2025-10-07",
    ]
    assert read("明天后天都行") == ["2026-08-13", "2026-08-14"]
    text = "我们上周五在海边"
    (told,) = times_in(text, NOW.timestamp(), None)
    assert text[told.start : told.end] == "上周五"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What did she find in July 2023?", "2023-07-01..2023-07-31"),
        ("since October, 2023", "2023-10-01 00:00..2026-08-12 14:30"),
        ("on May 23, 2023", "2023-05-23"),
        ("on May 23rd", "2026-05-23"),
        ("by the 3rd of June 2024", "2024-06-03"),
        ("early July 2023", "2023-07-01..2023-07-10"),
        ("in July at 3pm", "2026-07-01..2026-07-31"),
    ],
)
def test_a_month_with_a_preposition_keeps_its_day_and_year(text: str, meant: str) -> None:
    assert read(text)[0] == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Board meeting at 3pm tomorrow", ["2026-08-13 15:00..2026-08-13 15:59"]),
        ("I left at 9:30 yesterday", ["2026-08-11 09:30"]),
        ("at 3pm today", ["2026-08-12 15:00..2026-08-12 15:59"]),
        ("dinner at 7pm on Friday", ["2026-08-07"]),
        ("by 5pm next Monday", ["2026-08-17"]),
        ("at 3pm, on the dot", ["2026-08-12 15:00..2026-08-12 15:59"]),
    ],
)
def test_a_time_before_its_day_is_of_that_day(text: str, meant: list[str]) -> None:
    assert read(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("九月天气怎么样", "2026-09-01..2026-09-30"),
        ("周五天气如何", "2026-08-14"),
        ("国庆天气好吗", "2026-10-01..2026-10-07"),
        ("十月适合去哪", "2026-10-01..2026-10-31"),
        ("what's the weather like in September", "2026-09-01..2026-09-30"),
        ("will it rain on Friday", "2026-08-14"),
    ],
)
def test_who_asks_for_the_weather_asks_of_no_past(text: str, meant: str) -> None:
    assert read(text) == read(text, leaning=Leaning.FUTURE) == [meant]


def test_the_weather_that_was_is_past() -> None:
    assert read("去年九月天气怎么样") == ["2025-09-01..2025-09-30"]
    assert read("what was the weather like in September") == ["2025-09-01..2025-09-30"]


FORMS = ("at {}", "last {}", "{} 2024", "{} last year", "{} 3rd", "3 {}", "in {}", "{} to {}")
CHINESE_FORMS = ("{}", "去年{}", "上个{}", "{}放假", "2023年{}那天")
ENGLISH = [form.format(name, name) for name in (*HOLIDAYS, *MONTHS) for form in FORMS]
CHINESE = [form.format(name) for name in FESTIVALS for form in CHINESE_FORMS]


@pytest.mark.parametrize("code", [each.code for each in languages()])
def test_what_a_rule_matches_has_a_word_that_it_needs(code: str) -> None:
    [rules] = [each.times for each in languages() if each.code == code]
    matched = [(rule, text) for rule in rules for text in ENGLISH + CHINESE if rule.needs]
    matched = [(rule, text) for rule, text in matched if rule.pattern.search(text)]
    missing = [
        (rule.read.__name__, text)
        for rule, text in matched
        if not any(word in text for word in rule.needs)
    ]
    assert not missing
    assert matched or code == "ja"
