"""A turn that calls the bot by its name is searched without it."""

import pytest
from astrbot_plugin_tidemark.core.languages.vocative import without_own_name

ZH = "# 人格\n你叫潮汐，是一个温柔的助手。你喜欢猫。"
EN = "You are Tide, a kind companion. You love cats."


@pytest.mark.parametrize(
    ("text", "instructions", "expected"),
    [
        ("潮汐，我的猫叫什么", ZH, "我的猫叫什么"),
        ("潮汐 我的猫叫什么", ZH, "我的猫叫什么"),
        ("我的猫叫什么，潮汐？", ZH, "我的猫叫什么？"),
        ("潮汐！我住哪", "你是「潮汐」。", "我住哪"),
        ("Tide, where do I live?", EN, "where do I live?"),
        ("Tide where do I live?", "Your name is Tide.", "where do I live?"),
        ("where do I live, tide?", EN, "where do I live?"),
    ],
)
def test_the_bots_name_is_no_word_of_questions(text: str, instructions: str, expected: str) -> None:
    assert without_own_name(text, instructions) == expected


@pytest.mark.parametrize(
    ("text", "instructions"),
    [
        ("猫，我最喜欢哪个品种", ZH),
        ("潮汐是什么时候涨的", ZH),
        ("潮汐", ZH),
        ("潮汐，我的猫叫什么", ""),
        ("cats, which ones do I like?", EN),
        ("Tideland, when did I go there?", EN),
        ("", EN),
    ],
)
def test_what_a_question_is_about_stays(text: str, instructions: str) -> None:
    assert without_own_name(text, instructions) == text
