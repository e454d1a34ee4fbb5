"""The clock file: an offset in seconds, replaced whole."""

import time
from argparse import Namespace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import clock as command
from astrbot_plugin_tidemark.scripts.hostkit.clock import DAY, ClockFile


def test_a_set_time_is_the_present_and_goes_on(tmp_path: Path) -> None:
    clock = ClockFile(tmp_path / "clock")
    clock.set_time(1_000_000.0)
    before = clock.now()
    assert before >= 1_000_000.0
    assert clock.offset() < 1_000_000.0 - time.time() + 60
    assert clock.now() >= before


async def test_the_clock_command_moves_the_running_instances_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command.main(Namespace(days=40.0), tmp_path) == 0
    assert "+40.00 days" in capsys.readouterr().out
    await command.main(Namespace(days=0.0), tmp_path)
    assert ClockFile(tmp_path / "clock").offset() == 40 * DAY
