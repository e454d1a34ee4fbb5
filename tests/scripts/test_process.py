"""Starting and stopping hosts: what happens when it does not go well."""

import asyncio
import signal
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import run
from astrbot_plugin_tidemark.scripts.hostkit.clock import ClockFile
from astrbot_plugin_tidemark.scripts.hostkit.ports import free_port
from astrbot_plugin_tidemark.scripts.hostkit.process import HostFailed, HostProcess
from astrbot_plugin_tidemark.scripts.hostkit.root import new_root
from filelock import FileLock


def process(folder: Path) -> HostProcess:
    return HostProcess(new_root(folder), ClockFile(folder / "clock"), folder / "logs" / "host.log")


async def test_a_host_that_ends_while_starting_is_told_in_its_words(tmp_path: Path) -> None:
    host = process(tmp_path)
    with pytest.raises(HostFailed, match="not a valid AstrBot root"):
        await host.start()
    assert not host.running


async def test_a_host_heeds_interrupts_even_where_its_starter_ignored_them(tmp_path: Path) -> None:
    told = "import signal; print(signal.getsignal(signal.SIGINT))"
    root, clock = new_root(tmp_path), ClockFile(tmp_path / "clock")
    host = HostProcess(root, clock, tmp_path / "host.log", [sys.executable, "-c", told])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(HostFailed, match="default_int_handler"):
            await host.start()
    finally:
        signal.signal(signal.SIGINT, before)


async def test_running_on_a_taken_port_ends_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
    async with server:
        assert await run.main(Namespace(port=port, fresh=False), tmp_path) == 1
    assert f"port {port} is in use" in capsys.readouterr().out


async def test_a_second_instance_in_the_same_folder_is_refused_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = new_root(tmp_path / "host")
    root.path.mkdir()
    with FileLock(root.path / "astrbot.lock"):
        assert await run.main(Namespace(port=free_port(), fresh=True), tmp_path) == 1
    assert "already runs in" in capsys.readouterr().out
    assert not (root.path / "data").exists()
