"""Stretches of civil time, festivals as almanacs print them, and numbers as they are counted."""

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
from astrbot_plugin_tidemark.core.languages.en.holidays import HOLIDAYS
from astrbot_plugin_tidemark.core.languages.en.numerals import english_number
from astrbot_plugin_tidemark.core.languages.han_numerals import chinese_number
from astrbot_plugin_tidemark.core.languages.zh.festivals import FESTIVALS, FIRST_DAY, LONGER
from astrbot_plugin_tidemark.core.text.time import calendar as civil
from astrbot_plugin_tidemark.core.text.time.calendar import Leaning, Reference, Span, Unit
from astrbot_plugin_tidemark.core.text.time.festivals import easter, lunar, solar_term
from hypothesis import given
from hypothesis import strategies as st

INSTANT = timedelta(microseconds=1)
days_of_life = st.dates(date(1900, 1, 1), date(2200, 1, 1))


def touching(earlier: Span, later: Span) -> bool:
    return later.first - earlier.last == INSTANT


@given(st.integers(1, 9998))
def test_the_parts_of_a_year_make_it_up(number: int) -> None:
    for parts in (
        [civil.month(number, index) for index in range(1, 13)],
        [civil.quarter(number, index) for index in range(1, 5)],
        [civil.half(number, index) for index in (1, 2)],
    ):
        assert parts[0].first == civil.year(number).first
        assert parts[-1].last == civil.year(number).last
        assert all(touching(*pair) for pair in pairwise(parts))
    assert touching(civil.year(number), civil.year(number + 1))


@given(days_of_life, st.integers(-60, 60))
def test_a_week_runs_from_monday_to_sunday(of: date, shift: int) -> None:
    found = civil.week(of, shift)
    assert (found.first.weekday(), found.last.weekday()) == (0, 6)
    assert touching(found, civil.week(of, shift + 1))
    assert civil.weekday(of, 0, shift).first == found.first
    assert civil.weekend(of, shift).last == found.last
    assert civil.week(of).first <= datetime.combine(of, datetime.min.time()) <= civil.week(of).last


@given(days_of_life, st.integers(-500, 500))
def test_months_are_counted_through_the_years(of: date, shift: int) -> None:
    found = civil.month_from(of, shift).first
    assert (found.year - of.year) * 12 + found.month - of.month == shift


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.integers(0, 400))
def test_days_and_weeks_back_and_forth_are_where_they_began(at: datetime, count: int) -> None:
    for unit in (Unit.MINUTE, Unit.HOUR, Unit.DAY, Unit.WEEK):
        assert civil.shifted(civil.shifted(at, count, unit), -count, unit) == at


@pytest.mark.parametrize(
    ("at", "count", "unit", "day_then"),
    [
        (datetime(2024, 2, 29), -1, Unit.YEAR, date(2023, 2, 28)),
        (datetime(2024, 1, 31), 1, Unit.MONTH, date(2024, 2, 29)),
        (datetime(2024, 5, 31), -1, Unit.QUARTER, date(2024, 2, 29)),
        (datetime(2024, 12, 15), 1, Unit.MONTH, date(2025, 1, 15)),
    ],
)
def test_a_shorter_month_ends_sooner(at: datetime, count: int, unit: Unit, day_then: date) -> None:
    assert civil.shifted(at, count, unit).date() == day_then


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("count", [-(10**7), 10**10, -(10**12)])
def test_beyond_the_calendar_there_is_nothing(unit: Unit, count: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        civil.shifted(datetime(2026, 8, 12), count * 10**6, unit)


@pytest.mark.parametrize("number", [0, 5, 13])
def test_there_are_four_quarters(number: int) -> None:
    with pytest.raises(ValueError, match="quarter"):
        civil.quarter(2026, number)


def test_months_days_and_stretches_have_their_ends() -> None:
    winter = civil.months(2025, 12, 3)
    assert (winter.first.date(), winter.last.date()) == (date(2025, 12, 1), date(2026, 2, 28))
    whole = civil.month(2026, 2)
    assert civil.part(whole, 20, 30).last == whole.last
    of = date(2026, 8, 12)
    assert civil.hours(of, 0, 24) == civil.day(of)
    assert touching(civil.minutes(datetime(2026, 8, 12, 9, 59, 30)), civil.hours(of, 10, 11))
    today, yesterday = civil.day(date(2026, 8, 12)), civil.day(date(2026, 8, 11))
    assert today.until(yesterday) == today
    assert yesterday.until(today) == Span(yesterday.first, today.last)


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.sampled_from(Leaning))
def test_what_comes_round_every_year_is_near_by(now: datetime, leaning: Leaning) -> None:
    found = Reference(now, leaning).which(lambda number: civil.month(number, 6), now.year)
    assert abs((found.first - now).days) <= 366
    assert found.first <= now if leaning is Leaning.PAST else found.last >= now


@pytest.mark.parametrize("leaning", list(Leaning))
def test_a_leap_day_may_be_years_away(leaning: Leaning) -> None:
    here = Reference(datetime(1901, 3, 1), leaning)
    found = here.which(lambda number: civil.day(date(number, 2, 29)), 1901)
    assert found.first.year == (1896 if leaning is Leaning.PAST else 1904)


def test_days_that_no_month_has_are_its_last_or_refused() -> None:
    with pytest.raises(ValueError, match="none near by"):
        Reference(datetime(2026, 8, 12)).which(lambda number: civil.day(date(number, 2, 30)), 2026)
    with pytest.raises(ValueError, match="no number"):
        chinese_number("三天")
    assert lunar(2024, 12, 30) == lunar(2024, 12, 29) == date(2025, 1, 28)


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


@pytest.mark.parametrize("year", [1899, 2100, 9999])
def test_beyond_the_tables_there_is_no_lunar_calendar(year: int) -> None:
    with pytest.raises(ValueError, match="lunar calendar"):
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
        for each in range(1901, 2099):
            span = of(each)
            assert span.first <= span.last
            assert span.first.year in (each - 1, each, each + 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("零", 0),
        ("两", 2),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("廿三", 23),
        ("一百零三", 103),
        ("三百六十五", 365),
        ("两千", 2_000),
        ("一百万", 1_000_000),
        ("二〇二四", 2_024),
        ("42", 42),
    ],
)
def test_chinese_numbers(text: str, value: int) -> None:
    assert chinese_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("a", 1), ("a couple of", 2), ("twelve", 12), ("twenty-one", 21), ("ninety", 90), ("7", 7)],
)
def test_english_numbers(text: str, value: int) -> None:
    assert english_number(text) == value


@pytest.mark.parametrize("text", ["many", "twenty-zero", "twenty-twenty", ""])
def test_what_is_no_english_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no number"):
        english_number(text)


@given(st.integers(1, 9_999))
def test_every_number_is_read_back(value: int) -> None:
    digits = "零一二三四五六七八九"
    written, gap = "", False
    for power, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // power % 10
        if digit:
            written += ("零" if gap and written else "") + digits[digit] + name
        gap = not digit
    assert chinese_number(written) == value
