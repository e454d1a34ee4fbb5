"""A question for nothing but a time is told from one that asks for something at a time."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.recall.time_nearness import without_times
from astrbot_plugin_tidemark.core.recall.time_questions import asks_for_time_alone, looks_ahead

NOW = datetime(2026, 8, 12, 14, 30, tzinfo=UTC).timestamp()


def alone(text: str) -> bool:
    return asks_for_time_alone(text, without_times(text, NOW, UTC))


@pytest.mark.parametrize(
    "text",
    [
        "昨天我们聊了什么",
        "上周五我们都说了些什么？",
        "你还记得前天我们聊过啥吗",
        "昨天我做了什么",
        "明天有什么安排",
        "下周三我有什么计划？",
        "昨天发生了什么事情",
        "你昨天说了什么",
        "What did we talk about last Friday?",
        "what did I do yesterday",
        "What is planned for tomorrow?",
        "what’s on my agenda next Monday",
        "Do you remember what we discussed the day before yesterday?",
        "Did anything happen last week?",
    ],
)
def test_a_time_is_all_that_is_asked_for(text: str) -> None:
    assert alone(text)


@pytest.mark.parametrize(
    "text",
    [
        "昨天我吃了什么",
        "上周五我们聊的电影叫什么",
        "昨天小明说了什么",
        "明天的会议有什么安排",
        "what did I eat yesterday",
        "What did Ann talk about last Friday?",
        "When is the dentist tomorrow?",
    ],
)
def test_something_at_a_time_is_asked_for(text: str) -> None:
    assert not alone(text)


@pytest.mark.parametrize(
    "text", ["昨天我们聊过了", "今天是周五", "I did that yesterday", "See you tomorrow", "今天"]
)
def test_a_statement_asks_for_no_time(text: str) -> None:
    assert not alone(text)


@pytest.mark.parametrize(
    "text", ["你昨天干嘛了？", "What did you do yesterday?", "你今天有什么安排"]
)
def test_what_the_bot_did_is_no_question_to_its_memory(text: str) -> None:
    assert not alone(text)


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("周五有什么安排", True),
        ("What is planned for Friday?", True),
        ("What will we do on Friday?", True),
        ("周五我们聊了什么", False),
        ("你还记得周五我们聊了什么吗", False),
        ("What was going on on Friday?", False),
        ("What did we talk about on Friday?", False),
    ],
)
def test_what_is_planned_lies_ahead(text: str, ahead: bool) -> None:
    assert looks_ahead(text) is ahead


@pytest.mark.parametrize("text", ["今天周末么?", "中秋节？", "周末是什么？", "昨天呢？", "Today?"])
def test_a_question_about_the_time_itself_is_no_question_for_what_happened(text: str) -> None:
    assert not alone(text)
