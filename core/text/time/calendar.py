"""Stretches of civil time. Pure; naive local datetimes, the last microsecond included.

A day that does not exist, or a year outside 1..9999, raises ValueError or OverflowError.
"""

from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum

_LAST = timedelta(microseconds=1)
_MONTHS = 12
_SATURDAY = 5
_RARE = 9
"""Years from one 29 February to the next, at most, and one more."""


class Unit(StrEnum):
    """What is counted."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


HALVES = {
    Unit.HOUR: (30, Unit.MINUTE),
    Unit.DAY: (12, Unit.HOUR),
    Unit.WEEK: (3, Unit.DAY),
    Unit.MONTH: (15, Unit.DAY),
    Unit.QUARTER: (45, Unit.DAY),
    Unit.YEAR: (6, Unit.MONTH),
}
"""Half of each in smaller units."""

FEW = (2, 5)
"""How many a few may be."""


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

    def which(
        self, make: Callable[[int], Span], near: int, way: int | None = None, back: int = 0
    ) -> Span:
        """The occurrence of a recurring span that is meant; `near` is the number of a near one.

        Where it is said, by its `way`: the latest that is over (-1), or that of so many `back` from
        there; that of the number (0); the first to come (1).
        """
        if way == 0:
            return make(near)
        past = self.leaning is Leaning.PAST if way is None else way < 0
        for away in range(-1, _RARE):
            number = near - away if past else near + away
            try:
                span = make(number)
            except (ValueError, OverflowError):
                continue
            begun, over = span.first <= self.now, span.last < self.now
            if {None: begun if past else not over, -1: over, 1: not begun}[way]:
                return make(number - back)
        raise ValueError("none near by")

    def in_year(
        self, make: Callable[[int], Span], number: int | None, way: int | None = None
    ) -> Span:
        """What comes round each year: that of this year, or the one that is meant."""
        return self.which(make, self.today.year, way) if number is None else make(number)


def days(first: date, last: date) -> Span:
    """Whole days."""
    return Span(datetime.combine(first, time.min), datetime.combine(last, time.max))


def day(of: date) -> Span:
    """One day."""
    return days(of, of)


def covering(*spans: Span) -> Span:
    """From the first moment of any to the last of any."""
    return Span(min(each.first for each in spans), max(each.last for each in spans))


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


def stretch(of: date, unit: Unit, shift: int = 0) -> Span:
    """The day, week, weekend, month, quarter or year that is so many after that day's."""
    match unit:
        case Unit.WEEK:
            return week(of, shift)
        case Unit.WEEKEND:
            return weekend(of, shift)
        case Unit.MONTH:
            return month_from(of, shift)
        case Unit.QUARTER:
            within = month_from(of, 3 * shift).first
            return quarter(within.year, (within.month + 2) // 3)
        case Unit.YEAR:
            return year(of.year + shift)
        case _:
            return day(of + timedelta(days=shift))


def full_year(short: int, of: date) -> int:
    """The year of these two digits, of the hundred that end twenty years after that day's."""
    latest = of.year + 20
    return latest - (latest - short) % 100


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


def nth(of: Span, what: Unit | int, number: int) -> Span:
    """The n-th such unit, or weekday (Monday is 0), of a longer stretch; negative from its end."""
    first, last = of.first.date(), of.last.date()
    every = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    match what:
        case Unit.WEEK if number < 0:
            found = [days(max(first, end - timedelta(days=6)), end) for end in every[::-7]][::-1]
        case Unit.WEEK:
            found = [days(begin, min(begin + timedelta(days=6), last)) for begin in every[::7]]
        case Unit.WEEKEND:
            found = [weekend(each) for each in every if each.weekday() == _SATURDAY]
        case Unit.MONTH:
            found = [stretch(each, what) for each in every if each.day == 1]
        case Unit.QUARTER:
            found = [stretch(each, what) for each in every if each.day == 1 and each.month % 3 == 1]
        case int():
            found = [day(each) for each in every if each.weekday() == what]
        case _:
            found = [day(each) for each in every]
    if not 1 <= abs(number) <= len(found):
        raise ValueError(f"no {what} {number}")
    return found[number - 1 if number > 0 else number]


def about(of: Span, count: int) -> Span:
    """With so many days more on either side."""
    around = timedelta(days=count)
    return days(of.first.date() - around, of.last.date() + around)


def day_beside(of: Span, way: int) -> date:
    """The day before it begins (-1), or after it ends (1)."""
    return (of.first if way < 0 else of.last).date() + timedelta(days=way)


def beside(of: Span, way: int, count: int, unit: Unit) -> Span:
    """The last so many units before it begins, or the first after it; of a month whole months."""
    if unit is Unit.MONTH and of == month_from(of.first.date(), 0):
        return covering(*(month_from(of.first.date(), way * each) for each in (1, count)))
    near = day_beside(of, way)
    if unit is Unit.WEEKEND:
        found = weekend(near)
        return weekend(near, -1) if way < 0 and found.last >= of.first else found
    return covering(day(near), counted_from(of, way, (count,), unit))


def counted_from(of: Span, way: int, counts: Iterable[int], unit: Unit) -> Span:
    """The day so many units before it begins or after it ends, or the days between two such."""
    base = of.first if way < 0 else of.last
    return covering(*(day(shifted(base, way * count, unit).date()) for count in counts))


def weekend_by(of: Span) -> Span:
    """The weekend nearest to a day; that of its week if it lasts longer."""
    start = of.first.date()
    return weekend(start, -1 if start.weekday() < 2 and of.first.date() == of.last.date() else 0)


def hours(of: date, start: int, end: int) -> Span:
    """From one full hour of a day to another, 0..24."""
    midnight = datetime.combine(of, time.min)
    return Span(midnight + timedelta(hours=start), midnight + timedelta(hours=end) - _LAST)


def at_clock(of: Span, hour: int, minute: int | None) -> Span:
    """That minute of a day, or the hour; the day itself for a time that no clock shows."""
    if hour > 23 or (minute or 0) > 59:
        return of
    at = datetime.combine(of.first.date(), time(hour, minute or 0))
    return minutes(at, 60 if minute is None else 1)


def minutes(at: datetime, count: int = 1) -> Span:
    """So many minutes from the minute of that moment."""
    start = at.replace(second=0, microsecond=0)
    return Span(start, start + timedelta(minutes=count) - _LAST)


def shifted(of: datetime, count: int, unit: Unit) -> datetime:
    """That many units later (or earlier), at most the last day of a shorter month."""
    match unit:
        case Unit.MONTH | Unit.QUARTER | Unit.YEAR:
            size = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: _MONTHS}[unit]
            year, number = _moved(of.year, of.month, count * size)
            return of.replace(year=year, month=number, day=min(of.day, monthrange(year, number)[1]))
        case Unit.WEEKEND:
            return of + timedelta(weeks=count)
        case _:
            return of + timedelta(**{f"{unit}s": count})


def moment(of: datetime, unit: Unit) -> Span:
    """The stretch that "three … ago" means: the minute or the day."""
    return minutes(of) if unit in (Unit.MINUTE, Unit.HOUR) else day(of.date())


def away(now: datetime, counts: Iterable[int], unit: Unit, halves: int = 0) -> Span:
    """The stretch about the moment so many units from now and halves, or between two such."""
    ends = [shifted(now, count, unit) for count in counts]
    if halves:
        size, unit = HALVES.get(unit, (0, unit))
        ends = [shifted(end, halves * size, unit) for end in ends]
    return covering(*(moment(end, unit) for end in ends))


def within(now: datetime, count: int, unit: Unit, halves: int = 0) -> Span:
    """From now to there; today is part of it."""
    smaller = HALVES.get(unit, (0, unit))[1] if halves else unit
    return covering(moment(now, smaller), away(now, (count,), unit, halves))


def _moved(year: int, number: int, shift: int) -> tuple[int, int]:
    years, index = divmod(year * _MONTHS + number - 1 + shift, _MONTHS)
    if not 1 <= years <= 9999:
        raise OverflowError(f"no year {years}")
    return years, index + 1
