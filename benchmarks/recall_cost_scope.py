"""One scope of a size and what it is asked: a life made of the data sets, or generated."""

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.model.conversation import EpisodeEnd, Place, Scope, ScopeKind, Speaker
from ..core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Origin,
    Source,
    Vitality,
)
from ..core.ports import Filter
from .corpus import Corpus
from .datasets import cdconv, everyday, group_chat, locomo, madial, proactive
from .datasets.reading import Complaints
from .datasets.world import PRESENT, Said, World
from .installation import FixedEmbedder, TimedEmbedder, installed
from .population import GeneratedScope, fill
from .recall_quality_answers import SETTINGS, FixedClock, indexed, journaled

DESCRIPTION = "scope.json"
DAY = 86_400.0
_TALK, _BESIDE = 20, 1_000_000
"""Turns of a talk, and the number of the first turn that no life tells."""


@dataclass(frozen=True, slots=True)
class AskedScope:
    """What is in a folder: whose memories, at what time, how many, and what to ask, in order."""

    scope: str
    now: float
    memories: int
    questions: list[str]


async def fill_life(data: Path, folder: Path, size: int, questions: int, seed: int) -> AskedScope:
    """A life of at least `size` memories in an empty folder. Raises NoData."""
    complaints, scope = Complaints(), Scope(ScopeKind.PRIVATE, "bench", "life")
    worlds = [replace(world, scope=scope) for world in _worlds(data, complaints)]
    openings = [
        text
        for each in cdconv.exchanges(data / "cdconv_dev", complaints)
        for text in (each.opening, each.second)
    ]
    now = max(world.now for world in worlds)
    async with opened(folder, now) as engine:
        for world in worlds:
            for said in world.turns:
                await journaled(engine, world, "chat", said)
            await engine.parts.store.put([replace(m, scope=scope.key) for m in world.memories])
            await _learnt(engine, f"{world.name}:chat", now)
        there = await engine.parts.store.count(Filter())
        rest = [chatted(scope, place, text, now) for place, text in enumerate(openings)]
        await fill(engine.parts.store, iter(rest[: max(0, size - there)]))
        await indexed(engine)
        memories = await engine.parts.store.count(Filter())
    probes = [probe.text for world in worlds for probe in world.probes]
    asked = [*dict.fromkeys([*probes, *(one.text for one in everyday.everyday(complaints))])]
    Random(seed).shuffle(asked)
    return _described(folder, AskedScope(scope.key, now, memories, asked[:questions]))


async def fill_generated(folder: Path, size: int, questions: int, seed: int) -> AskedScope:
    """Generated memories in an empty folder."""
    corpus, now = Corpus(seed), time.time()
    own = GeneratedScope(0, corpus.sentences(size), now)
    async with opened(folder, now) as engine:
        await fill(engine.parts.store, iter(own))
        await indexed(engine)
    asked = [corpus.query(own.texts) for _ in range(questions)]
    return _described(folder, AskedScope(own.scope.key, now, size, asked))


def described(folder: Path) -> AskedScope | None:
    """What was filled there, None if nothing was."""
    file = folder / DESCRIPTION
    return AskedScope(**json.loads(file.read_text("utf-8"))) if file.exists() else None


@asynccontextmanager
async def opened(folder: Path, now: float) -> AsyncIterator[MemoryEngine]:
    """An engine over the folder at that time, whose background jobs never run."""
    async with installed(folder, HashedEmbedder()) as bare:
        engine = MemoryEngine(
            replace(
                bare.parts,
                clock=FixedClock(now),
                embedders=FixedEmbedder(TimedEmbedder(HashedEmbedder())),
                settings=SETTINGS,
            )
        )
        yield engine
        await engine.finish()


def place_of(scope: str, session: str) -> Place:
    """A private chat of the scope."""
    return Place(f"bench:{session}", session, scope)


def _described(folder: Path, filled: AskedScope) -> AskedScope:
    text = json.dumps(asdict(filled), ensure_ascii=False)
    (folder / DESCRIPTION).write_text(text, "utf-8")
    return filled


def _worlds(data: Path, complaints: Complaints) -> Iterator[World]:
    yield from locomo.read(data / "locomo_dev", complaints)
    yield from madial.read(data / "madial_zh_dev", complaints)
    yield from (half.world() for half in proactive.read(data / "proactive_zh_dev", complaints))
    nobody = Scope(ScopeKind.PRIVATE, "bench", "nobody")
    for chat in group_chat.read(data / "group_chat_zh", complaints):
        yield World(chat.name, nobody, chat.turns[-1].at + DAY, chat.turns)
    yield _changed(nobody, complaints)


def _changed(scope: Scope, complaints: Complaints) -> World:
    """Somebody who tells every change there is."""
    speaker = Speaker("changes", "小林")
    every = everyday.changes(complaints)
    said = [
        Said(speaker, told.text, PRESENT - told.days_ago * DAY)
        for change in every
        for told in change.told
    ]
    asked = chain.from_iterable((*change.ask_now, *change.ask_past) for change in every)
    probes = tuple(cdconv.chit_chat(text) for text in asked)
    said.sort(key=lambda each: each.at)
    return World("changes", scope, PRESENT, tuple(said), probes=probes)


async def _learnt(engine: MemoryEngine, session: str, now: float) -> None:
    """The episode closed, and everything that waits done, learning by rules included."""
    journal, table = engine.parts.journal, engine.jobs.table()
    await journal.close_episode(session, EpisodeEnd.RESET, at=now)
    kinds = frozenset(table)
    while works := await journal.due(now, kinds=kinds, limit=200, skip=frozenset()):
        for work in works:
            await table[work.kind](work)
            await journal.finish(work.id)


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
