"""Memories that are away for a while: the talk is recorded, and known as soon as they are back."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.storage.chroma import ChromaStore, folder

from ...kit import until
from ...rig import Rig, open_rig
from ...samples import ANNS
from .conftest import PATIENT

SAID = [f"My sloop number {n} is called Petrel" for n in range(8)]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, PATIENT, store=await ChromaStore.open(tmp_path))
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def test_turns_said_while_chromas_process_is_gone_are_indexed_once_when_another_is_there(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(rig.store, ChromaStore)
    opened: folder.Folder = rig.store._client.api
    monkeypatch.setattr(folder, "PAUSES", (2.0,))
    first = opened.process
    os.kill(first.pid, signal.SIGKILL)
    for text in SAID:
        await rig.say(ANNS, text)
    await until(lambda: bool(rig.reports))
    assert opened.process is first
    now = rig.clock.at
    # The clock stands still: what a back-off has put off would never be due.
    await until(lambda: opened.process is not first, seconds=60.0)
    assert await rig.engine.worker.drain(60.0)
    assert rig.clock.at == now
    assert [memory.text for memory in await rig.memories(Kind.EVIDENCE)] == SAID
