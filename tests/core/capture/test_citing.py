"""The words of a fact are found again in a person's line, or it is no fact."""

from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.capture.citing import cited
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Stated, ToldFact
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...samples import turn

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
