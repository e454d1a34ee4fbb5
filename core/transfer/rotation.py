"""Which daily backups may go. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

WEEK = 7 * 86_400.0


class DatedBackup(Protocol):
    """A backup: when it was made, Unix seconds, and how much was ever kept up to then."""

    @property
    def at(self) -> float: ...

    @property
    def held(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RotationCounts:
    """How many: of the newest, and of the newest of a week and of a month (UTC) each."""

    daily: int
    weekly: int = 0
    monthly: int = 0


def expired[B: DatedBackup](
    daily: Sequence[B], others: Sequence[B], keep: RotationCounts
) -> list[B]:
    """Those of the daily ones, newest first, that may go.

    Not the last that holds more than all that stay: were memories lost unnoticed, it has them.
    """
    staying = [
        *daily[: keep.daily],
        *_newest_of_each(daily, _week, keep.weekly),
        *_newest_of_each(daily, _month, keep.monthly),
    ]
    going = [each for each in daily if each not in staying]
    fullest = max(going, key=lambda each: (each.held, each.at), default=None)
    most = max((each.held for each in (*staying, *others)), default=-1)
    return [each for each in going if each is not fullest or each.held <= most]


def _newest_of_each[B: DatedBackup](
    daily: Sequence[B], period: Callable[[float], object], most: int
) -> list[B]:
    newest: dict[object, B] = {}
    for each in daily:
        newest.setdefault(period(each.at), each)
    return list(newest.values())[:most]


def _week(at: float) -> object:
    return at // WEEK


def _month(at: float) -> object:
    # Backups past the year 9999 have one month: no calendar counts there.
    if not 0 <= at < 253_402_300_800:
        return None
    day = datetime.fromtimestamp(at, UTC)
    return day.year, day.month
