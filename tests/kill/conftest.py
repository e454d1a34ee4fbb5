"""Programs that live in a forked child again and again, to be killed there."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest


class Forking:
    """A program of this folder that lives once, in a child, for every line it is given."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.reports: list[str] = []
        """What its lives complained of."""

    def begin(self, *life: object) -> int:
        """Give it a line; the process id of the child that lives by it."""
        assert self._process.stdin is not None
        print(*life, file=self._process.stdin, flush=True)
        return int(self._line().removeprefix("pid "))

    def hear(self) -> tuple[str, str]:
        """The next word of a life, and what follows it; "ended" when it is over."""
        word, _, rest = self._line().partition(" ")
        if word == "report":
            self.reports.append(rest)
        return word, rest

    def _line(self) -> str:
        line = self._process.stdout.readline()
        assert line, "the program is gone"
        return line.rstrip("\n")


type Fork = Callable[[str], Forking]


@pytest.fixture(scope="module")
def fork() -> Iterator[Fork]:
    # One thread in the process that forks.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with ExitStack() as stack:

        def start(name: str) -> Forking:
            process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name(name))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return Forking(process)

        yield start
