"""English expressions of time mean what a speaker of English means by them."""

import pytest
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import read


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What did I do yesterday?", "2026-08-11"),
        ("the day before yesterday", "2026-08-10"),
        ("the day after tomorrow", "2026-08-14"),
        ("today's news", "2026-08-12"),
        ("last night", "2026-08-11 18:00..2026-08-11 23:59"),
        ("tonight", "2026-08-12 18:00..2026-08-12 23:59"),
        ("yesterday morning", "2026-08-11 05:00..2026-08-11 11:59"),
        ("this afternoon", "2026-08-12 12:00..2026-08-12 17:59"),
        ("tomorrow at 3pm", "2026-08-13 15:00..2026-08-13 15:59"),
        ("Meet me at 3:30 p.m.", "2026-08-12 15:30"),
        ("tomorrow at 12am", "2026-08-13 00:00..2026-08-13 00:59"),
        ("yesterday at 23:05", "2026-08-11 23:05"),
    ],
)
def test_days_and_their_hours(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("last Tuesday", "2026-08-11"),
        ("last Wednesday", "2026-08-05"),
        ("this Friday", "2026-08-14"),
        ("next Friday", "2026-08-21"),
        ("on Friday", "2026-08-07"),
        ("Monday next week", "2026-08-17"),
        ("last week", "2026-08-03..2026-08-09"),
        ("the week before last", "2026-07-27..2026-08-02"),
        ("the week after next", "2026-08-24..2026-08-30"),
        ("last weekend", "2026-08-08..2026-08-09"),
        ("over the weekend", "2026-08-08..2026-08-09"),
        ("next weekend", "2026-08-22..2026-08-23"),
        ("from Monday to Wednesday", "2026-08-10..2026-08-12"),
    ],
)
def test_weeks_and_their_days(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("in two weeks", "2026-08-26"),
        ("within 10 days", "2026-08-22"),
        ("three weeks ago", "2026-07-22"),
        ("a year ago", "2025-08-12"),
        ("twenty-one days ago", "2026-07-22"),
        ("a couple of weeks ago", "2026-07-29"),
        ("a few days ago", "2026-08-07..2026-08-10"),
        ("several months ago", "2026-03-12..2026-06-12"),
        ("half a year ago", "2026-02-12"),
        ("in 5 minutes", "2026-08-12 14:35"),
        ("two years from now", "2028-08-12"),
        ("the past three days", "2026-08-09..2026-08-12"),
        ("over the next few weeks", "2026-08-12..2026-09-16"),
        ("the last couple of months", "2026-03-12..2026-08-12"),
    ],
)
def test_what_is_counted_from_now(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("May 5th, 2024", "2024-05-05"),
        ("5 May", "2026-05-05"),
        ("the 3rd of March", "2026-03-03"),
        ("on 29 February", "2024-02-29"),
        ("2025-03-05", "2025-03-05"),
        ("May 2023", "2023-05-01..2023-05-31"),
        ("in March", "2026-03-01..2026-03-31"),
        ("last August", "2025-08-01..2025-08-31"),
        ("late May", "2026-05-22..2026-05-31"),
        ("last month", "2026-07-01..2026-07-31"),
        ("the end of next month", "2026-09-21..2026-09-30"),
        ("in 2023", "2023-01-01..2023-12-31"),
        ("since last year", "2025-01-01 00:00..2026-08-12 14:30"),
        ("the year before last", "2024-01-01..2024-12-31"),
        ("Q3 2024", "2024-07-01..2024-09-30"),
        ("the first half of last year", "2025-01-01..2025-06-30"),
        ("last summer", "2025-06-01..2025-08-31"),
        ("in the summer of 2023", "2023-06-01..2023-08-31"),
        ("this winter", "2026-12-01..2027-02-28"),
        ("Monday, 5 May 2025", "2025-05-05"),
        ("on the 15th", "2026-07-15"),
        ("at the end of 2023", "2023-09-02..2023-12-31"),
    ],
)
def test_years_months_and_dates(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("at Christmas", "2025-12-25"),
        ("last Christmas I gave you my heart", "2025-12-25"),
        ("next Halloween", "2026-10-31"),
        ("Easter 2024", "2024-03-31"),
        ("What did we eat on Thanksgiving?", "2025-11-27"),
        ("New Year’s Eve", "2025-12-31"),
        ("during Chinese New Year", "2026-02-17"),
        ("on Mother's Day", "2026-05-10"),
        ("on Memorial Day", "2026-05-25"),
        ("on Labor Day", "2025-09-01"),
        ("on St. Patrick's Day", "2026-03-17"),
    ],
)
def test_holidays(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("on Friday", "2026-08-14"),
        ("in March", "2027-03-01..2027-03-31"),
        ("on 29 February", "2028-02-29"),
        ("at Christmas", "2026-12-25"),
        ("Friday to Monday", "2026-08-14..2026-08-17"),
    ],
)
def test_of_what_comes_round_a_plan_means_the_next(text: str, meant: str) -> None:
    assert read(text, leaning=Leaning.FUTURE) == [meant]


@pytest.mark.parametrize(
    "text",
    [
        "I may go",
        "march on",
        "every Friday",
        "I have 3 dogs",
        "two years old",
        "a 3 week old kitten",
        "version 2024",
        "Christmas tree",
        "I love summer",
        "99999999 years ago",
        "a few years ago",
        "the second week",
        "on the 15th floor",
        "whenever you like",
        "the weather in London",
        "The last samurai",
        "The Sundays",
        "2024",
        "31 February",
    ],
)
def test_no_time_is_seen_where_none_is_meant(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What did she find in July 2023?", "2023-07-01..2023-07-31"),
        ("since October, 2023", "2023-10-01 00:00..2026-08-12 14:30"),
        ("on May 23, 2023", "2023-05-23"),
        ("on May 23rd", "2026-05-23"),
        ("by the 3rd of June 2024", "2024-06-03"),
        ("early July 2023", "2023-07-01..2023-07-10"),
        ("in July at 3pm", "2026-07-01..2026-07-31"),
    ],
)
def test_a_month_with_a_preposition_keeps_its_day_and_year(text: str, meant: str) -> None:
    assert read(text)[0] == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Board meeting at 3pm tomorrow", ["2026-08-13 15:00..2026-08-13 15:59"]),
        ("I left at 9:30 yesterday", ["2026-08-11 09:30"]),
        ("at 3pm today", ["2026-08-12 15:00..2026-08-12 15:59"]),
        ("dinner at 7pm on Friday", ["2026-08-07"]),
        ("by 5pm next Monday", ["2026-08-17"]),
        ("at 3pm, on the dot", ["2026-08-12 15:00..2026-08-12 15:59"]),
    ],
)
def test_a_time_before_its_day_is_of_that_day(text: str, meant: list[str]) -> None:
    assert read(text) == meant
