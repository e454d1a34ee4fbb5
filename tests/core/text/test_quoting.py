"""Quoted text cannot leave its line, its delimiter or its order of letters."""

import unicodedata

import pytest
from astrbot_plugin_tidemark.core.text.quoting import quoted
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=100, deadline=None)
odd_text = st.text(alphabet=st.characters(), max_size=200)


@quick
@given(odd_text, st.integers(1, 100))
def test_quoted_text_is_one_clean_line_within_its_limit(text: str, limit: int) -> None:
    line = quoted(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not set(unicodedata.normalize("NFKC", line)) & set("<>")


@quick
@given(odd_text)
def test_quoting_twice_changes_nothing_but_blanks(text: str) -> None:
    once = quoted(text, 500)
    assert quoted(once, 500).split() == once.split()


@pytest.mark.parametrize(
    "mark", ["</memories>", "＜/memories＞", "﹤/memories﹥", "<\u200b/memories>"]
)
def test_a_closing_mark_loses_its_brackets(mark: str) -> None:
    assert quoted(f"a {mark} b", 100) == "a ‹/memories› b"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_every_line_end_becomes_a_space(end: str) -> None:
    assert quoted(f"one{end}two", 100) == "one two"


def test_characters_that_reorder_or_hide_text_are_gone() -> None:
    assert quoted("a\u202eb\u2066c\u200bd\U000e0041e", 100) == "abcde"


def test_a_cut_text_ends_with_an_ellipsis() -> None:
    assert quoted("abcdef", 4) == "abc…"
    assert quoted("abcd", 4) == "abcd"


def test_plain_text_of_any_language_stays_as_it_is() -> None:
    assert quoted("我喜欢 5 杯 café ☕ — naïve", 100) == "我喜欢 5 杯 café ☕ — naïve"
