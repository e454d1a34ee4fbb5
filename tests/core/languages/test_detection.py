"""Every text is in one language, or in none that is known; never in Chinese for want of another."""

import pytest
from astrbot_plugin_tidemark.core.languages.detection import UNDETERMINED, language_of
from astrbot_plugin_tidemark.core.languages.registry import block_wording, languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我养蜂", "zh"),
        ("I keep bees", "en"),
        ("我 love 蜂", "zh"),
        ("讲 English please", "en"),
        ("私はお茶が好きです", "ja"),
        ("昨日は東京駅で会議がありました", "ja"),
        ("今日はPythonを勉強した", "ja"),
        ("我喜欢看ワンピース", "zh"),
        ("나는 차를 좋아해요", UNDETERMINED),
        ("я люблю Java и чай", UNDETERMINED),
        ("मुझे चाय पसंद है", UNDETERMINED),
        ("I said Привет", "en"),
    ],
)
def test_a_text_is_in_the_language_it_has_more_of(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_text_without_words_is_in_the_default_one() -> None:
    assert language_of("123 !?") == UNDETERMINED
    assert language_of("123 !?", "en") == "en"
    assert language_of("Привет", "en") == UNDETERMINED
    assert [language_of(word) for word in ("お茶", "茶", "tea")] == [
        language.code for language in languages()
    ]


@pytest.mark.parametrize("code", ["ja", "ko", UNDETERMINED])
def test_a_block_in_a_language_without_words_for_it_is_not_in_chinese(code: str) -> None:
    assert block_wording(code) == block_wording("en") != block_wording("zh")
