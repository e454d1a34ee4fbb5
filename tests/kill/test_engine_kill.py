"""The engine killed at random moments, many times over: nothing answered is lost or done twice."""

import os
import random
import signal
import time
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts.soak_toll import toll
from astrbot_plugin_tidemark.storage import Backend

from ..strength import strength
from .conftest import Fork, Forking
from .talker import text_of

KILLS = {"sqlite": strength(5, 30, "TIDEMARK_KILLS"), "chroma": strength(2, 6, "TIDEMARK_KILLS")}
"""Each life with Chroma begins by starting its process, which takes a second or two."""

MOST_TURNS_HEARD = 4
LONGEST_LIFE = 100
"""Turns; no life gets there."""

LONGEST_WAIT = 0.08
"""Seconds between an answer and the kill: longer than a turn takes, and its work behind it."""


class Talker:
    """The talker's process and what has been answered so far."""

    def __init__(self, process: Forking, folder: Path, backend: Backend) -> None:
        self.process = process
        self.folder = folder
        self.backend: Backend = backend
        self.answered = 0

    def live(self, chance: random.Random | None = None, more: int = 0) -> bool:
        """One life; with `chance` it is killed, else it says so many turns `more` and finishes.

        Whether it came to its end by itself.
        """
        last = self.answered + (more if chance is None else LONGEST_LIFE)
        child = self.process.begin(self.folder, self.answered, last, self.backend)
        if chance is not None:
            for _ in range(chance.randint(0, MOST_TURNS_HEARD)):
                assert self._hear() == "said", self.process.reports
            time.sleep(chance.uniform(0.0, LONGEST_WAIT))
            os.kill(child, signal.SIGKILL)
        word = before = ""
        while word != "ended":
            before, word = word, self._hear()
        return before == "done"

    def _hear(self) -> str:
        word, rest = self.process.hear()
        if word == "said":
            self.answered = int(rest) + 1
        return word


@pytest.fixture(params=["sqlite", "chroma"])
def talker(tmp_path: Path, fork: Fork, request: pytest.FixtureRequest) -> Talker:
    return Talker(fork("talker.py"), tmp_path, request.param)


async def test_however_often_killed_each_turn_is_kept_and_learnt_once(talker: Talker) -> None:
    chance = random.Random(20_250_611)
    kills = KILLS[talker.backend]
    for _ in range(kills):
        assert not talker.live(chance)
    # On a busy machine the short lives may have been shown nothing that can be judged.
    assert talker.live(more=8)
    assert talker.process.reports == []
    said = [text_of(number) for number in range(talker.answered)]
    assert len(said) > kills
    left = await toll(talker.folder, said, backend=talker.backend)
    assert left.problems == ()
    assert left.verdicts > 0
