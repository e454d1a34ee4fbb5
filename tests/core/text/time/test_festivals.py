"""Festivals fall on the days that almanacs print."""

import sys
from datetime import date

import pytest
from astrbot_plugin_tidemark.core.languages.en.holidays import HOLIDAYS
from astrbot_plugin_tidemark.core.languages.zh.festivals import FESTIVALS, FIRST_DAY, LONGER
from astrbot_plugin_tidemark.core.text.time.festivals import easter, lunar, solar_term

from ..when.conftest import read


@pytest.mark.parametrize(
    ("year", "spring", "mid_autumn", "eve"),
    [
        (1990, date(1990, 1, 27), date(1990, 10, 3), date(1990, 1, 26)),
        (2020, date(2020, 1, 25), date(2020, 10, 1), date(2020, 1, 24)),
        (2023, date(2023, 1, 22), date(2023, 9, 29), date(2023, 1, 21)),
        (2025, date(2025, 1, 29), date(2025, 10, 6), date(2025, 1, 28)),
        (2033, date(2033, 1, 31), date(2033, 9, 8), date(2033, 1, 30)),
    ],
)
def test_the_lunar_year(year: int, spring: date, mid_autumn: date, eve: date) -> None:
    assert lunar(year, 1, 1) == FIRST_DAY["春节"](year).first.date() == spring
    assert FESTIVALS["春节"](year).first.date() == eve
    assert FESTIVALS["中秋"](year).first.date() == mid_autumn
    assert FESTIVALS["除夕"](year).first.date() == eve


def test_the_thirtieth_of_a_short_month_is_its_last_day() -> None:
    assert lunar(2024, 12, 30) == lunar(2024, 12, 29) == date(2025, 1, 28)


def test_without_the_lunar_calendar_no_festivals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lunardate", None)
    with pytest.raises(ValueError, match="not installed"):
        lunar(2026, 8, 15)
    assert read("去年中秋去了哪里") == []
    assert read("前年国庆去了哪里") == ["2024-10-01..2024-10-07"]


@pytest.mark.parametrize("year", [1899, 2100, 9999])
def test_beyond_the_tables_there_is_no_lunar_calendar(year: int) -> None:
    with pytest.raises(ValueError, match="year"):
        lunar(year, 1, 1)
    with pytest.raises(ValueError, match="solar terms"):
        solar_term("清明", year)


@pytest.mark.parametrize(
    ("year", "sunday"),
    [(1961, (4, 2)), (2000, (4, 23)), (2008, (3, 23)), (2024, (3, 31)), (2038, (4, 25))],
)
def test_easter_sundays(year: int, sunday: tuple[int, int]) -> None:
    assert easter(year) == date(year, *sunday)


@pytest.mark.parametrize(
    ("year", "qingming", "solstice"),
    [(1999, 5, 22), (2008, 4, 21), (2023, 5, 22), (2024, 4, 21), (2025, 4, 21), (2026, 5, 22)],
)
def test_solar_terms(year: int, qingming: int, solstice: int) -> None:
    assert solar_term("清明", year) == date(year, 4, qingming)
    assert solar_term("冬至", year) == date(year, 12, solstice)


@pytest.mark.parametrize("festivals", [FESTIVALS, HOLIDAYS, LONGER, FIRST_DAY])
def test_every_festival_has_a_day_in_every_year_of_our_lives(festivals: dict[str, object]) -> None:
    for name, of in festivals.items():
        assert callable(of), name
        for year in range(1901, 2099):
            span = of(year)
            assert span.first <= span.last
            assert span.first.year in (year - 1, year, year + 1)
