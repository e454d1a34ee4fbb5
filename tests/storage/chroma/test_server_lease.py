"""The memories of a name on a server belong to one process at a time, wherever the others run."""

import os
import shutil
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.chroma_server import ServerProcess

from ..lease_user import LASTED, PLAN
from ..others import Start
from .network_proxy import Proxy, proxied

HOUR = 3_600


@pytest.fixture
def proxy(chroma_server: ServerProcess) -> Iterator[Proxy]:
    with proxied(chroma_server.port) as opened:
        yield opened


def test_a_second_machine_is_refused_and_takes_over_when_the_first_was_killed(
    quick_folder: Path, chroma_server: ServerProcess, start: Start
) -> None:
    name, port = uuid.uuid4().hex, chroma_server.port
    first = start(quick_folder / "one", "chroma", port, name)
    assert (first.opened, first.ask("put a")) == ("open", "a")
    second = start(quick_folder / "two", "chroma", port, name)
    assert second.opened.startswith("held")
    assert second.opened.endswith(f"PID {first.process.pid}")
    first.kill()
    # From the same folder at once: nobody else can have been there.
    again = start(quick_folder / "one", "chroma", port, name)
    assert (again.opened, again.ask("ids")) == ("open", "a=6")
    assert again.ask("end") == "ended"
    # One that has ended leaves it to whoever comes.
    assert start(quick_folder / "one", "chroma", port, name).opened == "open"


def test_a_cut_network_and_clocks_apart(quick_folder: Path, proxy: Proxy, start: Start) -> None:
    name = uuid.uuid4().hex
    copy = quick_folder / "copy"
    first = start(quick_folder / "one", "chroma", proxy.port, name, HOUR)
    assert first.ask("put a") == "a"
    assert first.ask("decay 3600") == "1"
    proxy.cut = True
    # The same installation, copied to another machine with another clock.
    shutil.copytree(quick_folder / "one", copy)
    second = start(copy, "chroma", proxy.behind, name, -HOUR)
    assert second.opened == "open"
    assert second.ask("put b") == "b"
    assert second.ask("decay -3600") == "0"
    assert second.ask("decay 3600") == "1"
    proxy.cut = False
    while (told := first.ask("put late")).startswith("unreachable"):
        time.sleep(0.2)
    assert told.startswith("held")
    assert first.ask("decay 7200").startswith("held")
    latest = int((LASTED + HOUR) / PLAN.cycle)
    assert second.ask("ids") == f"a={6 - latest} b={6 - latest}"


def test_one_that_stood_still_for_longer_than_its_term_writes_nothing_after_it(
    quick_folder: Path, chroma_server: ServerProcess, start: Start
) -> None:
    name, port = uuid.uuid4().hex, chroma_server.port
    first = start(quick_folder / "one", "chroma", port, name)
    assert first.ask("put a") == "a"
    os.kill(first.process.pid, signal.SIGSTOP)
    copy = quick_folder / "copy"
    shutil.copytree(quick_folder / "one", copy)
    second = start(copy, "chroma", port, name)
    assert second.opened == "open"
    os.kill(first.process.pid, signal.SIGCONT)
    assert first.ask("put late").startswith("held")
    assert second.ask("ids") == "a=6"
