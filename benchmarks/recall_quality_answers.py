"""A world told to an engine, and its questions asked; what came of each."""

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine, RecallRequest
from ..core.model.conversation import NewTurn, Place
from ..core.ports import Embedder, Filter, MemoryStore
from ..core.queue.worker import QUICK
from ..core.recall.trace import Leg, Recalled
from ..core.records.evidence import evidence_id
from ..core.settings import DisplaySettings, RecallSettings, Settings
from ..core.text.normalisation import normalise
from .datasets.world import Probe, Said, World
from .figures import timed
from .installation import FixedEmbedder, TimedEmbedder, installed
from .recall_quality_figures import Labels, found, ranking

SETTINGS = Settings(
    recall=RecallSettings(deadline_ms=10_000), display=DisplaySettings(timezone="UTC")
)
"""The defaults, on a machine that may take its time, with the days of the data."""

WIDE = replace(
    SETTINGS, recall=RecallSettings(deadline_ms=10_000, budget_tokens=1_000, max_items=50)
)


type Look = Callable[[MemoryStore], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FixedClock:
    """One moment."""

    at: float

    def now(self) -> float:
        """That one."""
        return self.at


@dataclass(frozen=True, slots=True)
class Answered:
    """What one question brought up.

    `ranked` is the ranking with default settings, `served` what was injected, line by line, `wide`
    what is in a block of 1 000 tokens; milliseconds of the recall, and of them for the query's
    embedding.
    """

    probe: Probe
    ranked: Sequence[Labels]
    served: Sequence[Labels]
    tokens: int
    wide: Labels
    milliseconds: float
    embedding: float


async def ask_all(
    world: World,
    folder: Path,
    embedder: Embedder | None,
    *,
    without: frozenset[Leg],
    chance: Random,
    look: Look | None = None,
    talks: bool = True,
) -> list[Answered]:
    """The world's questions, answered over a store in `folder`, which must be empty.

    `look` is shown the store before it is closed. Without
    `talks` what was said before a question is in the journal alone, and no memory.
    """
    timer = None if embedder is None else TimedEmbedder(embedder)
    async with _engines(world, folder, timer, without) as (engine, wide):
        seqs = [await journaled(engine, world, "chat", said) for said in world.turns]
        await engine.parts.store.put(world.memories)
        await indexed(engine)
        # Nothing is left to embed; it learns what the embedder's cosines mean.
        while await wide.backfill.once():
            pass
        told = dict(zip(seqs, (said.label for said in world.turns), strict=True))
        labels = await labels_of(engine.parts.store, told)
        asker = _Asker(world, engine, wide, labels, timer, chance, talks)
        answered = [await asker.answer(index, probe) for index, probe in enumerate(world.probes)]
        if look is not None:
            await look(engine.parts.store)
        return answered


@dataclass(frozen=True, slots=True)
class _Asker:
    world: World
    engine: MemoryEngine
    wide: MemoryEngine
    labels: dict[str, Labels]
    timer: TimedEmbedder | None
    chance: Random
    talks: bool

    async def answer(self, index: int, probe: Probe) -> Answered:
        """What was said before it is indexed, as in use, and deleted after it.

        The question itself is journaled alone: it must not find itself.
        """
        session = f"probe{index}"
        turns: list[int] = []
        for said in probe.before:
            if turns and self.talks:
                await indexed(self.engine)
            said = replace(said, at=self.world.now)
            turns.append(await journaled(self.engine, self.world, session, said))
        turn = turns[-1] if turns else None
        history = frozenset(normalise(said.text).strip() for said in probe.before)
        ask = RecallRequest(self.world.scope, probe.text, turn, history)
        if self.timer is not None:
            self.timer.last_query_ms = 0.0
        with timed() as watch:
            recalled = await _recall(self.engine, ask)
        embedding = 0.0 if self.timer is None else self.timer.last_query_ms
        wide = await _recall(self.wide, replace(ask, turn=None))
        await self.engine.recorded()
        await self._forget(turns)
        return Answered(
            probe=probe,
            ranked=ranking(recalled.trace.candidates, self.labels, self.chance),
            served=[self.labels[memory.id] for memory in recalled.memories],
            tokens=recalled.trace.tokens,
            wide=found((self.labels[memory.id] for memory in wide.memories), probe.gold),
            milliseconds=watch.milliseconds,
            embedding=embedding,
        )

    async def _forget(self, turns: Sequence[int]) -> None:
        if turns and self.talks:
            await indexed(self.engine)
            journal = self.engine.parts.journal.id
            await self.engine.parts.store.purge([evidence_id(journal, seq) for seq in turns])


async def _recall(engine: MemoryEngine, ask: RecallRequest) -> Recalled:
    recalled = await engine.recall(ask)
    if recalled is None:
        raise TimeoutError(f"no recall in ten seconds: {ask.text}")
    return recalled


@asynccontextmanager
async def _engines(
    world: World, folder: Path, embedder: Embedder | None, without: frozenset[Leg]
) -> AsyncIterator[tuple[MemoryEngine, MemoryEngine]]:
    """One with default settings and one with a wide block, over the same memories."""
    async with installed(folder, HashedEmbedder()) as bare:
        parts = replace(
            bare.parts,
            clock=FixedClock(world.now),
            embedders=FixedEmbedder(embedder),
            settings=SETTINGS,
            without=without,
        )
        engine = MemoryEngine(parts)
        wide = MemoryEngine(replace(parts, settings=WIDE))
        yield engine, wide
        await engine.finish()
        await wide.finish()


async def journaled(engine: MemoryEngine, world: World, session: str, said: Said) -> int:
    """The turn observed as in use; its number."""
    place = Place(f"{world.name}:{session}", session, world.scope.key)
    turn = NewTurn(place, said.role, said.speaker, said.text, said.at)
    return (await engine.observe(turn)).turn.seq


async def indexed(engine: MemoryEngine) -> None:
    """The queued work done in order, short of learning, and every vector made."""
    parts, table = engine.parts, engine.jobs.table()
    while works := await parts.journal.due(
        parts.clock.now(), kinds=QUICK, limit=200, skip=frozenset()
    ):
        for work in works:
            await table[work.kind](work)
            await parts.journal.finish(work.id)
    while await engine.backfill.once():
        pass


async def labels_of(store: MemoryStore, told: dict[int, str]) -> dict[str, Labels]:
    """For each memory the labels of the turns it comes from; its own id where there are none."""
    labels: dict[str, Labels] = defaultdict(frozenset)
    async for memory in store.iterate(Filter(status=None)):
        turns = frozenset(told[seq] for seq in memory.origin.turns if seq in told)
        labels[memory.id] = turns or frozenset({memory.id})
    return labels
