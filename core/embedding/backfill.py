"""Vectors for memories that have none of the present embedder's, in the background."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched

from ..languages.scripts import in_one_script
from ..model.errors import EmbeddingUnavailable, StorageError
from ..model.memory import Memory
from ..model.views import WHOLE
from ..ports import Embedder, EmbedderSource, MemoryVectors, Vector
from ..records.enrichment import added_cues
from ..records.searched_text import claimed
from .views import views_of

BATCH = 32
GIVE_UP_AFTER = 3
LONGEST_PAUSE = 300.0

type _Texts = Mapping[str, str]
"""What one memory is embedded as, by the name of the view."""

type _Named = dict[str, Vector]
"""The vectors of these."""


def embedding_text(memory: Memory) -> str:
    """What is embedded for a memory: its text, what it claims and its own cues, in one script."""
    # Of two that say the same sleep may have added to one alone: that is a view of its own.
    cues = [cue for cue in memory.cues if cue not in added_cues(memory)]
    return in_one_script("\n".join([memory.text, *claimed(memory), *cues]))


@dataclass(slots=True)
class Backfill:
    """Embeds newest first; while nothing waits, the embedder itself is learnt.

    `working` while memories wait, `problem` by what the last batch failed; `held` by somebody who
    wants no more of it until the next start. A text refused while others pass is left out until
    the next start or another embedder.
    """

    store: MemoryVectors
    source: EmbedderSource
    report: Callable[[str, BaseException], None]
    pause: float = 5.0
    learn: Callable[[Embedder], Awaitable[bool]] | None = None
    working: bool = False
    problem: str = ""
    held: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _refused: set[str] = field(default_factory=set[str])
    _refused_by: str = ""
    _down: bool = False

    def wake(self) -> None:
        """Look for work now."""
        self._wake.set()

    async def run(self) -> None:
        """Until cancelled."""
        wait = self.pause
        while True:
            self._wake.clear()
            try:
                while await self.once():
                    pass
                wait = self.pause
            except (EmbeddingUnavailable, StorageError) as error:
                # Of memories that are to be had again it is told.
                self._down = isinstance(error, EmbeddingUnavailable)
                self.problem = f"{type(error).__name__}: {error}"
                self.report("embedding", error)
                wait = min(LONGEST_PAUSE, wait * 2)
            await self._sleep(wait)

    async def once(self) -> bool:
        """One batch. False when there is nothing to do. Raises EmbeddingUnavailable if down."""
        embedder = await self.source.choose()
        if embedder is None or not self.source.settled or self.held:
            return False
        fingerprint = (await embedder.identity()).fingerprint
        batch = await self._batch(fingerprint)
        self.working = bool(batch)
        if not batch:
            self.problem = ""
            return self.learn is not None and await self.learn(embedder)
        vectors = await self._embed(embedder, batch)
        wholes = {id: each.pop(WHOLE) for id, each in vectors.items()}
        # Meanwhile an endpoint may have come to stand for another model.
        if (await embedder.identity()).fingerprint == fingerprint:
            await self.store.set_vectors(fingerprint, wholes, vectors)
        self.problem = ""
        return True

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                # While the provider is down, new memories must not cause a call each.
                await (asyncio.sleep(seconds) if self._down else self._wake.wait())
        except TimeoutError:
            pass

    async def _batch(self, fingerprint: str) -> list[Memory]:
        if fingerprint != self._refused_by:
            self._refused, self._refused_by = set(), fingerprint
        found = await self.store.unembedded(fingerprint, limit=BATCH + len(self._refused))
        return [memory for memory in found if memory.id not in self._refused][:BATCH]

    async def _embed(self, embedder: Embedder, batch: Sequence[Memory]) -> dict[str, _Named]:
        texts = {memory.id: self._texts(memory) for memory in batch}
        try:
            vectors = await self._each(embedder, texts)
        except EmbeddingUnavailable as error:
            return await self._one_by_one(embedder, texts, error)
        self._down = False
        return vectors

    async def _one_by_one(
        self, embedder: Embedder, texts: Mapping[str, _Texts], first: EmbeddingUnavailable
    ) -> dict[str, _Named]:
        vectors: dict[str, _Named] = {}
        failed: set[str] = set()
        # From the other end after an outage, so that a few bad texts cannot pose as one.
        for id in reversed([*texts]) if self._down else texts:
            try:
                vectors |= await self._each(embedder, {id: texts[id]})
            except EmbeddingUnavailable:
                failed.add(id)
                if not vectors and len(failed) >= GIVE_UP_AFTER:
                    break
        if not vectors:
            self._down = True
            raise first
        self._down = False
        self._refused |= failed
        return vectors

    def _texts(self, memory: Memory) -> dict[str, str]:
        views = views_of(memory)
        return {WHOLE: embedding_text(memory)} | {
            name: in_one_script(text) for name, text in views.items()
        }

    async def _each(self, embedder: Embedder, texts: Mapping[str, _Texts]) -> dict[str, _Named]:
        """The vectors of named texts, at most `BATCH` a call."""
        places = [(id, name) for id, own in texts.items() for name in own]
        vectors: dict[str, _Named] = {id: {} for id in texts}
        for some in batched(places, BATCH):
            found = await embedder.embed_documents([texts[id][name] for id, name in some])
            for (id, name), vector in zip(some, found, strict=True):
                vectors[id][name] = vector
        return vectors
