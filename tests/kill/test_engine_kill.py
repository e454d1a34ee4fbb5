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

from .talker import text_of

TALKER = Path(__file__).with_name("talker.py")
TURNS = 130
KILLS = 48
MOST_TURNS_A_LIFE = 4
LONGEST_WAIT = 0.08
"""Seconds between an answer and the kill: longer than a turn takes, and its work behind it."""


class Talk:
    """The talker's process and what has been answered so far."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.answered = 0
        self.trouble: list[str] = []

    def live(self, chance: random.Random | None = None) -> bool:
        """One life; with `chance` it is killed. Whether it came to its end by itself."""
        assert self.process.stdin is not None
        print(self.folder, self.answered, TURNS, file=self.process.stdin, flush=True)
        child = int(self._line().removeprefix("pid "))
        if chance is not None:
            for _ in range(chance.randint(0, MOST_TURNS_A_LIFE)):
                assert self._hear() == "said"
            time.sleep(chance.uniform(0.0, LONGEST_WAIT))
            os.kill(child, signal.SIGKILL)
        last = ""
        while (word := self._hear()) != "ended":
            last = word
        return last == "done"

    def _hear(self) -> str:
        line = self._line()
        word, _, rest = line.partition(" ")
        if word == "said":
            self.answered = int(rest) + 1
        elif word == "trouble":
            self.trouble.append(rest)
        return word

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the talker is gone"
        return line.rstrip("\n")


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
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
            yield Talk(process, tmp_path)
        finally:
            process.kill()


async def test_however_often_it_is_killed_each_turn_is_kept_and_each_episode_learnt_once(
    talk: Talk,
) -> None:
    chance = random.Random(20_250_611)
    for _ in range(KILLS):
        assert not talk.live(chance)
    assert 0 < talk.answered < TURNS
    assert talk.live()
    assert talk.answered == TURNS
    assert talk.trouble == []
    left = await toll(talk.folder, [text_of(number) for number in range(TURNS)], kills=KILLS)
    assert left.problems == ()
    assert left.verdicts > 0
