"""A rule is not tried on a text without any of the words it needs: what it matches has one."""

import pytest
from astrbot_plugin_tidemark.core.languages.en.dates import MONTHS
from astrbot_plugin_tidemark.core.languages.en.holidays import HOLIDAYS
from astrbot_plugin_tidemark.core.languages.registry import languages
from astrbot_plugin_tidemark.core.languages.zh.festivals import FESTIVALS

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
