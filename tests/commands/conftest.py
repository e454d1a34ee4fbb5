"""A rig over a store in a file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.core.actions.context import Installation, Services
from astrbot_plugin_tidemark.core.engine.engine import MemoryEngine
from astrbot_plugin_tidemark.core.engine.parts import Parts
from astrbot_plugin_tidemark.core.model.errors import Incidents
from astrbot_plugin_tidemark.core.ports import Reranker
from astrbot_plugin_tidemark.core.queue.job_list import JobList
from astrbot_plugin_tidemark.core.settings import DisplaySettings, Settings
from astrbot_plugin_tidemark.storage import open_journal

from ..core.embedding.local.conftest import models_folder as models_folder
from ..deciding import OPEN
from ..rig import empty_store
from .command_rig import CommandRig, Embedders, ModelFolder, NoModel, SetClock
from .safe import Office, office


@pytest.fixture
def reranker() -> Reranker | None:
    """None; a module may have another."""
    return None


@pytest.fixture
async def rig(tmp_path: Path, reranker: Reranker | None) -> AsyncIterator[CommandRig]:
    """Over an empty store, in UTC, without a chat model or the local embedding model."""
    clock, embedders, models = SetClock(), Embedders(), ModelFolder()
    parts = Parts(
        store=await empty_store(tmp_path),
        journal=await open_journal(tmp_path),
        clock=clock,
        models=NoModel(),
        embedders=embedders,
        settings=Settings(display=DisplaySettings(timezone="UTC")),
        report=lambda text, error: None,
        incidents=Incidents(),
        reranker=reranker,
        fitted=OPEN,
    )
    engine = MemoryEngine(parts)
    jobs = JobList(clock)
    services = Services(Installation(models.install, models.status, engine.wake, jobs), jobs)
    yield CommandRig(engine, clock, embedders, models, services, load_phrases())
    await jobs.aclose()
    await engine.close()
    await parts.store.close()
    await parts.journal.close()


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Office]:
    async with office(tmp_path) as opened:
        yield opened
