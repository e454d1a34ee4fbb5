"""Stretches of civil time. Pure; naive local datetimes, the last microsecond included.

A day that does not exist, or a year outside 1..9999, raises ValueError or OverflowError.
"""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum

_LAST = timedelta(microseconds=1)
_MONTHS = 12
_RARE = 9
"""Years from one 29 February to the next, at most, and one more."""


class Unit(StrEnum):
    """What is counted."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Leaning(StrEnum):
    """Which Friday "Friday" is: the last one (today included), or the next."""

    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Span:
    """From the first moment to the last, both included."""

    first: datetime
    last: datetime

    def until(self, later: "Span") -> "Span":
        """From here to the end of a later one."""
        return Span(self.first, later.last) if later.last >= self.first else self


@dataclass(frozen=True, slots=True)
class Reference:
    """When something is said, and whether "Friday" means the last or the next one."""

    now: datetime
    leaning: Leaning = Leaning.PAST

    @property
    def today(self) -> date:
        """The day of it."""
        return self.now.date()

    def which(self, make: Callable[[int], Span], here: int) -> Span:
        """The occurrence of a recurring span that is meant; `here` is the number of a near one."""
        past = self.leaning is Leaning.PAST
        for away in range(-1, _RARE):
            try:
                span = make(here - away if past else here + away)
            except (ValueError, OverflowError):
                continue
            if span.first <= self.now if past else span.last >= self.now:
                return span
        raise ValueError("none near by")


def days(first: date, last: date) -> Span:
    """Whole days."""
    return Span(datetime.combine(first, time.min), datetime.combine(last, time.max))


def day(of: date) -> Span:
    """One day."""
    return days(of, of)


def week(of: date, shift: int = 0) -> Span:
    """Monday to Sunday, `shift` weeks from the week of that day."""
    monday = of - timedelta(days=of.weekday()) + timedelta(weeks=shift)
    return days(monday, monday + timedelta(days=6))


def weekday(of: date, number: int, shift: int = 0) -> Span:
    """A day of such a week, Monday is 0."""
    return day(week(of, shift).first.date() + timedelta(days=number))


def weekend(of: date, shift: int = 0) -> Span:
    """Saturday and Sunday of such a week."""
    sunday = week(of, shift).last.date()
    return days(sunday - timedelta(days=1), sunday)


def month(year: int, number: int) -> Span:
    """A month, 1..12."""
    return days(date(year, number, 1), date(year, number, monthrange(year, number)[1]))


def month_from(of: date, shift: int) -> Span:
    """The month so many after that day's."""
    return month(*_moved(of.year, of.month, shift))


def months(year: int, first: int, count: int) -> Span:
    """Consecutive months, perhaps into the next year."""
    return month(year, first).until(month_from(date(year, first, 1), count - 1))


def quarter(year: int, number: int) -> Span:
    """Three months, 1..4."""
    if not 1 <= number <= 4:
        raise ValueError(f"no quarter {number}")
    return months(year, 3 * number - 2, 3)


def half(year: int, number: int) -> Span:
    """Half a year, 1 or 2."""
    return months(year, 6 * number - 5, 6)


def year(number: int) -> Span:
    """January to December."""
    return days(date(number, 1, 1), date(number, 12, 31))


def part(of: Span, start: int, end: int) -> Span:
    """The days `start` to `end` of a longer stretch, counted from 0; the end bounded by its."""
    first = of.first.date()
    return days(first + timedelta(days=start), min(first + timedelta(days=end), of.last.date()))


def since(of: Span, now: datetime) -> Span | None:
    """From the beginning of that until now; None of what has not begun."""
    return Span(of.first, now) if of.first <= now else None


def week_of(of: Span, number: int) -> Span:
    """The n-th seven days of a longer stretch, from 1; negative numbers from its end."""
    first, last = of.first.date(), of.last.date()
    if number < 0:
        end = last - timedelta(weeks=-number - 1)
        return days(max(first, end - timedelta(days=6)), end)
    begin = first + timedelta(weeks=number - 1)
    if begin > last:
        raise ValueError(f"no week {number}")
    return days(begin, min(begin + timedelta(days=6), last))


def weekday_of(of: Span, weekday: int, number: int) -> date:
    """The n-th such weekday of a longer stretch, from 1; negative numbers from its end."""
    first, last = of.first.date(), of.last.date()
    if number < 0:
        back = (last.weekday() - weekday) % 7 - 7 * (number + 1)
        found = last - timedelta(days=back)
    else:
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    if not first <= found <= last:
        raise ValueError(f"no such weekday {number}")
    return found


def day_of(of: Span, number: int) -> Span:
    """The n-th day of a longer stretch, from 1; negative numbers from its end."""
    edge = of.last.date() + timedelta(days=1) if number < 0 else of.first.date() - timedelta(days=1)
    found = day(edge + timedelta(days=number))
    if not of.first <= found.first <= of.last:
        raise ValueError(f"no day {number}")
    return found


def about(of: Span, count: int) -> Span:
    """With so many days more on either side."""
    around = timedelta(days=count)
    return days(of.first.date() - around, of.last.date() + around)


def before_it(of: Span, count: int, unit: Unit) -> Span:
    """The last so many units before it begins; a month before a month is a whole one."""
    if unit is Unit.MONTH and of == month_from(of.first.date(), 0):
        return month_from(of.first.date(), -count).until(month_from(of.first.date(), -1))
    return days(shifted(of.first, -count, unit).date(), of.first.date() - timedelta(days=1))


def after_it(of: Span, count: int, unit: Unit) -> Span:
    """The first so many units after it ends."""
    if unit is Unit.MONTH and of == month_from(of.first.date(), 0):
        return month_from(of.first.date(), 1).until(month_from(of.first.date(), count))
    return days(of.last.date() + timedelta(days=1), shifted(of.last, count, unit).date())


def weekend_by(of: Span) -> Span:
    """The weekend nearest to a day; that of its week if it lasts longer."""
    start = of.first.date()
    return weekend(start, -1 if start.weekday() < 2 and of.first.date() == of.last.date() else 0)


def hours(of: date, start: int, end: int) -> Span:
    """From one full hour of a day to another, 0..24."""
    midnight = datetime.combine(of, time.min)
    return Span(midnight + timedelta(hours=start), midnight + timedelta(hours=end) - _LAST)


def minutes(at: datetime, count: int = 1) -> Span:
    """So many minutes from the minute of that moment."""
    start = at.replace(second=0, microsecond=0)
    return Span(start, start + timedelta(minutes=count) - _LAST)


def shifted(of: datetime, count: int, unit: Unit) -> datetime:
    """That many units later (or earlier), at most the last day of a shorter month."""
    match unit:
        case Unit.MINUTE | Unit.HOUR | Unit.DAY | Unit.WEEK:
            return of + timedelta(**{f"{unit}s": count})
        case Unit.MONTH | Unit.QUARTER | Unit.YEAR:
            size = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: _MONTHS}[unit]
            year, number = _moved(of.year, of.month, count * size)
            return of.replace(year=year, month=number, day=min(of.day, monthrange(year, number)[1]))


def moment(of: datetime, unit: Unit) -> Span:
    """The stretch that "three … ago" means: the minute or the day."""
    return minutes(of) if unit in (Unit.MINUTE, Unit.HOUR) else day(of.date())


def between(one: datetime, other: datetime, unit: Unit) -> Span:
    """From the stretch about one of two moments, whichever comes first, to that of the other."""
    return moment(min(one, other), unit).until(moment(max(one, other), unit))


def _moved(year: int, number: int, shift: int) -> tuple[int, int]:
    years, index = divmod(year * _MONTHS + number - 1 + shift, _MONTHS)
    if not 1 <= years <= 9999:
        raise OverflowError(f"no year {years}")
    return years, index + 1
