"""One installation belongs to one process at a time, whatever becomes of the one that has it."""

import asyncio
import os
import platform
import signal
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.storage.lease import FILE

from .lease_user import LASTED, PLAN
from .others import Start

PATIENCE = 30.0
"""Seconds; as long as nobody has to wait for."""


@pytest.mark.parametrize("backend", ["sqlite", "chroma"])
def test_a_second_process_is_refused_and_takes_over_when_the_first_was_killed(
    quick_folder: Path, start: Start, backend: str
) -> None:
    first = start(quick_folder, backend)
    assert (first.opened, first.ask("put a")) == ("open", "a")
    who = f"{platform.node()}, PID {first.process.pid}"
    assert start(quick_folder, backend).opened == f"held {who}"
    # One that stands still is not gone.
    os.kill(first.process.pid, signal.SIGSTOP)
    assert start(quick_folder, backend).opened == f"held {who}"
    first.kill()
    second = start(quick_folder, backend)
    assert (second.opened, second.ask("ids")) == ("open", "a=6")
    assert second.ask("put b") == "b"


def test_one_that_ended_leaves_the_folder_to_the_next(tmp_path: Path, start: Start) -> None:
    for _ in range(2):
        other = start(tmp_path, "sqlite")
        assert (other.opened, other.ask("end")) == ("open", "ended")


def test_without_its_lock_a_process_writes_no_more(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path, "sqlite")
    assert first.ask("put a") == "a"
    # As on a share that passes no locks on.
    (tmp_path / FILE).unlink()
    second = start(tmp_path, "sqlite")
    assert second.opened == "open"
    assert first.ask("put late") == "held memories.db"
    assert first.ask("say late") == "held journal.db"
    assert first.ask("decay 3600") == "held memories.db"
    assert first.ask("ids") == "a=6"
    assert second.ask("put b") == "b"
    assert second.ask("say here") != ""
    assert second.ask("ids") == "a=6 b=6"


def test_decay_counts_once_with_clocks_an_hour_apart(tmp_path: Path, start: Start) -> None:
    latest = int((LASTED + 3_600.0) / PLAN.cycle)
    first = start(tmp_path, "sqlite")
    assert first.ask("put a") == "a"
    seq = first.ask("say hello")
    assert first.ask("decay 0") == "1"
    first.kill()
    ahead = start(tmp_path, "sqlite")
    assert ahead.ask("put a") == ""
    assert ahead.ask("say hello") == seq
    assert ahead.ask("decay 3600") == "1"
    assert ahead.ask("decay 3600") == "0"
    ahead.kill()
    behind = start(tmp_path, "sqlite")
    assert behind.ask("decay -3600") == "0"
    assert behind.ask("ids") == f"a={6 - latest}"


async def test_who_waits_takes_over_by_itself(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path, "sqlite")
    assert first.opened == "open"
    waiting = asyncio.create_task(asyncio.to_thread(start, tmp_path, "sqlite", 0, "", 0, PATIENCE))
    await asyncio.sleep(0.5)
    first.kill()
    assert (await waiting).opened == "open"
