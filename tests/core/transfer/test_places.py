"""Which files may be imported: those in two folders, by a plain name."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.settings import BackupSettings
from astrbot_plugin_tidemark.core.transfer.backup import Backup, Occasion, expired
from astrbot_plugin_tidemark.core.transfer.places import Places, stamp
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(tmp_path / "data")
    made.new(0.0).touch()
    (made.imports / "mine.jsonl").touch()
    (tmp_path / "secret.jsonl").touch()
    (made.folder / "journal.db").touch()
    return made


@pytest.mark.parametrize("at", [253_402_300_800.0, 1e12, 1e300, float("inf")])
def test_a_file_s_name_has_a_time_however_late_the_clock_is(places: Places, at: float) -> None:
    assert stamp(at).startswith("9999")
    assert places.new(at).name.startswith("memories-9999")


def test_names_of_exports_are_their_own_and_sort_by_time(places: Places) -> None:
    assert len({places.new(5.0) for _ in range(3)}) == 3
    assert stamp(1_750_000_000.0) == "20250615T150640Z"
    assert stamp(1_750_000_000.0) < stamp(1_750_000_001.0)


def test_a_file_is_found_in_two_folders_and_behind_no_link(places: Places, tmp_path: Path) -> None:
    assert places.find("mine.jsonl") == places.imports / "mine.jsonl"
    assert places.find("memories-19700101T000000Z.jsonl") is not None
    assert sorted(places.names()) == ["memories-19700101T000000Z.jsonl", "mine.jsonl"]
    (places.imports / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    assert places.find("link.jsonl") is None


def test_nothing_else_is(places: Places) -> None:
    paths = ("", ".", "..", "../journal.db", "../../secret.jsonl", "/etc/passwd", ".hidden")
    names = ("imports/mine.jsonl", "..\\journal.db", "mine.jsonl\0", "nothing.jsonl", "x" * 500)
    for name in (*paths, *names):
        assert places.find(name) is None, name


def test_a_persons_own_export_has_always_the_same_name(places: Places) -> None:
    assert places.own("private/qq/901/default") == places.own("private/qq/901/default")
    assert places.own("private/qq/901/default") != places.own("private/qq/902/default")
    assert "901" not in places.own("private/qq/901/default").name


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
