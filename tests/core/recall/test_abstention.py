"""When nothing is brought up, and why."""

import pytest
from astrbot_plugin_tidemark.core.recall.abstention import (
    NEEDED,
    NEEDED_BY_WORDS,
    Address,
    address,
    silence,
    strength,
)
from astrbot_plugin_tidemark.core.recall.selection import LEAST_RELEVANCE
from astrbot_plugin_tidemark.core.recall.trace import Fused, Hit, Leg, Silence
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)


def found(meaning: float, words: float = 0.0) -> Fused:
    hits = (Hit(Leg.SEMANTIC, 1, meaning, meaning), Hit(Leg.TEXT, 1, words, words))
    return Fused("m1", hits, 0.5)


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("你还记得我女儿叫什么吗", Address.REFERS_BACK),
        ("昨晚我又失眠了", Address.REFERS_BACK),
        ("Do you remember my sister?", Address.REFERS_BACK),
        ("我的房子租到什么时候？", Address.ASKS),
        ("给我推荐几道凉菜", Address.ASKS),
        ("When did Mia fly to Oslo?", Address.ASKS),
        ("小雨放寒假回来了", Address.TELLS_OF_OTHERS),
        ("我喜欢看电视剧", Address.TELLS_OF_SELF),
        ("我的车是白的，你有车吗？", Address.ASKS_OF_BOTH),
        ("你喜欢什么电影啊？", Address.ASKS_THE_BOT),
        ("What is your favourite colour?", Address.ASKS_THE_BOT),
        ("你又不是人", Address.TELLS_OF_SELF),
        ("", Address.TELLS_OF_OTHERS),
    ],
)
def test_whom_a_turn_is_about(text: str, done: Address) -> None:
    assert address(text) is done


def test_the_bot_s_tastes_are_not_looked_up_in_the_user_s_memories() -> None:
    told = silence("你喜欢什么电影啊？", [found(0.9)], later=False, calibrated=True)
    assert told is Silence.ABOUT_THE_BOT


def test_the_same_nearness_answers_a_question_about_oneself() -> None:
    assert silence("我喜欢什么电影啊？", [found(0.9)], later=False, calibrated=True) is None


def test_meaning_and_words_together_can_be_enough() -> None:
    told = silence("我喜欢什么电影啊？", [found(0.3)], later=False, calibrated=True)
    assert told is Silence.TOO_WEAK
    assert silence("我喜欢什么电影啊？", [found(0.3, 0.3)], later=False, calibrated=True) is None


def test_in_a_conversation_less_is_needed_than_to_open_one() -> None:
    tells = "我特别期待那天晚上"
    assert silence(tells, [found(0.6)], later=True, calibrated=True) is None
    assert silence(tells, [found(0.6)], later=False, calibrated=True) is Silence.TOO_WEAK
    levels = (*NEEDED.values(), *NEEDED_BY_WORDS.values())
    assert all(later <= opening for opening, later in levels)


def test_without_candidates_nothing_was_found() -> None:
    assert silence("我的猫呢", [], later=False, calibrated=True) is Silence.NOTHING_FOUND


@pytest.mark.parametrize("text", ["你喜欢什么电影啊？", "我喜欢看电视剧"])
def test_without_calibration_only_noise_is_kept_back(text: str) -> None:
    enough, noise = found(LEAST_RELEVANCE), found(LEAST_RELEVANCE - 0.01)
    assert silence(text, [enough], later=False, calibrated=False) is None
    assert silence(text, [noise], later=False, calibrated=False) is Silence.TOO_WEAK


def by_words(level: float, leg: Leg = Leg.TEXT) -> Fused:
    return Fused("m1", (Hit(leg, 1, level, level),), 0.5)


@pytest.mark.parametrize(
    ("text", "words"), [("我的猫呢？", 0.32), ("小雨放假了", 0.27), ("我喜欢猫", 0.4)]
)
def test_by_words_alone_less_says_as_much(text: str, words: float) -> None:
    assert silence(text, [by_words(words)], later=False, calibrated=False) is None
    assert silence(text, [found(0.0, words)], later=False, calibrated=True) is Silence.TOO_WEAK


def test_by_words_alone_the_bot_s_tastes_are_not_looked_up_either() -> None:
    told = silence("你喜欢什么电影啊？", [by_words(0.5)], later=False, calibrated=False)
    assert told is Silence.ABOUT_THE_BOT


def test_by_words_alone_who_is_named_can_be_enough() -> None:
    rosa = by_words(0.5, Leg.ENTITY)
    assert silence("How is Rosa?", [rosa], later=False, calibrated=False) is None


@quick
@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=4),
    st.booleans(),
    st.floats(0, 1),
)
def test_finding_more_never_silences(
    text: str, levels: list[tuple[float, float]], later: bool, more: float
) -> None:
    before = [found(*pair) for pair in levels]
    if before and silence(text, before, later=later, calibrated=True) is None:
        after = [*before, found(more)]
        assert silence(text, after, later=later, calibrated=True) is None


def test_the_strength_counts_each_leg_once() -> None:
    twice = Fused("m", (Hit(Leg.TEXT, 1, 1, 0.4), Hit(Leg.TEXT, 9, 1, 0.2)), 0.1)
    assert strength(twice) == 0.4
    assert strength(Fused("m", (), 0.1)) == 0.0
