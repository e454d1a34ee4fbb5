"""Processes of their own that use a data folder."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..conftest import ROOT

PROGRAM = Path(__file__).with_name("lease_user.py")


class Other:
    """A process of its own with the folder."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.opened = self._hear()

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        print(line, file=self.process.stdin, flush=True)
        return self._hear()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


type Start = Callable[..., Other]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a process; none outlives the test."""
    with ExitStack() as ends:

        def started(*arguments: object) -> Other:
            other = Other(*arguments)
            for pipe in (other.process.stdin, other.process.stdout):
                assert pipe is not None
                ends.callback(pipe.close)
            ends.callback(other.kill)
            return other

        yield started
