"""One line for a slot and one for a story, with what each tells."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Claim
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.ports import Filter, Order
from astrbot_plugin_tidemark.core.recall.block import Style
from astrbot_plugin_tidemark.core.recall.provenance import asks_for_story, told
from astrbot_plugin_tidemark.core.recall.slots import (
    ends_of_turns,
    histories,
    in_one_line,
    older_in_slots,
    slots_of,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from astrbot_plugin_tidemark.core.records.threads import (
    StoryLine,
    composed,
    line_of,
    lines_of,
    with_lines,
    without,
)
from hypothesis import example, given
from hypothesis import strategies as st

from ...samples import memory

STYLE = Style("en", lambda at: f"day {at:.0f}")


def claim(
    id: str, value: str, since: float, until: float | None = None, attribute: str = "residence"
) -> Memory:
    told = Claim("@", attribute, value, since, until)
    return memory(f"lives in {value}", id=id, claim=told, created_at=since or 1.0)


HUNTED = [claim("a", "Lyon", 1.0, 5.0), claim("b", "Oslo", 5.0, 9.0), claim("c", "Bath", 9.0)]


class Shelf:
    """A reader of these claims."""

    def __init__(self, *held: Memory) -> None:
        self.held = held

    async def page(self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 1) -> list:
        assert where.slots is not None
        return [m for m in self.held if m.claim and m.claim.slot in where.slots]


def found(*ids: str) -> list[Fused]:
    return [Fused(id, (), 1.0 - place / 10) for place, id in enumerate(ids)]


async def slots(*held: Memory, of: str = "a"):
    records = {each.id: each for each in held}
    return await slots_of(found(of), records, Shelf(*held))


async def test_whatever_was_found_of_a_slot_its_line_tells_what_holds() -> None:
    own = await slots(*HUNTED)
    (lead, *rest) = in_one_line(found("a", "x", "b"), own)
    assert (lead.memory, lead.via, lead.score, lead.drop) == ("c", "a", 1.0, None)
    assert [(each.memory, each.drop) for each in rest] == [
        ("a", Drop.SUPERSEDED),
        ("x", None),
        ("b", Drop.SUPERSEDED),
    ]
    assert {each.behind for each in rest if each.drop} == {"c"}
    held = HUNTED[:2]
    (lead, other) = in_one_line(found("a"), await slots(*held))
    assert (lead.memory, other.memory, other.drop) == ("b", "a", Drop.SUPERSEDED)
    assert await slots_of(found("m"), {"m": memory(id="m")}, Shelf()) == {}


async def test_a_line_tells_what_held_before_each_of_several_its_own() -> None:
    told = histories([HUNTED[2]], await slots(*HUNTED), STYLE)
    assert told == {"c": "Oslo, day 5 to day 9; Lyon, day 1 to day 5"}
    held = [claim("a", "Lyon", 5.0, 5.0), claim("c", "Bath", 9.0)]
    assert histories([held[1]], await slots(*held), STYLE) == {}


@pytest.mark.parametrize(
    ("value", "later", "older"),
    [("green tea", {}, {"a": "b"}), ("green tea", {"denied": True}, {"a": "b"}), ("sleep", {}, {})],
)
async def test_of_several_values_one_is_older_where_a_later_one_is_of_the_like(
    value: str, later: dict[str, bool], older: dict[str, str]
) -> None:
    """A block marked tea as said before sleep."""
    held = [claim("a", "tea", 1.0, attribute="like"), claim("b", value, 2.0, attribute="like")]
    held[1] = replace(held[1], claim=replace(held[1].claim, **later))
    own = await slots(*held)
    assert in_one_line(found("a", "b"), own) == found("a", "b")
    assert histories(held, own, STYLE) == {}
    records = {each.id: each for each in held}
    assert older_in_slots(found("b", "a"), records) == older
    over = replace(held[0], claim=replace(held[0].claim, valid_to=5.0))
    assert older_in_slots(found("b", "a"), records | {"a": over}) == {}


async def test_a_raw_turn_of_what_is_over_says_since_when_and_what_is_so_now() -> None:
    over = memory("x", id="a", claim=HUNTED[0].claim, origin=Origin(turns=(3,)))
    raw = memory("I live in Lyon", id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(3,)))
    records = {"a": over, "raw": raw}
    ends, instead = ends_of_turns([raw], records, await slots(over, HUNTED[2]))
    assert (ends, instead) == ({"raw": 5.0}, {"raw": "Bath"})
    [denial] = [replace(each, claim=replace(each.claim, denied=True)) for each in HUNTED[2:3]]
    assert ends_of_turns([raw], records, await slots(over, denial)) == ({"raw": 5.0}, {})


@pytest.mark.parametrize("others", [(), (memory("y", id="y", origin=Origin(turns=(3,))),)])
async def test_a_turn_of_which_something_still_holds_has_no_end(others: tuple[Memory, ...]) -> None:
    holds = memory("x", id="a", claim=HUNTED[2].claim, origin=Origin(turns=(3,)))
    raw = memory("I live in Bath", id="raw", kind=Kind.EVIDENCE, origin=Origin(turns=(3,)))
    records = {each.id: each for each in (holds, raw, *others)}
    assert ends_of_turns([raw], records, {}) == ({}, {})


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
