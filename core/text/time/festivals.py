"""How the days of festivals are found, solar and lunar, Chinese and Western. Pure.

The lunar calendar is a table (1900..2099); solar terms follow the usual formula for those
two centuries; Easter is Gauss's (in the form of Meeus, "Astronomical Algorithms").
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

from .calendar import Span, days, months, nth

type Festival = Callable[[int], Span]

_MONTHS = (
    "816d20075200ea55164a0064b00a9b415560056a00b59217520075261b2500b2500a4b514ab002ad0056b20b69"
    "00da971d9200e9200d2551a4d00a56002b6415b5006d400ea921e9200e9260d260052b00a57512d600b5a006d4"
    "30ec9007497169300a930052b60a5b00aad0056a41b5500ba400b4921a9300a957152d0053600aad515aa005b2"
    "00ba531d4a00d4a80a9500a970055660ab500ad5006d240ea500ea50064a30c9700a9b7155a0056a00b6951752"
    "00b5200b254164b00a4b814ab002ad005ad60b6900da900d9241d2500d25a1a4d00a56002b6605b5006d500ea9"
    "51e9200e9200d2630a5600a57814d60035a006d5516c900749006934152b0052b00a5b2155a0056a71b5500ba4"
    "00b4951a9300a950052d40aad00ab5915aa005d200da561d4a00d4a00c954152e0055600ab5215b2006d260ea5"
    "007250064b50c9700cab0055a30ad600b69b175200b5200b2561a4b00a4b004ab5055b005ad00b6a21b5200d92"
    "71d2500d2500a55514ad004b6005b530daa00ec981e9200e9200d2660a5600a5700556406d5007550074930e93"
    "006937152b0052b00a5b5155a0056a00b654174a00b4a81a9500a950052d60aad00ab5005aa40ba500da500d4a"
    "31c9500c967194e0055600ab5515b2006d200ea540e4a0068b80c97004ab0055b60ad600b6a007524172500b45"
    "00a8b2149b"
)
"""Five digits a lunar year, from 1900: after which month its leap month is (0: none), and a bit for
each of its months that has 30 days, the first the lowest."""

_TERM_CONSTANTS = {"清明": (4, 5.59, 4.81), "冬至": (12, 22.60, 21.94)}
_TERM_STEP = 0.2422


def lunar(year: int, month: int, number: int) -> date:
    """The civil date of a day of the lunar calendar; day 30 is the last of a short month.

    Raises ValueError beyond 1900..2099.
    """
    if not (1900 <= year <= 2099 and 1 <= month <= 12 and 1 <= number <= 30):
        raise ValueError(f"no day {year}-{month}-{number} of the lunar calendar")
    begins, leap, months = _LUNAR[year - 1900]
    place = month - 1 + (0 < leap < month)
    passed = begins + sum(months[:place]) + min(number, months[place]) - 1
    return date(1900, 1, 31) + timedelta(days=passed)


def _lunar_years() -> Iterator[tuple[int, int, Sequence[int]]]:
    """Each year with the days before it, its leap month and the lengths of its months."""
    begins = 0
    for place in range(0, len(_MONTHS), 5):
        leap, long = int(_MONTHS[place], 16), int(_MONTHS[place + 1 : place + 5], 16)
        months = [29 + (long >> month & 1) for month in range(13 if leap else 12)]
        yield begins, leap, months
        begins += sum(months)


_LUNAR = tuple(_lunar_years())


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    lap = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * lap) // 451
    month, number = divmod(h + lap - 7 * m + 114, 31)
    return date(year, month, number + 1)


def solar_term(name: str, year: int) -> date:
    """清明 or 冬至 of a year 1900..2099. Raises ValueError for another."""
    if not 1900 <= year <= 2099:
        raise ValueError(f"no solar terms for {year}")
    month, last_century, this_century = _TERM_CONSTANTS[name]
    constant = last_century if year < 2000 else this_century
    # The leap days of the century up to then: neither falls before the end of February.
    within = year % 100
    return date(year, month, int(within * _TERM_STEP + constant) - within // 4)


def _lasting(first: Callable[[int], date], length: int = 1) -> Festival:
    return lambda year: days(first(year), first(year) + timedelta(days=length - 1))


def yearly(month: int, number: int, length: int = 1) -> Festival:
    """The same date each year, and the days after it."""
    return _lasting(lambda year: date(year, month, number), length)


def lunar_from(month: int, number: int, *, before: int = 0, length: int = 1) -> Festival:
    """So many days from one of the lunar calendar, or from some days before it."""
    return _lasting(lambda year: lunar(year, month, number) - timedelta(days=before), length)


def nth_weekday(month: int, weekday: int, number: int, *, after: int = 0) -> Festival:
    """The n-th such weekday of a month (negative: the last), `after` days later."""
    late = timedelta(days=after)

    def first(year: int) -> date:
        return nth(months(year, month, 1), weekday, number).first.date() + late

    return _lasting(first)
