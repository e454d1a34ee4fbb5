"""The engine killed at random moments, many times over: nothing answered is lost or done twice."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts.soak import toll
from astrbot_plugin_tidemark.storage import Backend

from .talker import text_of

TALKER = Path(__file__).with_name("talker.py")
MOST = os.environ.get("TIDEMARK_KILLS")
KILLS = {"sqlite": int(MOST or 30), "chroma": int(MOST or 6)}
"""Each life with Chroma begins by starting its process, which takes a second or two."""

MOST_TURNS_HEARD = 4
LONGEST_LIFE = 100
"""Turns; no life gets there."""

LONGEST_WAIT = 0.08
"""Seconds between an answer and the kill: longer than a turn takes, and its work behind it."""


class TalkerProcess:
    """The talker's process and what has been answered so far."""

    def __init__(self, process: subprocess.Popen[str], folder: Path, backend: Backend) -> None:
        self.process = process
        self.folder = folder
        self.backend: Backend = backend
        self.answered = 0
        self.reports: list[str] = []

    def live(self, chance: random.Random | None = None) -> bool:
        """One life; with `chance` it is killed, else it only finishes what is left to do.

        Whether it came to its end by itself.
        """
        last = self.answered + LONGEST_LIFE if chance is not None else self.answered
        assert self.process.stdin is not None
        life = (self.folder, self.answered, last, self.backend)
        print(*life, file=self.process.stdin, flush=True)
        child = int(self._line().removeprefix("pid "))
        if chance is not None:
            for _ in range(chance.randint(0, MOST_TURNS_HEARD)):
                assert self._hear() == "said", self.reports
            time.sleep(chance.uniform(0.0, LONGEST_WAIT))
            os.kill(child, signal.SIGKILL)
        word = before = ""
        while word != "ended":
            before, word = word, self._hear()
        return before == "done"

    def _hear(self) -> str:
        line = self._line()
        word, _, rest = line.partition(" ")
        if word == "said":
            self.answered = int(rest) + 1
        elif word == "report":
            self.reports.append(rest)
        return word

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the talker is gone"
        return line.rstrip("\n")


@pytest.fixture(params=["sqlite", "chroma"])
def talker(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TalkerProcess]:
    # One thread in the process that forks.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        [sys.executable, str(TALKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            yield TalkerProcess(process, tmp_path, request.param)
        finally:
            process.kill()


async def test_however_often_it_is_killed_each_turn_is_kept_and_each_episode_learnt_once(
    talker: TalkerProcess,
) -> None:
    chance = random.Random(20_250_611)
    kills = KILLS[talker.backend]
    for _ in range(kills):
        assert not talker.live(chance)
    assert talker.live()
    assert talker.reports == []
    said = [text_of(number) for number in range(talker.answered)]
    assert len(said) > kills
    left = await toll(talker.folder, said, kills=kills, backend=talker.backend)
    assert left.problems == ()
    assert left.verdicts > 0
