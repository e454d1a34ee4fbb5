"""The clock file: an offset in seconds, replaced whole."""

import time
from argparse import Namespace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import clock as command
from astrbot_plugin_tidemark.scripts.hostkit.clock import DAY, ClockFile
from hypothesis import given, settings
from hypothesis import strategies as st


def test_without_a_file_the_clock_shows_the_real_time(tmp_path: Path) -> None:
    assert ClockFile(tmp_path / "clock").offset() == 0.0


def test_advancing_adds_days_to_the_offset(tmp_path: Path) -> None:
    clock = ClockFile(tmp_path / "new" / "clock")
    assert clock.advance(2.5) == 2.5 * DAY
    assert clock.advance(1) == 3.5 * DAY
    assert ClockFile(clock.path).offset() == 3.5 * DAY


def test_a_set_time_is_the_present_and_goes_on(tmp_path: Path) -> None:
    clock = ClockFile(tmp_path / "clock")
    clock.set_time(1_000_000.0)
    before = clock.now()
    assert before >= 1_000_000.0
    assert clock.offset() < 1_000_000.0 - time.time() + 60
    assert clock.now() >= before


def test_no_draft_is_left_behind(tmp_path: Path) -> None:
    clock = ClockFile(tmp_path / "clock")
    clock.advance(1)
    assert [file.name for file in tmp_path.iterdir()] == ["clock"]


@settings(deadline=None)
@given(seconds=st.floats(min_value=-1e10, max_value=1e10))
def test_an_offset_is_read_back_exactly(
    seconds: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    clock = ClockFile(tmp_path_factory.getbasetemp() / "clock")
    clock.set_offset(seconds)
    assert clock.offset() == seconds


async def test_the_clock_command_moves_the_running_instances_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command.main(Namespace(days=40.0), tmp_path) == 0
    assert "+40.00 days" in capsys.readouterr().out
    await command.main(Namespace(days=0.0), tmp_path)
    assert ClockFile(tmp_path / "clock").offset() == 40 * DAY
