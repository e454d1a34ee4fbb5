"""Quoted text cannot leave its line; people of one name are told apart; costs in tokens."""

import re
import unicodedata

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.text.quoting import LONGEST_NAME, marks, quoted, quoted_name
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens
from hypothesis import given
from hypothesis import strategies as st

odd_text = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("\u200c\u200d👩💻❤\ufe0fمی\u202e")),
    max_size=200,
)
JOINERS = "\u200c\u200d"
JOINED_TO_NOTHING = re.compile(rf"^[{JOINERS}]|[{JOINERS}]{{2}}|[{JOINERS}]$|[a-z ][{JOINERS}]")


@given(odd_text, st.integers(1, 100))
def test_quoted_text_is_one_clean_line_within_its_limit(text: str, limit: int) -> None:
    line = quoted(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not {unicodedata.category(c) for c in set(line) - set(JOINERS)} & unseen
    assert not JOINED_TO_NOTHING.search(line)
    assert not set(unicodedata.normalize("NFKC", line)) & set("<>")


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


def test_a_cut_text_ends_with_an_ellipsis_and_what_hides_text_is_gone() -> None:
    assert quoted("abcdef", 4) == "abc…"
    assert quoted("abcd", 4) == "abcd"
    assert quoted("👩‍💻👩‍💻", 3) == "👩…"
    assert quoted("a\u202eb\u2066c\u200bd\U000e0041e", 100) == "abcde"
    assert quoted("我喜欢 5 杯 café ☕ — naïve", 100) == "我喜欢 5 杯 café ☕ — naïve"


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


ids = st.text(alphabet="0123456789", min_size=5, max_size=11)
names = st.sampled_from(["Anna", "anna", "Ａnna", "An\u200bna", "Ben", "", "#1234", "Anna#4821"])


def named(*people: tuple[str, str]) -> dict[str, str]:
    speakers = {number: Speaker(number, name) for number, name in people}
    return {
        number: quoted_name(speakers[number].name, LONGEST_NAME) + mark
        for number, mark in marks(speakers).items()
    }


def test_namesakes_and_who_has_no_name_are_marked() -> None:
    assert named(("1234", "Anna"), ("5678", "Ben")) == {"1234": "Anna", "5678": "Ben"}
    assert named(("40004821", ""), ("5", "Ben")) == {"40004821": "#4821", "5": "Ben"}
    assert marks({}) == {}
    first, second = Speaker("9", "Anna"), Speaker("9", "ANNA")
    assert set(marks({first: first, second: second}).values()) == {""}
    assert named(("11114821", "Anna"), ("22220937", "Anna"), ("3", "Ben")) == {
        "11114821": "Anna#4821",
        "22220937": "Anna#0937",
        "3": "Ben",
    }
    assert named(("715555", "Anna"), ("725555", "Anna")) == {
        "715555": "Anna#15555",
        "725555": "Anna#25555",
    }


@pytest.mark.parametrize("posing", ["Anna#4821", "Anna＃4821", "Anna #4821"])
def test_nobody_can_bear_anothers_mark_in_the_name(posing: str) -> None:
    people = named(("11114821", "Anna"), ("22220937", "Anna"), ("6", posing))
    assert len(set(people.values())) == 3


@given(st.dictionaries(ids, names, max_size=8))
def test_no_two_people_are_called_the_same(people: dict[str, str]) -> None:
    called = [name.casefold() for name in named(*people.items()).values()]
    assert len(set(called)) == len(people)
    assert all(called)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("bees", 1),
        ("honeybees", 3),
        ("2026", 2),
        ("潮痕记忆", 4),
        ("a, b", 3),
        ("Ann养蜂2024年", 6),
    ],
)
def test_letters_digits_and_other_characters_have_their_price(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_text_costs_no_less_than_its_parts_apart_by_a_line(one: str, two: str) -> None:
    assert estimate_tokens(f"{one}\n{two}") == estimate_tokens(one) + estimate_tokens(two)
