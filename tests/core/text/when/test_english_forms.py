"""English expressions of time in further forms: dates, windows, parts, habits."""

import pytest
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import read


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("01/15/2024", "2024-01-15"),
        ("15/01/2024", "2024-01-15"),
        ("15.01.2024", "2024-01-15"),
        ("1/15/24", "2024-01-15"),
        ("on 1/15", "2026-01-15"),
        ("2023-08", "2023-08-01..2023-08-31"),
        ("2024-03-03T14:30", "2024-03-03 14:30"),
    ],
)
def test_dates_in_digits(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("couple of weeks ago", "2026-07-29"),
        ("the weekend just gone", "2026-08-08..2026-08-09"),
        ("sat just gone", "2026-08-08"),
        ("wednesday just gone", "2026-08-05"),
        ("yday", "2026-08-11"),
        ("couple weeks ago", "2026-07-29"),
        ("a couple weeks ago", "2026-07-29"),
        ("in a couple days", "2026-08-14"),
        ("last couple weeks", "2026-07-08..2026-08-12"),
        ("1mon ago", "2026-07-12"),
        ("3d ago", "2026-08-09"),
        ("2 yrs ago", "2024-08-12"),
        ("a week or two ago", "2026-07-29..2026-08-05"),
        ("2-3 weeks ago", "2026-07-22..2026-07-29"),
        ("one and a half years ago", "2025-02-12"),
        ("a year and a half ago", "2025-02-12"),
        ("weeks ago", "2026-07-08..2026-07-29"),
        ("a fortnight ago", "2026-07-29"),
        ("a decade ago", "2016-08-12"),
        ("a week ago today", "2026-08-05"),
        ("two Fridays ago", "2026-07-31"),
        ("two weekends ago", "2026-08-01..2026-08-02"),
        ("the past half year", "2026-02-12..2026-08-12"),
        ("in the past week", "2026-08-05..2026-08-12"),
        ("within the last month", "2026-07-12..2026-08-12"),
        ("the other day", "2026-08-02..2026-08-10"),
        ("the other night", "2026-08-02..2026-08-10"),
        ("just now", "2026-08-12 13:30..2026-08-12 14:30"),
        ("a moment ago", "2026-08-12 13:30..2026-08-12 14:30"),
    ],
)
def test_what_is_counted_from_now(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("last week of August 2023", "2023-08-25..2023-08-31"),
        ("first weekend of August", "2026-08-01..2026-08-02"),
        ("the second Tuesday in March 2024", "2024-03-12"),
        ("the first few days of June", "2026-06-01..2026-06-03"),
        ("the last day of the year", "2026-12-31"),
        ("in the first half of 2023", "2023-01-01..2023-06-30"),
        ("mid-June", "2026-06-11..2026-06-20"),
        ("late June", "2026-06-21..2026-06-30"),
        ("early July 2023", "2023-07-01..2023-07-10"),
        ("at the end of June 2023", "2023-06-21..2023-06-30"),
        ("mid-2023", "2023-05-02..2023-09-01"),
        ("early next month", "2026-09-01..2026-09-10"),
        ("late last year", "2025-09-02..2025-12-31"),
        ("in the early 2000s", "2000-01-01..2003-05-01"),
        ("in the 90s", "1990-01-01..1999-12-31"),
        ("spring 2023", "2023-03-01..2023-05-31"),
        ("over the summer", "2026-06-01..2026-08-31"),
        ("the 5th of last month", "2026-07-05"),
        ("June of last year", "2025-06-01..2025-06-30"),
        ("Christmas last year", "2025-12-25"),
    ],
)
def test_parts_of_months_and_years(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("between March and June", "2026-03-01..2026-06-30"),
        ("from March to May 2023", "2023-03-01..2023-05-31"),
        ("March through May", "2026-03-01..2026-05-31"),
        ("between 2019 and 2021", "2019-01-01..2021-12-31"),
        ("between May 3 and May 10", "2026-05-03..2026-05-10"),
        ("May 3-10", "2026-05-03..2026-05-10"),
        ("3-10 May 2023", "2023-05-03..2023-05-10"),
        ("between Christmas and New Year", "2025-12-25..2026-01-01"),
        ("between Monday and Wednesday", "2026-08-10..2026-08-12"),
        ("March 2024 to May 2024", "2024-03-01..2024-05-31"),
    ],
)
def test_stretches_have_two_ends(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the week before 23 August", "2025-08-16..2025-08-22"),
        ("the weekend after Easter", "2026-04-11..2026-04-12"),
        ("two days before Christmas", "2025-12-23"),
        ("a week from Friday", "2026-08-21"),
        ("the night before Christmas", "2025-12-24 18:00..2025-12-24 23:59"),
        ("the day after Thanksgiving", "2025-11-28"),
        ("the week of August 14", "2025-08-11..2025-08-17"),
        ("Labor Day weekend", "2025-08-30..2025-09-01"),
        ("the Friday before last", "2026-07-31"),
        ("the night before last", "2026-08-10 18:00..2026-08-10 23:59"),
    ],
)
def test_what_is_beside_a_time(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("since March", "2026-03-01 00:00..2026-08-12 14:30"),
        ("since last Christmas", "2025-12-25 00:00..2026-08-12 14:30"),
        ("ever since 2019", "2019-01-01 00:00..2026-08-12 14:30"),
        ("since Monday", "2026-08-10 00:00..2026-08-12 14:30"),
        ("from June until now", "2026-06-01 00:00..2026-08-12 14:30"),
        ("from March on", "2026-03-01 00:00..2026-08-12 14:30"),
    ],
)
def test_what_has_lasted_since(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("this time last year", "2025-07-29..2025-08-26"),
        ("around this time last month", "2026-07-09..2026-07-15"),
        ("this month last year", "2025-08-01..2025-08-31"),
    ],
)
def test_the_same_time_of_another_year(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("at noon", "2026-08-12 12:00..2026-08-12 12:59"),
        ("yesterday at noon", "2026-08-11 12:00..2026-08-11 12:59"),
        ("tomorrow noon", "2026-08-13 12:00..2026-08-13 12:59"),
        ("at midnight", "2026-08-12 00:00..2026-08-12 00:59"),
        ("Friday at midnight", "2026-08-07 00:00..2026-08-07 00:59"),
    ],
)
def test_noon_and_midnight(text: str, meant: str) -> None:
    assert read(text) == [meant]


@pytest.mark.parametrize(
    "text",
    [
        "I don't work on the weekend",
        "I usually swim on Friday",
        "I work Monday to Friday",
        "on Fridays I swim",
        "most people sleep late over the weekend",
    ],
)
def test_a_habit_has_no_date(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "he may march on",
        "call me at 3",
        "join in and show",
        "has she been in any events",
        "three days before my birthday",
        "the rest of the week",
        "half of 3/4",
        "prices fall in winter",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert read(text) == []


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


@pytest.mark.parametrize("text", ["friday week", "a week on friday", "a week on Friday at home"])
def test_a_week_on_a_day_is_seven_days_after_the_one_to_come(text: str) -> None:
    """Read as the week of that day, or as the last one."""
    assert read(text) == ["2026-08-21"]


@pytest.mark.parametrize("text", ["on sat 12 july", "on sat, july 12th", "on sat the 12th of july"])
def test_a_date_behind_a_short_day_of_the_week_is_the_date(text: str) -> None:
    assert read(text) == ["2026-07-12"]


@pytest.mark.parametrize("text", ["tmoz", "see you tomoz"])
def test_tomorrow_is_known_in_short(text: str) -> None:
    assert read(text) == ["2026-08-13"]
