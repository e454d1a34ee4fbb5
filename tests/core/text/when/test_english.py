"""English expressions of time mean what a speaker of English means by them."""

import pytest
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import read, topics

MEANT = {
    "days and their hours": {
        "What did I do yesterday?": "2026-08-11",
        "the day before yesterday": "2026-08-10",
        "the day after tomorrow": "2026-08-14",
        "today's news": "2026-08-12",
        "last night": "2026-08-11 18:00..2026-08-11 23:59",
        "tonight": "2026-08-12 18:00..2026-08-12 23:59",
        "yesterday morning": "2026-08-11 05:00..2026-08-11 11:59",
        "this afternoon": "2026-08-12 12:00..2026-08-12 17:59",
        "tomorrow at 3pm": "2026-08-13 15:00..2026-08-13 15:59",
        "Meet me at 3:30 p.m.": "2026-08-12 15:30",
        "tomorrow at 12am": "2026-08-13 00:00..2026-08-13 00:59",
        "yesterday at 23:05": "2026-08-11 23:05",
        "tmoz": "2026-08-13",
        "see you tomoz": "2026-08-13",
    },
    "weeks and their days": {
        "last Tuesday": "2026-08-11",
        "last Wednesday": "2026-08-05",
        "this Friday": "2026-08-14",
        "next Friday": "2026-08-21",
        "on Friday": "2026-08-07",
        "Monday next week": "2026-08-17",
        "last week": "2026-08-03..2026-08-09",
        "the week before last": "2026-07-27..2026-08-02",
        "the week after next": "2026-08-24..2026-08-30",
        "last weekend": "2026-08-08..2026-08-09",
        "over the weekend": "2026-08-08..2026-08-09",
        "next weekend": "2026-08-22..2026-08-23",
        "from Monday to Wednesday": "2026-08-10..2026-08-12",
        "friday week": "2026-08-21",
        "a week on friday": "2026-08-21",
        "a week on Friday at home": "2026-08-21",
    },
    "what is counted from now": {
        "in two weeks": "2026-08-26",
        "within 10 days": "2026-08-22",
        "three weeks ago": "2026-07-22",
        "a year ago": "2025-08-12",
        "twenty-one days ago": "2026-07-22",
        "a couple of weeks ago": "2026-07-29",
        "a few days ago": "2026-08-07..2026-08-10",
        "several months ago": "2026-03-12..2026-06-12",
        "half a year ago": "2026-02-12",
        "in 5 minutes": "2026-08-12 14:35",
        "two years from now": "2028-08-12",
        "the past three days": "2026-08-09..2026-08-12",
        "over the next few weeks": "2026-08-12..2026-09-16",
        "the last couple of months": "2026-03-12..2026-08-12",
        "couple of weeks ago": "2026-07-29",
        "the weekend just gone": "2026-08-08..2026-08-09",
        "sat just gone": "2026-08-08",
        "wednesday just gone": "2026-08-05",
        "yday": "2026-08-11",
        "couple weeks ago": "2026-07-29",
        "a couple weeks ago": "2026-07-29",
        "in a couple days": "2026-08-14",
        "last couple weeks": "2026-07-08..2026-08-12",
        "1mon ago": "2026-07-12",
        "3d ago": "2026-08-09",
        "2 yrs ago": "2024-08-12",
        "a week or two ago": "2026-07-29..2026-08-05",
        "2-3 weeks ago": "2026-07-22..2026-07-29",
        "one and a half years ago": "2025-02-12",
        "a year and a half ago": "2025-02-12",
        "weeks ago": "2026-07-08..2026-07-29",
        "a fortnight ago": "2026-07-29",
        "a decade ago": "2016-08-12",
        "a week ago today": "2026-08-05",
        "two Fridays ago": "2026-07-31",
        "two weekends ago": "2026-08-01..2026-08-02",
        "the past half year": "2026-02-12..2026-08-12",
        "in the past week": "2026-08-05..2026-08-12",
        "within the last month": "2026-07-12..2026-08-12",
        "the other day": "2026-08-02..2026-08-10",
        "the other night": "2026-08-02..2026-08-10",
        "just now": "2026-08-12 13:30..2026-08-12 14:30",
        "a moment ago": "2026-08-12 13:30..2026-08-12 14:30",
    },
    "years months and dates": {
        "May 5th, 2024": "2024-05-05",
        "5 May": "2026-05-05",
        "the 3rd of March": "2026-03-03",
        "on 29 February": "2024-02-29",
        "2025-03-05": "2025-03-05",
        "May 2023": "2023-05-01..2023-05-31",
        "in March": "2026-03-01..2026-03-31",
        "last August": "2025-08-01..2025-08-31",
        "late May": "2026-05-22..2026-05-31",
        "last month": "2026-07-01..2026-07-31",
        "the end of next month": "2026-09-21..2026-09-30",
        "in 2023": "2023-01-01..2023-12-31",
        "since last year": "2025-01-01 00:00..2026-08-12 14:30",
        "the year before last": "2024-01-01..2024-12-31",
        "Q3 2024": "2024-07-01..2024-09-30",
        "the first half of last year": "2025-01-01..2025-06-30",
        "last summer": "2025-06-01..2025-08-31",
        "in the summer of 2023": "2023-06-01..2023-08-31",
        "this winter": "2026-12-01..2027-02-28",
        "Monday, 5 May 2025": "2025-05-05",
        "on the 15th": "2026-07-15",
        "on sat 12 july": "2026-07-12",
        "on sat, july 12th": "2026-07-12",
        "on sat the 12th of july": "2026-07-12",
        "at the end of 2023": "2023-09-02..2023-12-31",
    },
    "holidays": {
        "at Christmas": "2025-12-25",
        "last Christmas I gave you my heart": "2025-12-25",
        "next Halloween": "2026-10-31",
        "Easter 2024": "2024-03-31",
        "What did we eat on Thanksgiving?": "2025-11-27",
        "New Year’s Eve": "2025-12-31",
        "during Chinese New Year": "2026-02-17",
        "on Mother's Day": "2026-05-10",
        "on Memorial Day": "2026-05-25",
        "on Labor Day": "2025-09-01",
        "on St. Patrick's Day": "2026-03-17",
    },
    "dates in digits": {
        "01/15/2024": "2024-01-15",
        "15/01/2024": "2024-01-15",
        "15.01.2024": "2024-01-15",
        "1/15/24": "2024-01-15",
        "on 1/15": "2026-01-15",
        "2023-08": "2023-08-01..2023-08-31",
        "2024-03-03T14:30": "2024-03-03 14:30",
    },
    "parts of months and years": {
        "last week of August 2023": "2023-08-25..2023-08-31",
        "first weekend of August": "2026-08-01..2026-08-02",
        "the second Tuesday in March 2024": "2024-03-12",
        "the first few days of June": "2026-06-01..2026-06-03",
        "the last day of the year": "2026-12-31",
        "in the first half of 2023": "2023-01-01..2023-06-30",
        "mid-June": "2026-06-11..2026-06-20",
        "late June": "2026-06-21..2026-06-30",
        "early July 2023": "2023-07-01..2023-07-10",
        "at the end of June 2023": "2023-06-21..2023-06-30",
        "mid-2023": "2023-05-02..2023-09-01",
        "early next month": "2026-09-01..2026-09-10",
        "late last year": "2025-09-02..2025-12-31",
        "in the early 2000s": "2000-01-01..2003-05-01",
        "in the 90s": "1990-01-01..1999-12-31",
        "spring 2023": "2023-03-01..2023-05-31",
        "over the summer": "2026-06-01..2026-08-31",
        "the 5th of last month": "2026-07-05",
        "June of last year": "2025-06-01..2025-06-30",
        "Christmas last year": "2025-12-25",
    },
    "stretches have two ends": {
        "between March and June": "2026-03-01..2026-06-30",
        "from March to May 2023": "2023-03-01..2023-05-31",
        "March through May": "2026-03-01..2026-05-31",
        "between 2019 and 2021": "2019-01-01..2021-12-31",
        "between May 3 and May 10": "2026-05-03..2026-05-10",
        "May 3-10": "2026-05-03..2026-05-10",
        "3-10 May 2023": "2023-05-03..2023-05-10",
        "between Christmas and New Year": "2025-12-25..2026-01-01",
        "between Monday and Wednesday": "2026-08-10..2026-08-12",
        "March 2024 to May 2024": "2024-03-01..2024-05-31",
    },
    "what is beside a time": {
        "the week before 23 August": "2025-08-16..2025-08-22",
        "the weekend after Easter": "2026-04-11..2026-04-12",
        "two days before Christmas": "2025-12-23",
        "a week from Friday": "2026-08-21",
        "the night before Christmas": "2025-12-24 18:00..2025-12-24 23:59",
        "the day after Thanksgiving": "2025-11-28",
        "the week of August 14": "2025-08-11..2025-08-17",
        "Labor Day weekend": "2025-08-30..2025-09-01",
        "the Friday before last": "2026-07-31",
        "the night before last": "2026-08-10 18:00..2026-08-10 23:59",
    },
    "what has lasted since": {
        "since March": "2026-03-01 00:00..2026-08-12 14:30",
        "since last Christmas": "2025-12-25 00:00..2026-08-12 14:30",
        "ever since 2019": "2019-01-01 00:00..2026-08-12 14:30",
        "since Monday": "2026-08-10 00:00..2026-08-12 14:30",
        "from June until now": "2026-06-01 00:00..2026-08-12 14:30",
        "from March on": "2026-03-01 00:00..2026-08-12 14:30",
    },
    "the same time of another year": {
        "this time last year": "2025-07-29..2025-08-26",
        "around this time last month": "2026-07-09..2026-07-15",
        "this month last year": "2025-08-01..2025-08-31",
    },
    "noon and midnight": {
        "at noon": "2026-08-12 12:00..2026-08-12 12:59",
        "yesterday at noon": "2026-08-11 12:00..2026-08-11 12:59",
        "tomorrow noon": "2026-08-13 12:00..2026-08-13 12:59",
        "at midnight": "2026-08-12 00:00..2026-08-12 00:59",
        "Friday at midnight": "2026-08-07 00:00..2026-08-07 00:59",
    },
}

NONE = {
    "no time is seen where none is meant": [
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
    "a habit has no date": [
        "I don't work on the weekend",
        "I usually swim on Friday",
        "I work Monday to Friday",
        "on Fridays I swim",
        "most people sleep late over the weekend",
    ],
    "what only looks like a time is none": [
        "he may march on",
        "call me at 3",
        "join in and show",
        "has she been in any events",
        "three days before my birthday",
        "the rest of the week",
        "half of 3/4",
        "prices fall in winter",
    ],
}


@pytest.mark.parametrize(("topic", "text"), topics(MEANT))
def test_a_time_is_read_as_it_is_meant(topic: str, text: str) -> None:
    assert read(text) == [MEANT[topic][text]]


@pytest.mark.parametrize(("topic", "text"), topics(NONE))
def test_no_time_is_read_where_none_is(topic: str, text: str) -> None:
    assert read(text) == [], topic


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


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("what's the weather like in September", "2026-09-01..2026-09-30"),
        ("will it rain on Friday", "2026-08-14"),
    ],
)
def test_who_asks_for_the_weather_asks_of_no_past(text: str, meant: str) -> None:
    assert read(text) == read(text, leaning=Leaning.FUTURE) == [meant]


def test_the_weather_that_was_is_past() -> None:
    assert read("what was the weather like in September") == ["2025-09-01..2025-09-30"]
