"""Causes that people say in a turn of their own, and what only looks like one."""

import pytest
from astrbot_plugin_tidemark.core.capture.settling import said_causes
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker, Turn

from ...samples import turn

MOVED, SEEN = "I moved across town last week", "I see."
BEN = Speaker("902", "Ben")


def talk(*texts: str) -> list[Turn]:
    roles = (Role.USER, Role.ASSISTANT)
    return [turn(n, text, roles[n % 2]) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("effect", "reply", "cause"),
    [
        (MOVED, SEEN, "because they drilled through the walls at seven"),
        (MOVED, SEEN, "Well, mainly because the walls were drilled at seven"),
        (MOVED, SEEN, "The reason was the drilling upstairs every morning"),
        (MOVED, "Oh! Why did you move?", "They drilled through the walls at seven"),
        (MOVED, "I see. What happened?", "They drilled through the walls at seven"),
        ("我上周搬到城西了", "嗯。", "因为楼上装修，天天早上七点开始砸墙"),
        ("我上周搬到城西了", "嗯。", "主要是因为楼上天天早上七点砸墙"),
        ("我上周搬到城西了", "怎么突然搬家了？", "楼上装修，天天早上七点开始砸墙"),
    ],
)
def test_a_reason_is_the_cause_of_what_was_told_before(effect: str, reply: str, cause: str) -> None:
    assert list(said_causes(talk(effect, reply, cause))) == [(1, 3)]


@pytest.mark.parametrize(
    ("cause", "effect"),
    [
        ("They drilled through the walls at seven", "So I moved across town last week"),
        ("They drilled through the walls at seven", "That's why we moved across town"),
        ("楼上装修，天天早上七点开始砸墙", "所以我上周搬到城西了"),
    ],
)
def test_what_follows_by_its_first_word_came_of_what_was_before(cause: str, effect: str) -> None:
    assert list(said_causes(talk(cause, SEEN, effect))) == [(3, 1)]


@pytest.mark.parametrize(
    "texts",
    [
        (MOVED, SEEN, "They drilled through the walls at seven"),
        (MOVED, SEEN, "Because it rained all day, I stayed at home reading"),
        (MOVED, SEEN, "因为下雨，所以我一整天待在家里看书"),
        (MOVED, SEEN, "So how are your plans for the weekend going?"),
        (MOVED, SEEN, "Why did they sell the house next door?"),
        (MOVED, "Why?", "OK"),
        ("Hello there", "Why?", "because the walls were drilled at seven"),
        ("because the walls were drilled at seven",),
        (MOVED, SEEN, "Because " + "the walls were drilled at seven and " * 20),
    ],
)
def test_nothing_is_made_of(texts: tuple[str, ...]) -> None:
    assert list(said_causes(talk(*texts))) == []


def test_nobody_gives_the_reason_for_what_another_tells_and_chains_are_linked() -> None:
    said = turn(2, "because the walls were drilled at seven", speaker=BEN)
    assert list(said_causes([turn(0, MOVED), said])) == []
    asked = turn(1, "Why did you move?", Role.ASSISTANT, private_reply=True)
    answer = turn(2, "They drilled through the walls at seven")
    assert list(said_causes([turn(0, MOVED), asked, answer])) == []
    chain = talk(
        MOVED, "Why?", "They drilled through the walls at seven", "Why?", "The flat was sold"
    )
    assert list(said_causes(chain)) == [(1, 3), (3, 5)]
