"""Events and plans get the time that their speakers name, facts do not."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.capture.dating import dated, happened_at
from astrbot_plugin_tidemark.core.capture.statements import extract
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate, Lesson, Stated
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...samples import ANNS

WEDNESDAY = datetime(2026, 8, 12, 14, 30, tzinfo=UTC)


def turn(text: str, at: datetime = WEDNESDAY, seq: int = 1) -> Turn:
    place = Place("s", "c", ANNS.key)
    return Turn(seq, "e", place, Role.USER, Speaker("u", "小明"), text, at.timestamp())


def when(candidate: Candidate, *turns: Turn, zone: str = "UTC") -> datetime | None:
    told = turns or (turn(candidate.text),)
    (found,) = dated(Lesson(candidates=(candidate,)), told, ZoneInfo(zone)).candidates
    return None if found.happened_at is None else datetime.fromtimestamp(found.happened_at, UTC)


def learnt(text: str) -> datetime | None:
    """What the forms learn from one message, dated."""
    said = [turn(text)]
    (found,) = dated(extract(said, UTC), said, UTC).candidates
    return None if found.happened_at is None else datetime.fromtimestamp(found.happened_at, UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("下周三我要去体检", datetime(2026, 8, 19, tzinfo=UTC)),
        ("下周我要去北京出差", datetime(2026, 8, 17, tzinfo=UTC)),
        ("周五我要参加面试", datetime(2026, 8, 14, tzinfo=UTC)),
        ("I'll visit my parents next week", datetime(2026, 8, 17, tzinfo=UTC)),
        ("明天下午三点我要参加答辩", datetime(2026, 8, 13, 15, tzinfo=UTC)),
    ],
)
def test_a_plan_that_a_form_reads_is_dated(text: str, day: datetime) -> None:
    assert learnt(text) == day


def test_an_event_is_of_the_past_and_a_plan_of_the_future_by_the_last_turn() -> None:
    event = Candidate("小明周五参加了面试", "", (1,), kind=Kind.EPISODIC)
    assert when(event) == datetime(2026, 8, 7, tzinfo=UTC)
    assert when(replace(event, kind=Kind.PROSPECTIVE)) == datetime(2026, 8, 14, tzinfo=UTC)
    given = Candidate("x 昨天", "", (1,), kind=Kind.EPISODIC, happened_at=5.0)
    assert when(given) == datetime.fromtimestamp(5.0, UTC)
    assert when(Candidate("今年要学游泳", "", (1,), kind=Kind.PROSPECTIVE)) is None
    both = Candidate("今天说定了，下周三去体检", "", (1,), kind=Kind.PROSPECTIVE)
    assert when(both) == datetime(2026, 8, 19, tzinfo=UTC)
    late = turn("昨天去爬山了", WEDNESDAY.replace(hour=20))
    event = Candidate("小明昨天去爬山了", "", (1,), kind=Kind.EPISODIC)
    assert when(event, late, zone="Asia/Shanghai") == datetime(2026, 8, 11, 16, tzinfo=UTC)
    turns = (turn("去吗", WEDNESDAY.replace(day=10)), turn("去", WEDNESDAY, 2))
    event = Candidate("小明昨天答应去爬山", "", (1, 2), kind=Kind.EPISODIC)
    assert when(event, *turns) == datetime(2026, 8, 11, tzinfo=UTC)


@pytest.mark.parametrize("kind", [Kind.SEMANTIC, Kind.PROCEDURAL])
def test_a_fact_that_names_a_time_has_none(kind: Kind) -> None:
    assert when(Candidate("小明的生日是十一月九日", "", (1,), kind=kind)) is None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Last night we went to the opera", datetime(2026, 8, 11, 18, tzinfo=UTC)),
        ("昨天去爬山了，腿好酸", datetime(2026, 8, 11, tzinfo=UTC)),
        ("三天前我见了老同学", datetime(2026, 8, 9, tzinfo=UTC)),
        ("我上周五面试过了", datetime(2026, 8, 7, tzinfo=UTC)),
        ("What a week! The day before yesterday I moved.", datetime(2026, 8, 10, tzinfo=UTC)),
    ],
)
def test_a_message_that_names_a_day_that_is_over_happened_then(said: str, day: datetime) -> None:
    assert happened_at(said, WEDNESDAY.timestamp(), UTC) == day.timestamp()


@pytest.mark.parametrize(
    "said",
    [
        "What did I do last night?",
        "昨天我说了什么",
        "Last year I moved to Rome",
        "明天去看牙医",
        "周五考试",
        "刚才吃了饭",
        "I keep bees",
    ],
)
def test_a_question_a_plan_and_what_took_longer_happened_when_said(said: str) -> None:
    assert happened_at(said, WEDNESDAY.timestamp(), UTC) is None


def since(said: str, value: str, attribute: str = "job") -> float | None:
    """Since when a value is so, by what was said."""
    candidate = Candidate(said, "", (1,), claim=Stated(attribute, value))
    (found,) = dated(Lesson(candidates=(candidate,)), [turn(said)], UTC).candidates
    return found.claim.since


def test_a_date_that_is_the_value_is_none_since_when_it_is_so() -> None:
    """Of "the 27th June" the article stands outside of the value: it was so since last year."""
    assert since("The wedding's put back to the 7th June", "7th June", "marriage_date") is None
