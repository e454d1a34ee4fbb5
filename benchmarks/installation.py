"""An engine over a folder, composed as the plugin does it, with one fixed embedder."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..core.embedding.cached import CachedEmbedder
from ..core.engine.engine import MemoryEngine, Parts
from ..core.host.clock import SystemClock
from ..core.model.errors import Incidents
from ..core.ports import ChatModel, Embedder, EmbedderIdentity, MemoryStore, ModelSource, Vector
from ..core.scoring.fitted import boundaries
from ..core.settings import Settings
from ..core.sleep.sweep import LAST_SWEEP
from ..core.text.token_count import best_counter
from ..scripts.hostkit.chroma_server import ServerProcess
from ..storage import open_journal, open_store
from .command import progress
from .figures import timed

type Backend = Literal["sqlite", "chroma", "chroma-server"]


class NoModel:
    """Learning is left to the rules."""

    settled = True

    async def choose(self, session: str) -> ChatModel | None:
        """Never one."""
        return None


class TimedEmbedder:
    """Another embedder, as the plugin caches it; knows how long its last query took."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = CachedEmbedder(inner)
        self.last_query_ms = 0.0

    async def identity(self) -> EmbedderIdentity:
        """The inner one's."""
        return await self._inner.identity()

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Untimed."""
        return await self._inner.embed_documents(texts)

    async def embed_query(self, text: str) -> Vector:
        """Timed, waiting for its thread included."""
        with timed() as watch:
            vector = await self._inner.embed_query(text)
        self.last_query_ms = watch.milliseconds
        return vector


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
) -> AsyncIterator[MemoryEngine]:
    """An engine over `folder`, which must exist, with default settings and not started yet.

    Closed at the end of the block. Without `models` no model is ever asked.
    """
    async with AsyncExitStack() as stack:
        engine = await _assembled(folder, embedder, backend, models or NoModel(), stack)
        stack.push_async_callback(engine.close)
        yield engine


async def _assembled(
    folder: Path, embedder: Embedder, backend: Backend, models: ModelSource, stack: AsyncExitStack
) -> MemoryEngine:
    clock, incidents = SystemClock(), Incidents()
    journal = await open_journal(folder)
    # The nightly sweep would run at the first start; here it runs when it is measured.
    await journal.set_note(LAST_SWEEP, repr(clock.now()))
    return MemoryEngine(
        Parts(
            store=await _store(backend, folder, stack),
            journal=journal,
            clock=clock,
            models=models,
            embedders=FixedEmbedder(embedder),
            settings=Settings(),
            count_tokens=best_counter()[0],
            report=lambda place, error: progress(f"failed: {place}: {error}"),
            incidents=incidents,
            boundaries=boundaries(_failed),
        )
    )


def _failed(place: str, why: str) -> None:
    progress(f"failed: {place}: {why}")
