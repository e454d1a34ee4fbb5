"""A question about a time finds what happened then, and what tells of it."""

from datetime import UTC, datetime, timedelta

import pytest
from astrbot_plugin_tidemark.core.languages.times import Interval, without_times
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.time_nearness import (
    TOUCHING,
    asked_about,
    closeness,
    nearness,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ...samples import memory

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)
times = st.floats(-1e11, 1e11)
lengths = st.floats(0, 1e8)
intervals = st.builds(lambda start, length: Interval(start, start + length), times, lengths)


def said(text: str, days_ago: float, *, happened: float | None = None) -> Memory:
    at = (NOW - timedelta(days=days_ago)).timestamp()
    after = at if happened is None else (NOW - timedelta(days=happened)).timestamp()
    return memory(text, created_at=at, happened_at=after)


def near(question: str, record: Memory) -> float:
    return nearness(asked_about(question, NOW.timestamp(), UTC), record, UTC)


def test_what_was_said_happened_or_is_told_of_the_time_asked_about_is_nearest() -> None:
    assert near("上周聊了什么", said("我买了帐篷", 6)) == 1.0
    assert near("What did we do last week?", said("I bought a tent", 6)) == 1.0
    assert near("上周日做了什么", said("昨天去爬山了", 2)) == 1.0
    assert near("上周日做了什么", said("下周末去爬山", 10)) < 1.0
    assert near("去年国庆去了哪里", said("在青岛看海", 20, happened=315)) == 1.0
    last, coming = said("考试", 5), said("考试", 1, happened=-2)
    assert near("周五有什么", last) == near("周五有什么", coming) == 1.0


def test_the_vaguer_and_the_further_off_the_less_near() -> None:
    exact, vague = said("2025年3月5日搬了家", 1), said("去年搬了家", 1)
    assert TOUCHING < near("2025年3月我在做什么", vague) < near("2025年3月我在做什么", exact) == 1.0
    found = [near("昨天怎么样", said("下雨", days)) for days in (1, 2, 4, 8, 400)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.001
    assert asked_about("你好呀", NOW.timestamp(), UTC) == ()
    assert near("你好呀", said("昨天去爬山了", 1)) == 0.0


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("上周五我们聊了什么", "我们聊了什么"),
        ("What did I eat last night?", "What did I eat ?"),
        ("昨天", ""),
        ("你好呀", "你好呀"),
    ],
)
def test_expressions_of_time_are_taken_out_of_a_question(text: str, rest: str) -> None:
    assert without_times(text, NOW.timestamp(), UTC) == rest


@settings(deadline=None)
@given(intervals, intervals)
def test_closeness_is_a_share(asked: Interval, told: Interval) -> None:
    assert 0.0 <= closeness(asked, told) <= 1.0


@settings(deadline=None)
@given(intervals, times, st.floats(0, 1e9))
def test_closeness_never_rises_with_distance(asked: Interval, at: float, more: float) -> None:
    away = at + more if at >= asked.end else at - more
    if at >= asked.end or at <= asked.start:
        assert closeness(asked, Interval(away, away)) <= closeness(asked, Interval(at, at))


@settings(deadline=None)
@given(intervals)
@example(Interval(0.0, 5e-324))
def test_a_time_is_closest_to_itself(asked: Interval) -> None:
    assert closeness(asked, asked) == pytest.approx(1.0)
