"""Recognising what was said in a text that quotes it."""

import pytest
from astrbot_plugin_tidemark.core.languages.terms import excerpt
from astrbot_plugin_tidemark.core.text.quoting import quoted
from astrbot_plugin_tidemark.storage.journal.recalls import PIECE, SHORTEST, pieces_of, quotes
from hypothesis import assume, given
from hypothesis import strategies as st

LETTERS = st.text("abcd潮汐12 ,。\n<", min_size=1, max_size=60)
LONG_ENOUGH = st.tuples(
    LETTERS, st.text("abcd潮汐12", min_size=SHORTEST, max_size=20), LETTERS
).map("".join)


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


@pytest.mark.parametrize(
    ("said", "text", "found"),
    [
        ("我的密码是1234", "[1] (安) 我的密码是1234", True),
        ("我的密码是1234", "[1] 我的密码，是：1234。", True),
        ("我的密码是1234", "[1] 我的密码是1235", False),
        ("ok", "it is ok", False),
        ("好吗", "你好吗", False),
        ("👍👍👍👍", "👍👍👍👍", False),
        ("", "anything", False),
    ],
)
def test_letters_and_digits_decide(said: str, text: str, found: bool) -> None:
    assert quotes(text, pieces_of([said])) is found


def test_of_many_texts_any_is_found() -> None:
    pieces = pieces_of(["green bicycle", "green house", "潮水退去了"])
    assert quotes("a green house on the hill", pieces)
    assert quotes("昨天潮水退去了", pieces)
    assert not quotes("a green hill", pieces)


@given(LETTERS, LONG_ENOUGH, LETTERS)
def test_a_text_is_found_wherever_it_stands(before: str, said: str, after: str) -> None:
    assert quotes(before + said + after, pieces_of([said]))


@given(LETTERS, LETTERS)
def test_a_short_text_is_found_only_where_it_stands(said: str, text: str) -> None:
    assume(SHORTEST <= len(letters(said)) < PIECE)
    assert quotes(text, pieces_of([said])) is (letters(said) in letters(text))


@given(st.lists(st.text("abcdefgh潮汐。 ", min_size=30, max_size=200), min_size=5, max_size=12))
def test_a_long_text_is_found_in_the_excerpt_a_block_shows(sentences: list[str]) -> None:
    said = "! ".join(sentences)
    shown = quoted(excerpt(said, frozenset({"abc"}), 400), 400)
    assume(len(letters(shown)) >= 2 * PIECE)
    assert quotes(f"[1] (Ann) {shown}", pieces_of([said]))
