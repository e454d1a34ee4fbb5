"""Quoted text cannot leave its line, its delimiter or its order of letters."""

import re
import unicodedata

import pytest
from astrbot_plugin_tidemark.core.text.quoting import quoted
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)
odd_text = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("\u200c\u200d👩💻❤\ufe0fمی\u202e")),
    max_size=200,
)
JOINERS = "\u200c\u200d"
JOINED_TO_NOTHING = re.compile(rf"^[{JOINERS}]|[{JOINERS}]{{2}}|[{JOINERS}]$|[a-z ][{JOINERS}]")


@quick
@given(odd_text, st.integers(1, 100))
def test_quoted_text_is_one_clean_line_within_its_limit(text: str, limit: int) -> None:
    line = quoted(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not {unicodedata.category(c) for c in set(line) - set(JOINERS)} & unseen
    assert not JOINED_TO_NOTHING.search(line)
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


def test_what_reorders_or_hides_text_is_gone_and_plain_text_stays() -> None:
    assert quoted("a\u202eb\u2066c\u200bd\U000e0041e", 100) == "abcde"
    assert quoted("我喜欢 5 杯 café ☕ — naïve", 100) == "我喜欢 5 杯 café ☕ — naïve"


def test_a_cut_text_ends_with_an_ellipsis_and_no_joiner() -> None:
    assert quoted("abcdef", 4) == "abc…"
    assert quoted("abcd", 4) == "abcd"
    assert quoted("👩‍💻👩‍💻", 3) == "👩…"


@pytest.mark.parametrize(
    "text",
    [
        "我们一家 👨‍👩‍👧‍👦 去爬山",
        "👩‍💻 codes, 🏳️‍🌈 waves, ❤️‍🔥 burns",
        "👩🏽‍🚀",
        "می‌خواهم",
        "ශ්‍රී ලංකාව",
    ],
)
def test_a_picture_or_letter_of_several_characters_stays_whole(text: str) -> None:
    assert quoted(text, 100) == text


@pytest.mark.parametrize(
    "text", ["pass\u200dword", "a\u200cb", "👩\u200d", "\u200d👩", "👩\u200d\u200d💻"]
)
def test_a_joiner_that_joins_nothing_is_gone(text: str) -> None:
    assert set(quoted(text, 100)).isdisjoint(JOINERS)
