"""Which daily backups go: pure, and never the last that holds more than all that stay."""

from datetime import UTC, datetime, timedelta

from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import Backup, Occasion, expired
from hypothesis import given
from hypothesis import strategies as st

FIRST = datetime(2025, 1, 1, 3, tzinfo=UTC)


def made_at(at: float, held: int = 10) -> Backup:
    return Backup(str(at), at, Occasion.DAILY, "sqlite", 1, held=held)


def keeping(days: int, weeks: int = 0, months: int = 0) -> BackupSettings:
    return BackupSettings(keep=days, keep_weekly=weeks, keep_monthly=months)


def on_days(count: int, held: int = 10) -> list[Backup]:
    """One a day, newest first."""
    return [made_at((FIRST + timedelta(days=n)).timestamp(), held) for n in reversed(range(count))]


def left(
    daily: list[Backup], keep: BackupSettings, others: tuple[Backup, ...] = ()
) -> list[Backup]:
    going = expired(daily, others, keep)
    return [each for each in daily if each not in going]


def test_backups_thin_out_and_the_fullest_waits_for_its_like() -> None:
    daily: list[Backup] = []
    for made in reversed(on_days(365)):
        daily = left([made, *daily], keeping(7, 4, 3))
    days = [datetime.fromtimestamp(each.at, UTC).date().isoformat() for each in daily]
    newest = [f"2025-12-{day}" for day in range(31, 24, -1)]
    assert days[:7] == newest
    assert days[7:] == ["2025-12-24", "2025-12-17", "2025-12-10", "2025-11-30", "2025-10-31"]
    full = made_at((FIRST - timedelta(days=1)).timestamp(), held=300)
    daily = [full]
    for empty in reversed(on_days(200, held=0)):
        daily = left([empty, *daily], keeping(7, 4, 3))
    assert full in daily
    [*newer, old] = on_days(9, held=300)
    assert old not in left([*newer, old], keeping(7))
    fuller = made_at(old.at - 1, held=301)
    assert fuller in left([*newer, fuller], keeping(7))
    by_hand = made_at(old.at + 1, held=301)
    assert fuller not in left([*newer, fuller], keeping(7), (by_hand,))
    assert left(on_days(20), keeping(3)) == on_days(20)[:3]


@given(
    st.lists(st.tuples(st.floats(-1e9, 1e15), st.integers(0, 5)), max_size=40, unique=True),
    st.integers(1, 5),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_nothing_that_goes_held_more_than_what_stays(
    made: list[tuple[float, int]], days: int, weeks: int, months: int
) -> None:
    daily = sorted((made_at(at, held) for at, held in made), key=lambda each: -each.at)
    stays = left(daily, keeping(days, weeks, months))
    assert stays[: len(daily[:days])] == daily[:days]
    assert max((each.held for each in stays), default=0) == max(
        (each.held for each in daily), default=0
    )
    assert len(stays) <= days + weeks + months + 1
