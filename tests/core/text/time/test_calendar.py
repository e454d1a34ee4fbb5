"""Stretches of civil time: whole, touching, and none outside the calendar."""

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
from astrbot_plugin_tidemark.core.text.time.calendar import (
    Leaning,
    Reference,
    Span,
    Unit,
    day,
    half,
    hours,
    minutes,
    month,
    month_from,
    months,
    part,
    quarter,
    shifted,
    week,
    weekday,
    weekend,
    year,
)
from hypothesis import given, settings
from hypothesis import strategies as st

INSTANT = timedelta(microseconds=1)
days_of_life = st.dates(date(1900, 1, 1), date(2200, 1, 1))


def touching(earlier: Span, later: Span) -> bool:
    return later.first - earlier.last == INSTANT


@settings(deadline=None)
@given(st.integers(1, 9998))
def test_the_parts_of_a_year_make_it_up(number: int) -> None:
    for parts in (
        [month(number, index) for index in range(1, 13)],
        [quarter(number, index) for index in range(1, 5)],
        [half(number, index) for index in (1, 2)],
    ):
        assert parts[0].first == year(number).first
        assert parts[-1].last == year(number).last
        assert all(touching(*pair) for pair in pairwise(parts))
    assert touching(year(number), year(number + 1))


@settings(deadline=None)
@given(days_of_life, st.integers(-60, 60))
def test_a_week_runs_from_monday_to_sunday(of: date, shift: int) -> None:
    found = week(of, shift)
    assert (found.first.weekday(), found.last.weekday()) == (0, 6)
    assert touching(found, week(of, shift + 1))
    assert weekday(of, 0, shift).first == found.first
    assert weekend(of, shift).last == found.last
    assert week(of).first <= datetime.combine(of, datetime.min.time()) <= week(of).last


@settings(deadline=None)
@given(days_of_life, st.integers(-500, 500))
def test_months_are_counted_through_the_years(of: date, shift: int) -> None:
    found = month_from(of, shift).first
    assert (found.year - of.year) * 12 + found.month - of.month == shift


@settings(deadline=None)
@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.integers(0, 400))
def test_days_and_weeks_back_and_forth_are_where_they_began(at: datetime, count: int) -> None:
    for unit in (Unit.MINUTE, Unit.HOUR, Unit.DAY, Unit.WEEK):
        assert shifted(shifted(at, count, unit), -count, unit) == at


@pytest.mark.parametrize(
    ("at", "count", "unit", "day_then"),
    [
        (datetime(2024, 2, 29), -1, Unit.YEAR, date(2023, 2, 28)),
        (datetime(2024, 1, 31), 1, Unit.MONTH, date(2024, 2, 29)),
        (datetime(2024, 5, 31), -1, Unit.QUARTER, date(2024, 2, 29)),
        (datetime(2024, 12, 15), 1, Unit.MONTH, date(2025, 1, 15)),
    ],
)
def test_a_shorter_month_ends_with_its_last_day(
    at: datetime, count: int, unit: Unit, day_then: date
) -> None:
    assert shifted(at, count, unit).date() == day_then


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("count", [-(10**7), 10**10, -(10**12)])
def test_beyond_the_calendar_there_is_nothing(unit: Unit, count: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        shifted(datetime(2026, 8, 12), count * 10**6, unit)


@pytest.mark.parametrize("number", [0, 5, 13])
def test_there_are_four_quarters(number: int) -> None:
    with pytest.raises(ValueError, match="quarter"):
        quarter(2026, number)


def test_months_reach_into_the_next_year_and_a_part_stays_in_the_whole() -> None:
    winter = months(2025, 12, 3)
    assert (winter.first.date(), winter.last.date()) == (date(2025, 12, 1), date(2026, 2, 28))
    whole = month(2026, 2)
    assert part(whole, 20, 30).last == whole.last


def test_a_day_has_its_hours_and_a_stretch_ends_after_it_begins() -> None:
    of = date(2026, 8, 12)
    assert hours(of, 0, 24) == day(of)
    assert touching(minutes(datetime(2026, 8, 12, 9, 59, 30)), hours(of, 10, 11))
    today, yesterday = day(date(2026, 8, 12)), day(date(2026, 8, 11))
    assert today.until(yesterday) == today
    assert yesterday.until(today) == Span(yesterday.first, today.last)


@settings(deadline=None)
@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.sampled_from(Leaning))
def test_what_comes_round_every_year_is_near_by(now: datetime, leaning: Leaning) -> None:
    found = Reference(now, leaning).which(lambda number: month(number, 6), now.year)
    assert abs((found.first - now).days) <= 366
    assert found.first <= now if leaning is Leaning.PAST else found.last >= now


@pytest.mark.parametrize("leaning", list(Leaning))
def test_a_leap_day_may_be_years_away(leaning: Leaning) -> None:
    here = Reference(datetime(1901, 3, 1), leaning)
    found = here.which(lambda number: day(date(number, 2, 29)), 1901)
    assert found.first.year == (1896 if leaning is Leaning.PAST else 1904)


def test_what_never_comes_is_refused() -> None:
    with pytest.raises(ValueError, match="none near by"):
        Reference(datetime(2026, 8, 12)).which(lambda number: day(date(number, 2, 30)), 2026)
