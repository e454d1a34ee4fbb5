"""Expressions of time mean what their speakers mean by them."""

import pytest
from astrbot_plugin_tidemark.core.languages.en.dates import MONTHS
from astrbot_plugin_tidemark.core.languages.en.holidays import HOLIDAYS
from astrbot_plugin_tidemark.core.languages.registry import languages
from astrbot_plugin_tidemark.core.languages.times import times_in
from astrbot_plugin_tidemark.core.languages.zh.festivals import FESTIVALS
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import NOW, read, told

CASES = [each for name in ("chinese", "english", "japanese") for each in told(f"{name}.txt")]


@pytest.mark.parametrize(("topic", "text", "meant"), CASES)
def test_a_time_is_read_as_it_is_meant(topic: str, text: str, meant: list[str]) -> None:
    assert read(text) == meant, topic


@pytest.mark.parametrize(("topic", "text", "meant"), told("coming.txt"))
def test_of_what_comes_round_a_plan_means_the_next(topic: str, text: str, meant: list[str]) -> None:
    assert read(text, leaning=Leaning.FUTURE) == meant, topic


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
