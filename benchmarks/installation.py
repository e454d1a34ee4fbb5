"""An engine over a folder, composed as the plugin does it, with one fixed embedder."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..core.embedding.cached import CachedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.engine.parts import Parts
from ..core.host.clock import SystemClock
from ..core.model.errors import Incidents
from ..core.ports import ChatModel, Embedder, Journal, MemoryStore, ModelSource
from ..core.scoring.fitted import boundaries
from ..core.settings import Settings
from ..core.sleep.sweep import LAST_SWEEP
from ..scripts.hostkit.chroma_server import ServerProcess
from ..storage import open_journal, open_store
from .command import progress

type Backend = Literal["sqlite", "chroma", "chroma-server"]


class NoModel:
    """Learning is left to the rules."""

    settled = True

    async def choose(self, session: str) -> ChatModel | None:
        """Never one."""
        return None


@dataclass(frozen=True, slots=True)
class FixedEmbedder:
    """One embedder, or none, whatever happens."""

    embedder: Embedder | None
    settled: bool = True

    async def choose(self) -> Embedder | None:
        """That one."""
        return self.embedder


async def _store(backend: Backend, folder: Path, stack: AsyncExitStack) -> MemoryStore:
    """The store of the backend; a server it needs runs until the stack is closed."""
    if backend != "chroma-server":
        return await open_store(backend, folder)
    server = ServerProcess(folder / "server")
    stack.callback(server.kill)
    await asyncio.to_thread(server.start)
    return await open_store("chroma", folder, server=server.address("benchmark"))


@asynccontextmanager
async def installed(
    folder: Path,
    embedder: Embedder,
    *,
    backend: Backend = "sqlite",
    models: ModelSource | None = None,
    settings: Settings | None = None,
) -> AsyncIterator[MemoryEngine]:
    """An engine over `folder`, which must exist, not started yet.

    The embedder is cached as in use. Closed at the end of the block. Without `models` no model is
    ever asked.
    """
    async with AsyncExitStack() as stack:
        journal, store = await open_journal(folder), await _store(backend, folder, stack)
        parts = _parts(store, journal, embedder, models or NoModel(), settings or Settings())
        # The nightly sweep would run at the first start; here it runs when it is measured.
        await journal.set_note(LAST_SWEEP, repr(parts.clock.now()))
        engine = MemoryEngine(parts)
        stack.push_async_callback(engine.close)
        yield engine


def _parts(
    store: MemoryStore,
    journal: Journal,
    embedder: Embedder,
    models: ModelSource,
    settings: Settings,
) -> Parts:
    return Parts(
        store=store,
        journal=journal,
        clock=SystemClock(),
        models=models,
        embedders=FixedEmbedder(CachedEmbedder(embedder)),
        settings=settings,
        report=lambda place, error: progress(f"failed: {place}: {error}"),
        incidents=Incidents(),
        boundaries=boundaries(_failed),
    )


def _failed(place: str, why: str) -> None:
    progress(f"failed: {place}: {why}")
