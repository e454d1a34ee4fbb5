"""Parts that do not answer, and cannot be cancelled, hold up no chat."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.engine.recalls import RecallRequest
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.trace import SilenceReason, from_json
from astrbot_plugin_tidemark.core.records.background import uninterrupted
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.storage import open_store

from ...kit import place
from ...rig import Rig, open_rig
from ...samples import ANNS

HURRIED = Settings(recall=RecallSettings(deadline_ms=1_000))
FACT = "My hives stand behind the old chapel"


def ask(text: str, turn: int | None = None, *, waited: float = 0.0) -> RecallRequest:
    return RecallRequest(ANNS, text, turn, waited=waited)


class Stuck:
    """A store whose reading of records waits at a gate, deaf to cancellation."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.gate = asyncio.Event()
        self.waiting = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def find(self, ids: Sequence[str], scopes: Any = None) -> list[Memory]:
        self.waiting += 1
        await uninterrupted(asyncio.ensure_future(self.gate.wait()))
        return await self._store.find(ids, scopes)


@pytest.fixture
async def stuck(tmp_path: Path) -> Stuck:
    return Stuck(await open_store("sqlite", tmp_path))


@pytest.fixture
async def rig(tmp_path: Path, stuck: Any) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, HURRIED, store=stuck)
    yield rig
    stuck.gate.set()
    await rig.engine.close()


async def test_a_store_that_never_answers_is_left_at_the_deadline(rig: Rig, stuck: Stuck) -> None:
    await rig.keep(FACT, ANNS)
    async with asyncio.timeout(5.0):
        assert await rig.engine.recalls.recall(ask("Where are my hives?")) is None
    assert stuck.waiting == 1
    assert rig.engine.incidents.snapshot()["recall"].count == 1


async def test_what_comes_after_the_deadline_counts_as_never_shown(rig: Rig, stuck: Stuck) -> None:
    await rig.keep(FACT, ANNS)
    seq = await rig.say(ANNS, "Where are my hives?")
    await rig.engine.recalls.recall(ask("Where are my hives?", seq))
    stuck.gate.set()
    await rig.engine.recalls.recorded()
    kept = await rig.journal.recollection(place(ANNS).session)
    assert (kept.block, kept.injected) == ("", ())
    assert from_json(kept.trace).silence is SilenceReason.LATE


async def test_the_time_a_hook_has_used_up_is_not_given_again(rig: Rig, stuck: Stuck) -> None:
    stuck.gate.set()
    await rig.keep(FACT, ANNS)
    late = ask("Where are my hives?", waited=60.0)
    assert await rig.engine.recalls.recall(late) is None
