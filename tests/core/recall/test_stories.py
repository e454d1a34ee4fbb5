"""Which turns ask how something went, and how a thread is told in a prompt."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.stories import asks_for_story, told
from astrbot_plugin_tidemark.core.records.threads import (
    StoryLine,
    composed,
    line_of,
    lines_of,
    with_lines,
    without,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ...samples import memory

LINES = (
    StoryLine("2026-03-01 a storm", ("a",)),
    StoryLine("2026-03-02 we stayed", ("b", "c"), ("a",)),
    StoryLine("2026-03-04 the ferry", ("d",), ("c", "a")),
)


def thread(lines: tuple[StoryLine, ...] = LINES) -> Memory:
    fragments = [memory(id=id, kind=Kind.EPISODIC) for id in "abcd"]
    return composed("t", "ferry", fragments, lines)


@pytest.mark.parametrize(
    "text",
    [
        "后来怎么样了",
        "面试后来怎么样了？",
        "讲讲买房子的来龙去脉",
        "小雨换工作的前因后果是什么",
        "搬家那件事有什么进展",
        "what happened with the flat?",
        "What became of my sister's shop?",
        "what ever happened to Rex",
        "How did the interview go?",
        "how is the move coming along?",
        "Tell me the story of our trip to Osaka",
        "any news about the lawsuit?",
    ],
)
def test_it_asks_for_a_story(text: str) -> None:
    assert asks_for_story(text)


@pytest.mark.parametrize(
    "text",
    [
        "我的猫叫什么",
        "为什么换工作",
        "怎么做番茄面",
        "推荐一家餐馆",
        "what is my cat's name",
        "How do I get to Osaka?",
        "how did you know",
        "what happens at noon",
        "why did I quit",
    ],
)
def test_it_asks_for_something_else(text: str) -> None:
    assert not asks_for_story(text)


def test_what_is_gone_takes_every_line_that_rests_on_it_and_no_other() -> None:
    left = without(thread(), {"b"})
    assert left is not None
    assert lines_of(left) == [LINES[0], StoryLine("2026-03-04 the ferry", ("d",), ("a",))]
    assert without(thread(), {"b", "d"}) is None
    assert tuple(lines_of(thread())) == LINES
    assert thread().tells == ("a", "b", "c", "d")
    assert told(thread()) == (
        "2026-03-01 a storm; 2026-03-02 we stayed (← 2026-03-01);"
        " 2026-03-04 the ferry (← 2026-03-02, 2026-03-01)"
    )


def test_a_line_that_names_what_the_thread_does_not_tell_is_none() -> None:
    foreign = f"{thread().text}\n2026-03-05 made up [9]\n2026-03-06 cites nothing\nend [1]x"
    assert tuple(lines_of(with_text(foreign))) == LINES


def with_text(text: str) -> Memory:
    return replace(thread(), text=text)


@settings(deadline=None)
@example("see [2]")
@example("see [2] ←")
@example("see [2] ← [1]")
@example(" ")
@given(st.text(min_size=1, max_size=60))
def test_no_text_of_a_memory_adds_a_line_or_a_number(text: str) -> None:
    fragments = [memory(text, id="a"), memory("the end", id="b")]
    lines = [line_of(each, "2026-03-01") for each in fragments]
    whole = composed("t", "", fragments, lines)
    assert [line.told for line in lines_of(whole)] == [("a",), ("b",)]
    assert with_lines(whole, lines_of(whole)) == whole
