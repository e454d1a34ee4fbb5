"""What counts from the day it was said is told with its own day when it is read on another."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_tidemark.core.model.times import local_date
from astrbot_plugin_tidemark.core.recall.relative_days import with_days

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


def test_a_day_that_stands_before_it_is_not_told_twice() -> None:
    assert told("starts tomorrow", "said 2025-06-16, about 2025-06-17") == "starts tomorrow"
    line = (
        "明天 (2025-06-17)要去体检，明天别吃早饭，后天 (2025-06-18)拿报告，3天后 (2025-06-19)复诊"
    )
    assert told("明天要去体检，明天别吃早饭，后天拿报告，3天后复诊") == line


@pytest.mark.parametrize(
    "text",
    ["明天（6月17日）要去体检", "6月17号明天要去体检", "I see the dentist tomorrow, 2025-06-17"],
)
def test_a_day_that_the_text_tells_by_its_number_is_not_told_twice(text: str) -> None:
    assert told(text) == text
