"""English expressions of time mean what a speaker of English means by them."""

import pytest
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning

from .conftest import read, told


@pytest.mark.parametrize(("topic", "text", "meant"), told("english.txt"))
def test_a_time_is_read_as_it_is_meant(topic: str, text: str, meant: list[str]) -> None:
    assert read(text) == meant, topic


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
