"""A message tells something by its length, whether it asks or not."""

import pytest
from astrbot_plugin_tidemark.core.languages.telling import clauses, is_question, sentences, tells


@pytest.mark.parametrize("text", ["OK", "why?", "谢谢", "好的。", "Really? What?", ""])
def test_what_says_hardly_a_word_tells_nothing(text: str) -> None:
    assert not tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did my taxes today",
        "don't call me Jonathan anymore",
        "我搬到上海了，你呢",
        "我有高血压能喝咖啡吗",
        "我被裁员了接下来怎么办啊",
        "我在纠结要不要换工作",
        "Can I drink coffee with high blood pressure?",
        "I wonder whether to leave my job",
    ],
)
def test_a_fact_inside_a_question_or_a_dilemma_is_told(text: str) -> None:
    assert tells(text)


def test_sentences_are_those_that_ask_nothing_and_clauses_have_no_marks() -> None:
    text = "I bake at 3.5 degrees, mostly. Do you? 我住在上海！你呢？"
    assert [*sentences(text)] == ["I bake at 3.5 degrees, mostly.", "我住在上海！"]
    assert clauses("I bake, mostly.") == ["I bake", "mostly"]
    assert is_question("你呢？")
