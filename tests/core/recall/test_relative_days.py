"""Days that a line tells: what was relative, and what has moved since."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Intention
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin, Succession, Successor
from astrbot_plugin_tidemark.core.model.times import local_date
from astrbot_plugin_tidemark.core.recall.profile import with_days
from astrbot_plugin_tidemark.core.recall.slots import moved_since

from ...samples import memory

MONDAY = datetime(2025, 6, 16, 19, tzinfo=UTC).timestamp()


def told(text: str, known: str = "2025-06-16") -> str:
    return with_days(text, MONDAY, UTC, lambda at: local_date(at, UTC), "{told} ({date})", known)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Tom starts tomorrow, I think", "Tom starts tomorrow (2025-06-17), I think"),
        ("Jo stays next week", "Jo stays next week (2025-06-23 – 2025-06-29)"),
        ("we fly in two weeks", "we fly in two weeks (2025-06-30)"),
        ("他明天出差，下个月一号回", "他明天 (2025-06-17)出差，下个月一号 (2025-07-01)回"),
        ("昨天搬的", "昨天 (2025-06-15)搬的"),
    ],
)
def test_what_counts_from_the_day_it_was_said_has_its_day(text: str, dated: str) -> None:
    """ "Jo is coming next week" was read two weeks later, without a word of which week that was."""
    assert told(text) == dated


@pytest.mark.parametrize(
    "text",
    [
        "I have a headache today",
        "我今天头疼",
        "the dentist is on Thursday",
        "周末去爬山",
        "we married on 14 May 2011",
        "2019年5月3日搬来的",
        "I run every Thursday",
        "我每天早上跑步",
        "I work at 9",
        "last year was hard",
        "今年刚退休",
        "小时候住在重庆",
        "I live in Leeds",
    ],
)
def test_what_needs_no_day_or_may_mean_two_is_left_as_it_was_said(text: str) -> None:
    assert told(text) == text


def test_days_told_again_or_put_off_are_told_once_with_both() -> None:
    assert told("starts tomorrow", "said 2025-06-16, about 2025-06-17") == "starts tomorrow"
    line = (
        "明天 (2025-06-17)要去体检，明天别吃早饭，后天 (2025-06-18)拿报告，3天后 (2025-06-19)复诊"
    )
    assert told("明天要去体检，明天别吃早饭，后天拿报告，3天后复诊") == line
    old = planned("old", 19, 1, successor=Successor("new", Succession.UPDATES))
    assert moved(DENTIST, old, planned("new", 23, 7)) == at(23)
    dated = replace(old, text="Ann sees the dentist on 19 June 2025")
    assert moved(dated, planned("new", 23, 7)) == at(23)
    assert moved(DENTIST, planned("p", 23, 1, 7)) == at(23)
    assert moved(DENTIST, planned("p", 19, 1, 7)) is None
    assert moved(DENTIST, planned("p", 19, 1)) is None
    assert moved(raw("I must see the dentist"), planned("p", 23, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 1, 7), planned("q", 25, 1, 7)) is None
    assert moved(DENTIST, planned("p", 23, 2, 7)) is None
    assert moved(raw("the dentist's moved to Monday", 7), planned("p", 23, 1, 7)) is None


@pytest.mark.parametrize(
    "text",
    ["明天（6月17日）要去体检", "6月17号明天要去体检", "I see the dentist tomorrow, 2025-06-17"],
)
def test_a_day_that_the_text_tells_by_its_number_is_not_told_twice(text: str) -> None:
    assert told(text) == text


def at(day: int, hour: int = 9) -> float:
    return datetime(2025, 6, day, hour, tzinfo=UTC).timestamp()


def planned(id: str, day: int, *turns: int, **changes: Any) -> Memory:
    plan = memory(f"plan {id}", id=id, kind=Kind.PROSPECTIVE, intention=Intention(due_at=at(day)))
    return replace(plan, origin=Origin("", "", "", turns), **changes)


def raw(text: str, turn: int = 1) -> Memory:
    said = memory(text, id=text, kind=Kind.EVIDENCE, created_at=at(16))
    return replace(said, origin=Origin("", "", "", (turn,)))


def moved(shown: Memory, *known: Memory) -> float | None:
    records = {each.id: each for each in (shown, *known)}
    return moved_since([shown], records, UTC).get(shown.id)


DENTIST = raw("I've got the dentist on Thursday at 2")


def told_on(text: str, day: int, speaker: str = "901") -> Memory:
    said = memory(text, id=text, kind=Kind.EVIDENCE, created_at=at(day))
    return replace(said, speaker=Speaker(speaker, speaker))


FIRST = told_on("聚会6月29日", 2)


def test_of_what_was_told_for_two_days_the_former_tells_the_later() -> None:
    """Whatever words tell that it was moved: the day is another, the rest is said again."""
    first = told_on("The offsite is on June 29", 1)
    second = told_on("The offsite got moved to July 5", 2)
    shown = moved_since([first, second], {}, UTC)
    assert shown == {first.id: datetime(2025, 7, 5, tzinfo=UTC).timestamp()}


def test_the_same_day_another_matter_another_person_and_a_question_move_nothing() -> None:
    for later in (
        told_on("聚会还是6月29日", 3),
        told_on("我7月5日去看牙医", 3),
        told_on("聚会改到7月5日了", 3, "902"),
        told_on("聚会是7月5日吗？", 3),
        told_on("聚会改到7月5日了", 1),
    ):
        assert moved_since([FIRST, later], {}, UTC) == {}
