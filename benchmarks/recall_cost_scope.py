"""One scope of a size and what it is asked: a life made of the data sets, or generated."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.model.conversation import EpisodeEnd, NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..core.model.memory import Access, Extractor, Kind, Memory, Origin, Source, Vitality
from ..core.ports import Filter
from ..core.settings import DisplaySettings, RecallSettings, Settings
from .corpus import Corpus
from .datasets import cdconv, everyday
from .datasets.reading import Complaints
from .installation import FixedEmbedder, TimedEmbedder, installed
from .living.changing import changers
from .living.installation import MovingClock
from .living.script import Life
from .living.sources import lives
from .population import GeneratedScope, fill

SETTINGS = Settings(
    recall=RecallSettings(deadline_ms=10_000), display=DisplaySettings(timezone="UTC")
)
"""The defaults, on a machine that may take its time, with the days of the data."""

_TALK, _BESIDE = 20, 1_000_000
"""Turns of a talk, and the number of the first turn that no life tells."""


@dataclass(frozen=True, slots=True)
class AskedScope:
    """What was filled: whose memories, at what time, how many, and what to ask, in order."""

    scope: str
    now: float
    memories: int
    questions: list[str]


async def fill_life(data: Path, folder: Path, size: int, questions: int, seed: int) -> AskedScope:
    """A life of at least `size` memories in an empty folder. Raises NoData."""
    complaints, scope = Complaints(), Scope(ScopeKind.PRIVATE, "bench", "life")
    told = [*lives(data, complaints), *changers(everyday.changes(complaints), iter(()))]
    openings = [
        text
        for each in cdconv.exchanges(data / "cdconv_dev", complaints)
        for text in (each.opening, each.second)
    ]
    now = max(life.end for life in told)
    async with opened(folder, now) as engine:
        for life in told:
            await _told(engine, life, place_of(scope.key, life.name))
            await _learnt(engine, place_of(scope.key, life.name).session, now)
        there = await engine.parts.store.count(Filter())
        rest = [chatted(scope, place, text, now) for place, text in enumerate(openings)]
        await fill(engine.parts.store, iter(rest[: max(0, size - there)]))
        await _embedded(engine)
        memories = await engine.parts.store.count(Filter())
    needs = [asked.text for life in told for asked in (*life.needs, *life.changes)]
    asked = [*dict.fromkeys([*needs, *(one.text for one in everyday.everyday(complaints))])]
    Random(seed).shuffle(asked)
    return AskedScope(scope.key, now, memories, asked[:questions])


async def _told(engine: MemoryEngine, life: Life, place: Place) -> None:
    """Its lines with their answers, all said in one scope as if to the bot."""
    for line in life.lines:
        for role, text in ((Role.USER, line.text), (Role.ASSISTANT, line.answer)):
            if text:
                await engine.observe(NewTurn(place, role, line.speaker, text, line.at))


async def fill_generated(folder: Path, size: int, questions: int, seed: int) -> AskedScope:
    """Generated memories in an empty folder."""
    corpus, now = Corpus(seed), time.time()
    own = GeneratedScope(0, corpus.sentences(size), now)
    async with opened(folder, now) as engine:
        await fill(engine.parts.store, iter(own))
        await _embedded(engine)
    asked = [corpus.query(own.texts) for _ in range(questions)]
    return AskedScope(own.scope.key, now, size, asked)


@asynccontextmanager
async def opened(folder: Path, now: float) -> AsyncIterator[MemoryEngine]:
    """An engine over the folder at that time, whose background jobs never run."""
    async with installed(folder, HashedEmbedder()) as bare:
        engine = MemoryEngine(
            replace(
                bare.parts,
                clock=MovingClock(now),
                embedders=FixedEmbedder(TimedEmbedder(HashedEmbedder())),
                settings=SETTINGS,
            )
        )
        yield engine
        await engine.finish()


def place_of(scope: str, session: str) -> Place:
    """A private chat of the scope."""
    return Place(f"bench:{session}", session, scope)


async def _learnt(engine: MemoryEngine, session: str, now: float) -> None:
    """The episode closed, and everything that waits done, learning by rules included."""
    journal, table = engine.parts.journal, engine.jobs.table()
    await journal.close_episode(session, EpisodeEnd.RESET, at=now)
    kinds = frozenset(table)
    while works := await journal.due(now, kinds=kinds, limit=200, skip=frozenset()):
        for work in works:
            await table[work.kind](work)
            await journal.finish(work.id)


async def _embedded(engine: MemoryEngine) -> None:
    while await engine.backfill.once():
        pass


def chatted(scope: Scope, place: int, text: str, now: float) -> Memory:
    """A raw turn that no life tells, said within the half year before."""
    at = now - 3_600.0 * (1 + place % 4_000)
    return Memory(
        id=f"chat{place:05}",
        scope=scope.key,
        kind=Kind.EVIDENCE,
        text=text,
        summary="",
        created_at=at,
        happened_at=at,
        vitality=Vitality(6),
        access=Access(at, at),
        source=Source.USER,
        extractor=Extractor.TURN,
        speaker=Speaker("u", "小林"),
        # In use a turn stands among others, too; the places are those of no life's own turns.
        origin=Origin("beside", episode=f"beside{place // _TALK}", turns=(_BESIDE + place,)),
    )
