"""Events: of which type what people say is, and which of it tells of the same one."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.capture.events import event_type_of, same_event
from astrbot_plugin_tidemark.core.model.knowledge import Entity, EventType
from astrbot_plugin_tidemark.core.model.memory import Memory

from ...samples import memory

DAY = 86_400.0


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("我下周去大阪旅行", EventType.TRIP),
        ("昨天买了一台新电脑", EventType.PURCHASE),
        ("我約了週五看牙醫", EventType.APPOINTMENT),
        ("妈妈上周住院了", EventType.ILLNESS),
        ("我们下个月搬到上海", EventType.MOVE),
        ("今天开了一下午会", EventType.MEETING),
        ("我下周三有个面试", EventType.EXAM),
        ("上周参加了表妹的婚礼", EventType.CELEBRATION),
        ("我入职新公司了", EventType.JOB),
        ("毕设答辩结束了", EventType.PROJECT),
        ("I bought a new bike yesterday", EventType.PURCHASE),
        ("We went on a trip to Rome", EventType.TRIP),
        ("I have a dentist appointment on Friday", EventType.APPOINTMENT),
        ("I caught a cold", EventType.ILLNESS),
        ("We moved into a new flat", EventType.MOVE),
        ("My sister got married", EventType.CELEBRATION),
        ("I passed my driving test", EventType.EXAM),
        ("I quit my job", EventType.JOB),
        ("I had lunch with Anna", EventType.MEETING),
        ("I'm working on a big project", EventType.PROJECT),
    ],
)
def test_what_is_told_is_of_a_type(text: str, type: EventType) -> None:
    assert event_type_of(text) is type


@pytest.mark.parametrize(
    "text",
    [
        "你去过日本吗？",
        "我喜欢旅行",
        "我每年都去体检",
        "我住在上海",
        "我对花生过敏",
        "Did you buy a bike?",
        "I love going on trips",
        "We are moving on to the next topic",
        "I got a new boss",
        "",
        "x" * 5_000,
    ],
)
def test_questions_tastes_and_facts_are_no_events(text: str) -> None:
    assert event_type_of(text) is None


def telling(text: str, days: float = 0.0, *names: str) -> Memory:
    entities = tuple(Entity(name, name) for name in names)
    return replace(memory(text), happened_at=days * DAY, entities=entities)


@pytest.mark.parametrize(
    ("one", "other", "type", "same"),
    [
        (("I bought a red bike", 0), ("The red bike I bought is fast", 2), "purchase", True),
        (("I bought a red bike", 0), ("I bought red shoes", 2), "purchase", False),
        (("I bought a red bike", 0), ("The red bike I bought is fast", 90), "purchase", False),
        (("去大阪旅行", 0, "大阪"), ("订了大阪的酒店", 5, "大阪"), "trip", True),
        (("去大阪旅行", 0, "大阪"), ("去成都旅行", 5, "成都"), "trip", False),
        (("旅行", 0), ("去旅行了", 0), "trip", False),
    ],
)
def test_the_same_is_told_of_near_in_time_and_of_the_same_things(
    one: tuple[str, float], other: tuple[str, float], type: str, same: bool
) -> None:
    assert same_event(telling(*one), telling(*other), EventType(type)) is same
