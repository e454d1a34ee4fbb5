"""The engine and its sleep are killed at random moments: nothing is lost, nothing is done twice."""

import asyncio
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.sleeping import Deed
from astrbot_plugin_tidemark.core.ports import Filter
from astrbot_plugin_tidemark.scripts.soak_toll import toll
from astrbot_plugin_tidemark.storage import Backend, open_journal, open_store

from ..strength import strength
from .conftest import Fork, Forking
from .sleeper import SCOPES, furnish, scopes
from .talker import text_of

KILLS = {"sqlite": strength(5, 30, "TIDEMARK_KILLS"), "chroma": strength(2, 6, "TIDEMARK_KILLS")}
"""Each life with Chroma begins by starting its process, which takes a second or two."""

LONGEST_LIFE = {"sqlite": 0.25, "chroma": 1.5}
"""Seconds of sleep before a kill, so that many a life gets somewhere."""

type State = dict[str, Any]


def live(process: Forking, folder: Path, backend: Backend, chance: random.Random | None) -> bool:
    """One life; with `chance` it is killed. Whether it came to its end by itself."""
    child = process.begin(folder, backend)
    word = before = ""
    while word != "ended":
        before, (word, _) = word, process.hear()
        if word == "asleep" and chance is not None:
            time.sleep(chance.uniform(0.0, LONGEST_LIFE[backend]))
            # It may have come to its end.
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    return before == "done"


@pytest.fixture(scope="module")
def sleeper(fork: Fork) -> Forking:
    """The process that forks one life after the other."""
    return fork("sleeper.py")


async def furnished(folder: Path, backend: Backend, journal_of: Path | None = None) -> Path:
    """A folder to sleep over; all are of one installation, so that they can be compared."""
    await asyncio.to_thread(_copied, folder, journal_of)
    store, journal = await open_store(backend, folder), await open_journal(folder)
    if journal_of is None:
        # An id of the installation's own, and nothing else.
        await journal.close()
        await store.close()
        return folder
    await furnish(store, journal)
    await store.close()
    await journal.close()
    return folder


def _copied(folder: Path, journal_of: Path | None) -> None:
    folder.mkdir()
    if journal_of is not None:
        shutil.copytree(journal_of, folder, dirs_exist_ok=True)


async def state(folder: Path, backend: Backend) -> State:
    """All that a sleep leaves behind: memories, decisions, history and pages."""
    store, journal = await open_store(backend, folder), await open_journal(folder)
    try:
        memories = {m.id: asdict(m) async for m in store.iterate(Filter(status=None))}
        keys = ["", *(scope.key for scope in scopes())]
        decided = [
            (scope, each.step, each.decision, each.undone_at)
            for scope in keys
            for sleep in await journal.reports([scope])
            for each in await journal.decisions(sleep.id, limit=999)
        ]
        return {
            "memories": memories,
            "decided": sorted(decided, key=repr),
            "history": {id: await history(journal, id) for id in sorted(memories)},
            "pages": {key: await journal.mark(key, "profile") for key in keys},
            "examined": {key: await journal.mark(key, "conflicts") for key in keys},
            "under way": await journal.sleeping(),
            "left": await journal.backlog(),
        }
    finally:
        await store.close()
        await journal.close()


async def history(journal: Any, id: str) -> list[tuple[str, str]]:
    """What was noted of a memory, each as often as it was."""
    return sorted((entry.action, entry.detail) for entry in await journal.audit_of(id, limit=99))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(furnished(tmp_path_factory.mktemp("made") / "empty", "sqlite"))


@pytest.fixture(scope="module")
def undisturbed(empty: Path, sleeper: Forking) -> State:
    """What one whole sleep leaves, on SQLite."""
    folder = asyncio.run(furnished(empty.with_name("undisturbed"), "sqlite", empty))
    assert live(sleeper, folder, "sqlite", None)
    return asyncio.run(state(folder, "sqlite"))


async def test_one_sleep_does_something_of_every_sort(undisturbed: State) -> None:
    decided = [decision.deed for _, _, decision, _ in undisturbed["decided"]]
    expected = {
        Deed.MERGED: 2,
        Deed.GRADUATED: 1,
        Deed.INTENTION_STALE: 1,
        Deed.THREADED: 1,
        Deed.LINKED: 1,
        Deed.BINNED: 1,
        Deed.CONFLICT_FOUND: 1,
    }
    assert {deed: decided.count(deed) for deed in expected} == {
        deed: count * SCOPES for deed, count in expected.items()
    }
    assert not any(id.endswith("saw a bird") for id in undisturbed["memories"])
    assert all(page for key, page in undisturbed["pages"].items() if key)


@pytest.mark.parametrize("backend", ["sqlite", "chroma"])
async def test_however_often_a_sleep_is_killed_it_comes_to_the_same_on_every_backend(
    tmp_path: Path, sleeper: Forking, empty: Path, undisturbed: State, backend: Backend
) -> None:
    chance, kills, rounds = random.Random(20_261_122), 0, 0
    while kills < KILLS[backend]:
        folder = await furnished(tmp_path / f"{rounds}", backend, empty)
        while kills < KILLS[backend] and not live(sleeper, folder, backend, chance):
            kills += 1
        assert live(sleeper, folder, backend, None)
        assert sleeper.reports == []
        rounds += 1
        left = await state(folder, backend)
        for what, expected in undisturbed.items():
            assert left[what] == expected, what


MOST_TURNS_HEARD = 4
LONGEST_TALK = 100
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
        last = self.answered + (more if chance is None else LONGEST_TALK)
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
