"""A fact stands in the turns that it cites: its words, its numbers, its speaker."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.capture.citing import cited
from astrbot_plugin_tidemark.core.capture.grounding import Lack, doubt, figures, grounds_of
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Stated, ToldFact
from astrbot_plugin_tidemark.core.model.memory import Kind
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


MINA, TOM = Speaker("1", "Mina"), Speaker("2", "Tom")
CHAT = [
    turn(1, "我是米娜，在厦门开面包店，我对芒果过敏", speaker=MINA),
    turn(2, "那就做蓝莓司康吧，周日休息一下", role=Role.ASSISTANT),
    turn(3, "I moved from Bergen to Oslo last May, by the way", speaker=MINA),
    turn(4, "My cat is called Pixel and I can't stand jazz", speaker=TOM),
]


def told(fact: str, words: str = "", *turns: int, **more: Any) -> ToldFact:
    return ToldFact(Candidate(fact, fact, turns, **more), words)


def kept(*facts: ToldFact, chat: list[Turn] = CHAT) -> list[tuple[str, tuple[int, ...], str]]:
    return [(each.text, each.turns, each.doubt) for each in cited(facts, chat, UTC)]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("我对芒果过敏", 1),
        ("对芒果过敏！", 1),
        ("i MOVED from Bergen to Oslo", 3),
        ("I moved from Bergen to Oslo in", 3),
        ("my cat is called Pixel", 4),
    ],
)
def test_copied_words_are_found_in_their_line(words: str, place: int) -> None:
    fact = {1: "米娜对芒果过敏", 3: "Mina moved from Bergen to Oslo", 4: "Tom's cat is Pixel"}[
        place
    ]
    assert kept(told(fact, words)) == [(fact, (place,), "")]


@pytest.mark.parametrize("words", ["做蓝莓司康吧", "周日休息", "I live in Rome", "ox", "?!"])
def test_what_no_person_said_is_no_fact(words: str) -> None:
    assert kept(told("米娜想做蓝莓司康", words)) == []


def test_without_words_the_named_line_counts_and_a_wrong_sentence_is_not_kept() -> None:
    assert kept(told("米娜周日休息", "", 2)) == []
    assert kept(told("Tom can't stand jazz", "", 4, 9)) == [("Tom can't stand jazz", (4,), "")]
    assert kept(told("Tom can't stand jazz")) == [("Tom can't stand jazz", (4,), "")]
    assert kept(told("Tom sails around the world")) == []
    chat = [turn(1, "哈哈哈哈", speaker=MINA), turn(2, "I'm vegan", speaker=MINA)]
    assert kept(told("米娜让我讲个笑话", "哈哈哈哈"), chat=chat) == []
    assert kept(told("I'm vegan", "I'm vegan"), chat=chat) == [("Mina said: “I'm vegan”", (2,), "")]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("Mina moved from Bergen to Paris", "I moved from Bergen to Oslo"),
        ("Mina lives in Oslo with 3 sisters", "I moved from Bergen to Oslo"),
        ("Mina bought a lovely villa near the harbour of Oslo", "I moved from Bergen to Oslo"),
        ("Mina is called米娜 and has a bakery", "I moved from Bergen to Oslo"),
        ("I moved from Bergen to Oslo", "I moved from Bergen to Oslo"),
    ],
)
def test_where_the_sentence_says_more_the_words_are_the_memory(fact: str, words: str) -> None:
    stated = Stated("residence", "Paris")
    (candidate,) = cited([told(fact, words, claim=stated)], CHAT, UTC)
    assert (candidate.text, candidate.claim, candidate.doubt) == (f"Mina said: “{words}”", None, "")


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("米娜1970-01-01在厦门开面包店", "米娜在厦门开面包店"),
        ("米娜 1970-01-01: 在厦门开面包店", "米娜 在厦门开面包店"),
        ("米娜1970-01-02在厦门开面包店", "Mina说：“在厦门开面包店”"),
        ("米娜在厦门开面包店1970-01-01", "米娜在厦门开面包店1970-01-01"),
    ],
)
def test_the_day_of_the_line_s_head_is_no_part_of_what_was_said(fact: str, text: str) -> None:
    (candidate,) = cited([told(fact, "在厦门开面包店", about=("米娜",))], CHAT, UTC)
    assert candidate.text == text
    assert candidate.summary in candidate.text


@pytest.mark.parametrize(
    ("day", "right"),
    [("1970-01-09", True), ("1970-01-08", False), ("1970-09-01", False), ("70-01-01", False)],
)
def test_a_day_of_a_sentence_is_one_that_was_told_as_a_whole(day: str, right: bool) -> None:
    chat = [turn(1, "下周五一月一号的票改签了，70块", speaker=MINA)]
    (candidate,) = cited([told(f"米娜{day}的票改签了", "票改签了")], chat, UTC)
    assert (candidate.text == f"米娜{day}的票改签了") is right


@pytest.mark.parametrize(
    ("fact", "day"),
    [
        ("Mina wants to renew her insurance", 20),
        ("Mina wants to renew her insurance on 1970-01-01", 20),
        ("Mina wants to renew her insurance before 1970-01-20", None),
    ],
)
def test_a_plan_is_for_the_time_that_its_words_tell(fact: str, day: int | None) -> None:
    chat = [turn(1, "remind me to renew my insurance before January 20", speaker=MINA)]
    plan = told(fact, "renew my insurance before January 20", kind=Kind.PROSPECTIVE)
    (candidate,) = cited([plan], chat, UTC)
    at = candidate.happened_at
    assert (at and datetime.fromtimestamp(at, UTC).day) == day


def test_words_of_any_length_stay_within_the_bounds_of_a_memory() -> None:
    long = "我" + "在厦门的海边慢慢走了很久" * 60
    (candidate,) = cited([told("我走了很久", long[:500])], [turn(1, long, speaker=MINA)], UTC)
    assert candidate.text.startswith("Mina说：“我在厦门")
    assert (len(candidate.text), len(candidate.summary)) == (500, 120)


def test_nobody_is_quoted_or_claimed_to_say_what_they_did_not() -> None:
    ((text, turns, doubt),) = kept(told("Tom hates blues", "Tom's cat is called Pixel and he"))
    assert (turns, doubt) == ((4,), "")
    assert text == "Tom said: “My cat is called Pixel and I can't stand jazz”"
    ((text, turns, doubt),) = kept(told("Mina can't stand jazz", "I can't stand jazz"))
    assert (text, turns, doubt) == ("Tom said: “I can't stand jazz”", (4,), "")
    assert kept(told("Mina is allergic to mango", "我对芒果过敏")) == [
        ("Mina is allergic to mango", (1,), "")
    ]
    assert len(kept(*[told("米娜对芒果过敏", "我对芒果过敏")] * 9)) == 1
    (candidate,) = cited(
        [told("米娜对芒果过敏", "我对芒果过敏", claim=Stated("date", "2025-06-24"))], CHAT, UTC
    )
    assert candidate.claim is None
    (candidate,) = cited(
        [told("米娜对芒果过敏", "我对芒果过敏", claim=Stated("allergy", "芒果"))], CHAT, UTC
    )
    assert candidate.claim == Stated("allergy", "芒果")
    ((_, _, doubt),) = kept(told("Mina moved to Paris", "", 3))
    assert doubt == "name"
    ((_, _, doubt),) = kept(told("Mina collects porcelain swans", "", 3))
    assert doubt == "support"
