"""Processes of their own that use a data folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..forks.forking import POSSIBLE, ForkServer, Program
from ..forks.piped import Piped

PROGRAM = Path(__file__).with_name("lease_user.py")
IMPORTED = (str(ROOT / "tests/mounted.py"), "astrbot_plugin_tidemark.tests.storage.lease_user")
TEXT = f"import runpy; runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"


class Other:
    """A process of its own with the folder."""

    def __init__(self, process: Piped | subprocess.Popen[bytes]) -> None:
        self.process = process
        self.opened = self._hear()

    def ask(self, line: str) -> str:
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self._hear()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _hear(self) -> str:
        return self.process.stdout.readline().decode().strip()


type Start = Callable[..., Other]


@pytest.fixture(scope="session")
def users() -> Iterator[ForkServer]:
    """Has imported what each of them imports."""
    server = ForkServer([*IMPORTED, "chromadb"])
    yield server
    server.close()


def _begun(users: ForkServer, arguments: list[str]) -> Piped | subprocess.Popen[bytes]:
    if POSSIBLE:
        told = [str(PROGRAM), *arguments]
        return Piped(
            users, Program(TEXT, told, [], ROOT, dict(os.environ)), sys.__stderr__.fileno()
        )
    command = [sys.executable, str(PROGRAM), *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)


@pytest.fixture
def start(users: ForkServer) -> Iterator[Start]:
    """Starts a process; none outlives the test."""
    with ExitStack() as ends:

        def started(*arguments: object) -> Other:
            other = Other(_begun(users, [*map(str, arguments)]))
            for pipe in (other.process.stdin, other.process.stdout, other.process.stderr):
                if pipe is not None:
                    ends.callback(pipe.close)
            ends.callback(other.kill)
            return other

        yield started
