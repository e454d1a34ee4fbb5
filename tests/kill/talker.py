"""Runs the engine over a talk, a life for every line: `FOLDER FIRST LAST BACKEND`.

A life says `said N` when turn N is answered, `done` at the end.
"""

import asyncio
import runpy
import time
from dataclasses import replace
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "mounted.py"))

from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.conversation import (
    NewTurn,
    Place,
    Role,
    Scope,
    ScopeKind,
    Speaker,
)
from astrbot_plugin_tidemark.core.model.errors import Incidents
from astrbot_plugin_tidemark.core.model.sleeping import SleepCause
from astrbot_plugin_tidemark.core.ports import Completion, Embedder, Prompt
from astrbot_plugin_tidemark.core.scoring.boundaries import (
    BoundaryColumn,
    BoundaryModel,
    BoundaryModels,
)
from astrbot_plugin_tidemark.core.settings import CaptureSettings, RecallSettings, Settings
from astrbot_plugin_tidemark.scripts.nights import asleep
from astrbot_plugin_tidemark.scripts.soak_toll import SESSION, USER, lesson_text, verdict_text
from astrbot_plugin_tidemark.storage import Backend, open_journal, open_store
from astrbot_plugin_tidemark.tests.kill.living import live_by_lines, say

SCOPE = Scope(ScopeKind.PRIVATE, "qq", str(USER))
PLACE = Place(SESSION, "", SCOPE.key)
ANYWHERE = BoundaryModel({BoundaryColumn.T_CENTROID: 1.0}, none=-1e9)
"""Ends every full episode elsewhere."""

EPISODE_TURNS = 8
CALL_TAKES = 0.02
LATEST_MS = 10_000


class Clock:
    def now(self) -> float:
        return time.time()


class Model:
    """One lesson an episode, worded anew at every call."""

    settled = True

    async def choose(self, session: str) -> "Model":
        return self

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        await asyncio.sleep(CALL_TAKES)
        told = verdict_text if prompt.name == "verdict" else lesson_text
        return Completion(told(prompt.user))


class Embedders:
    """Always the hashed one."""

    settled = True

    def __init__(self) -> None:
        self._embedder = HashedEmbedder()

    async def choose(self) -> Embedder:
        return self._embedder


def text_of(number: int) -> str:
    return f"Turn {number}: the cargo of ship {number % 7} is number {number * 7919 % 10_007}"


async def opened(folder: Path, backend: Backend) -> MemoryEngine:
    # A recall that is late on a busy machine does not matter here.
    settings = Settings(
        recall=RecallSettings(deadline_ms=LATEST_MS),
        capture=CaptureSettings(episode_max_turns=EPISODE_TURNS),
    )
    return MemoryEngine(
        Parts(
            store=await open_store(backend, folder),
            journal=await open_journal(folder),
            clock=Clock(),
            models=Model(),
            embedders=Embedders(),
            settings=settings,
            report=lambda text, error: say(f"report {text}: {error!r}"),
            incidents=Incidents(),
            boundaries=BoundaryModels(ANYWHERE, ANYWHERE),
        )
    )


async def answer(engine: MemoryEngine, number: int) -> None:
    """One turn as the host does it. Said again after a death, it has the same message id."""
    text = text_of(number)
    asked = NewTurn(
        PLACE, Role.USER, Speaker(str(USER), "Anna"), text, time.time(), f"message:{number}"
    )
    turn = (await engine.observe(asked)).turn
    await engine.recalls.recall(RecallRequest(SCOPE, text, turn.seq))
    told = replace(asked, role=Role.ASSISTANT, text=f"echo: {text}", message_id=f"reply:{turn.seq}")
    await engine.observe(told)


async def converse(folder: Path, numbers: range, backend: Backend) -> None:
    """Every turn, then sleep until everything is learnt."""
    engine = await opened(folder, backend)
    try:
        engine.start()
        for number in numbers:
            await answer(engine, number)
            # A sleep is under way at nearly every moment: most lives end inside one.
            await engine.rhythm.begin_all(SleepCause.NIGHT, time.time())
            engine.wake()
            say(f"said {number}")
        await asleep(engine)
    finally:
        await engine.close()
    say("done")


async def talk(folder: Path, first: str, last: str, backend: Backend) -> None:
    await converse(folder, range(int(first), int(last)), backend)


if __name__ == "__main__":
    live_by_lines(talk)
