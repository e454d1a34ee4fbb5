"""What of a learnt memory must stand in the turns that it cites."""

from dataclasses import replace
from datetime import UTC

import pytest
from astrbot_plugin_tidemark.core.capture.grounding import Lack, doubt, figures, grounds_of
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from hypothesis import given
from hypothesis import strategies as st

from ...samples import ANN, BEN, turn

NOON = 1_750_000_000.0
"""Sunday, 15 June 2025."""


def said(*texts: str, by: Speaker = ANN) -> list[Turn]:
    return [
        replace(turn(n, text, Role.USER), speaker=by, at=NOON + n)
        for n, text in enumerate(texts, start=1)
    ]


def lack(text: str, turns: list[Turn]) -> Lack | None:
    """What is lacking of a memory that rests on the last turn."""
    found = doubt(
        Candidate(text, "", (len(turns),)),
        grounds_of(Candidate(text, "", (len(turns),)), turns),
        UTC,
    )
    return None if found is None else found.lack


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann has 2 cats", "I have two cats"),
        ("Ann 养了 3 只猫", "我养了三只猫"),
        ("Ann 养了三只猫", "我有3只猫"),
        ("Ann is 28", "I'm twenty-eight now"),
        ("Ann earns 15000 a month", "我一个月工资1.5万"),
        ("Ann flies on 2025-06-20", "I fly next Friday"),
        ("Ann sees the dentist on Thursday 19 June 2025", "I've got the dentist on Thursday"),
        ("Ann saw the dentist on 12 June", "I saw the dentist on Thursday"),
        ("Ann 看牙改到 2025 年 6 月 20 日周五", "牙医改到周五了"),
        ("Ann 2024 年去过东京", "我去年去了东京"),
        ("Ann celebrated an 18th birthday", "It was my eighteenth, I mean 18 candles"),
        ("Ann walks the dog every day", "I walk the dog daily"),
        ("Ann 十分喜欢猫, 千万别送她一点花", "我特别喜欢猫,别送我花"),
    ],
)
def test_a_number_stands_there_however_it_is_written(text: str, told: str) -> None:
    assert lack(text, said(told)) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann has 3 cats", "I have two cats"),
        ("Ann 养了五只猫", "我养了三只猫"),
        ("Ann flies on 2025-06-27", "I fly next Friday"),
        ("Ann sees the dentist on 26 June", "I've got the dentist on Thursday"),
        ("Ann 看牙改到 6 月 27 日", "牙医改到周五了"),
        ("Ann paid 1200 for it", "I paid 1,100 for it"),
    ],
)
def test_a_number_that_nobody_said_is_doubted(text: str, told: str) -> None:
    assert lack(text, said(told)) is Lack.NUMBER


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann moved to Berlin", ("Where to?", "I moved to berlin")),
        ("Ann likes Berlin", ("Berlin is where I live", "I love it there")),
        ("Ann 用 Flask 写了后端", ("后端用flask写的",)),
        ("Ann喜欢《三體》", ("我喜欢《三体》",)),
        ("Ann works for the Canadian post", ("I work for Canada Post",)),
        ("Ann's friend Jonathan called", ("my friend Jon called",)),
    ],
)
def test_a_name_may_stand_before_in_any_case_or_script(text: str, told: tuple[str, ...]) -> None:
    assert lack(text, said(*told)) in (None, Lack.NAME if "Jonathan" in text else None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann moved to Munich", "I moved to Berlin"),
        ("Ann 用 Django 写了后端", "后端用flask写的"),
        ("Ann喜欢《三体》", "我喜欢《流浪地球》"),
        ("Monica moved to the coast", "I moved to the coast"),
    ],
)
def test_a_name_that_nobody_said_is_doubted(text: str, told: str) -> None:
    assert lack(text, said(told)) is Lack.NAME


def test_an_answer_is_held_against_what_it_quotes_not_the_turn_before() -> None:
    turns = [
        *said("How many cats have you got, three?", by=BEN),
        *said("4 buses are late", by=Speaker("903", "Cleo")),
        *said("Yes"),
    ]
    turns = [replace(each, seq=n) for n, each in enumerate(turns, start=1)]
    assert lack("Ann has 3 cats", turns) is Lack.NUMBER
    quoting = [*turns[:2], replace(turns[2], quoted=1)]
    assert lack("Ann has 3 cats", quoting) is None
    assert lack("Ann has 4 cats", quoting) is Lack.NUMBER


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann eats peanuts", "I don't eat peanuts"),
        ("Ann does not eat peanuts", "I eat peanuts every day"),
        ("Ann 喜欢香菜", "我不喜欢香菜"),
        ("Ann 不吃香菜", "我喜欢吃香菜"),
    ],
)
def test_what_is_denied_on_one_side_alone_is_doubted(text: str, told: str) -> None:
    assert lack(text, said(told)) is Lack.NEGATION


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann remembers her first concert", "I'll never forget my first concert"),
        ("Ann hates coriander", "I can't stand coriander"),
        ("Ann 讨厌香菜", "我不喜欢香菜"),
        ("Ann quit smoking", "I no longer smoke, quit last month"),
        ("Ann lost her keys", "I can't find my keys, I lost them"),
    ],
)
def test_a_denial_may_be_said_in_other_words(text: str, told: str) -> None:
    assert lack(text, said(told)) is None


def test_what_somebody_says_of_themselves_is_nobody_elses() -> None:
    talk = [*said("How are you?", by=BEN), *said("I broke my arm", by=ANN)]
    assert lack("Ann broke an arm", talk) is None
    assert lack("Ben broke an arm", talk) is Lack.SUBJECT
    talk = [*said("Hello", by=BEN), *said("Hey Ben, I broke my arm", by=ANN)]
    assert lack("Ben broke an arm", talk) is Lack.SUBJECT
    talk = [*said("Hello", by=BEN), *said("Ben broke his arm", by=ANN)]
    assert lack("Ben broke an arm", talk) is None
    talk = [*said("Hello", by=BEN), *said("you broke your arm again?", by=ANN)]
    assert lack("Ben broke an arm", talk) is None


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_held_against_any_other(text: str, told: str) -> None:
    turns = said(told)
    candidate = Candidate(text, "", (1,))
    doubt(candidate, grounds_of(candidate, turns), UTC)


@given(st.text(max_size=100))
def test_what_is_repeated_word_by_word_counts_with_no_other_number(told: str) -> None:
    found = doubt(Candidate(told, "", (1,)), grounds_of(Candidate(told, "", (1,)), said(told)), UTC)
    assert found is None or found.lack is not Lack.NUMBER


@pytest.mark.parametrize("text", ["一直", "十分", "万一", "一个", "one of them", "a couple"])
def test_what_counts_nothing_is_no_figure(text: str) -> None:
    assert not figures(text)
