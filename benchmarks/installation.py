"""An engine over a folder, composed as the plugin does it, with one fixed embedder."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..core.embedding.cached import CachedEmbedder
from ..core.engine import MemoryEngine, Parts
from ..core.forgetting.sweep import LAST_SWEEP
from ..core.host.clock import SystemClock
from ..core.incidents import Incidents
from ..core.ports import ChatModel, Embedder, EmbedderIdentity, Vector
from ..core.settings import Settings
from ..core.text.counting import best_counter
from ..storage import open_journal, open_store
from .command import progress
from .figures import timed

type Backend = Literal["sqlite", "ephemeral"]


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
    """One embedder, whatever happens."""

    embedder: Embedder
    settled: bool = True

    async def choose(self) -> Embedder | None:
        """That one."""
        return self.embedder


@asynccontextmanager
async def installed(
    folder: Path, embedder: Embedder, *, backend: Backend = "sqlite"
) -> AsyncIterator[MemoryEngine]:
    """An engine over `folder`, which must exist, with default settings and not started yet.

    Closed at the end of the block.
    """
    clock, incidents = SystemClock(), Incidents()
    journal = await open_journal(folder)
    # The nightly sweep would run at the first start; here it runs when it is measured.
    await journal.set_note(LAST_SWEEP, repr(clock.now()))
    engine = MemoryEngine(
        Parts(
            store=await open_store(backend, folder),
            journal=journal,
            clock=clock,
            models=NoModel(),
            embedders=FixedEmbedder(embedder),
            settings=Settings(),
            count_tokens=best_counter()[0],
            report=lambda place, error: progress(f"failed: {place}: {error}"),
            incidents=incidents,
        )
    )
    try:
        yield engine
    finally:
        await engine.close()
