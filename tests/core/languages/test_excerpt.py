"""A long memory is shown where it answers the question."""

import pytest
from astrbot_plugin_tidemark.core.languages.terms import content_terms, excerpt
from hypothesis import given
from hypothesis import strategies as st

FILLING = "And then the wind blew over the moor. " * 30
ZH = "风从荒原上吹过来。" * 60


def asked(question: str) -> frozenset[str]:
    return content_terms(question)


def test_what_is_short_is_shown_whole_and_else_a_part_if_only_the_beginning() -> None:
    assert excerpt("I keep bees", asked("bees"), 11) == "I keep bees"
    assert excerpt(FILLING, asked("bees"), 100).startswith("And then")
    shown = excerpt("x" * 900 + " locker " + "y" * 900, asked("locker"), 100)
    assert len(shown) <= 100


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (f"{FILLING}My locker number is 4410. {FILLING}", "locker number?", "4410"),
        (f"{FILLING}My locker number is 4410.", "locker number?", "4410"),
        (f"{ZH}我的储物柜密码是四四一零。{ZH}", "储物柜密码是多少", "四四一零"),
    ],
)
def test_the_sentence_that_answers_is_shown(text: str, question: str, answer: str) -> None:
    shown = excerpt(text, asked(question), 200)
    assert answer in shown
    assert shown.startswith("…")


@given(st.text("ab。. \n我蜂", max_size=400), st.integers(8, 120))
def test_an_excerpt_is_a_part_of_the_text_and_no_longer_than_allowed(text: str, limit: int) -> None:
    shown = excerpt(text, asked("蜂a"), limit)
    assert len(shown) <= limit
    assert shown.strip("…") in text
