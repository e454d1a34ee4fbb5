"""Which daily backups go: pure, and never the last that holds more than all that stay."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from astrbot_plugin_tidemark.core.transfer.backups import RotationCounts, expired
from hypothesis import given
from hypothesis import strategies as st

FIRST = datetime(2025, 1, 1, 3, tzinfo=UTC)


@dataclass(frozen=True)
class Made:
    at: float
    held: int = 10


def on_days(count: int, held: int = 10) -> list[Made]:
    """One a day, newest first."""
    return [Made((FIRST + timedelta(days=n)).timestamp(), held) for n in reversed(range(count))]


def left(daily: list[Made], keep: RotationCounts, others: tuple[Made, ...] = ()) -> list[Made]:
    going = expired(daily, others, keep)
    return [each for each in daily if each not in going]


def test_a_year_of_backups_leaves_the_newest_days_weeks_and_months() -> None:
    """What is left is the same as if the rotation had run every day."""
    daily: list[Made] = []
    for made in reversed(on_days(365)):
        daily = left([made, *daily], RotationCounts(7, 4, 3))
    days = [datetime.fromtimestamp(each.at, UTC).date().isoformat() for each in daily]
    newest = [f"2025-12-{day}" for day in range(31, 24, -1)]
    assert days[:7] == newest
    assert days[7:] == ["2025-12-24", "2025-12-17", "2025-12-10", "2025-11-30", "2025-10-31"]


def test_without_weeks_and_months_only_the_newest_stay() -> None:
    assert left(on_days(20), RotationCounts(3)) == on_days(20)[:3]


def test_the_last_that_holds_more_than_all_that_stay_is_never_dropped() -> None:
    """Eight days after the memories were lost, all seven backups were empty."""
    full = Made((FIRST - timedelta(days=1)).timestamp(), held=300)
    daily = [full]
    for empty in reversed(on_days(200, held=0)):
        daily = left([empty, *daily], RotationCounts(7, 4, 3))
    assert full in daily


def test_it_goes_once_what_stays_holds_as_much() -> None:
    [*newer, old] = on_days(9, held=300)
    assert old not in left([*newer, old], RotationCounts(7))
    fuller = Made(old.at - 1, held=301)
    assert fuller in left([*newer, fuller], RotationCounts(7))
    by_hand = Made(old.at + 1, held=301)
    assert fuller not in left([*newer, fuller], RotationCounts(7), (by_hand,))


@given(
    st.lists(st.tuples(st.floats(-1e9, 1e15), st.integers(0, 5)), max_size=40, unique=True),
    st.integers(1, 5),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_nothing_that_goes_held_more_than_what_stays(
    made: list[tuple[float, int]], days: int, weeks: int, months: int
) -> None:
    daily = sorted((Made(at, held) for at, held in made), key=lambda each: -each.at)
    stays = left(daily, RotationCounts(days, weeks, months))
    assert stays[: len(daily[:days])] == daily[:days]
    assert max((each.held for each in stays), default=0) == max(
        (each.held for each in daily), default=0
    )
    assert len(stays) <= days + weeks + months + 1
