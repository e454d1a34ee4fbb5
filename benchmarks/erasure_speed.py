"""The work of `benchmarks.erasure`: people forgotten and single memories deleted, timed."""

import argparse
import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import batched
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.forgetting.lifecycle import BinPolicy, to_bin
from ..core.model.conversation import NewTurn, Place, Role, Scope, ScopeKind, Speaker
from ..core.model.memory import Memory
from ..core.ports import MemoryStore
from ..core.privacy.purging import purge
from ..core.records.evidence import evidence_id
from . import command, machine
from .corpus import Corpus
from .figures import spread, timed
from .heartbeat import heartbeat
from .installation import installed
from .population import BATCH, GeneratedScope

ANN = Scope(ScopeKind.PRIVATE, "bench", "ann", "default")
BEN = Scope(ScopeKind.PRIVATE, "bench", "ben", "default")
PAUSE = 0.02
"""Seconds between two things that somebody else does meanwhile."""

DELETED_AT_ONCE_MS, ERASED_S = 3.0, 30.0
DELETIONS = 200


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is of a person."""

    memories: int
    scopes: int
    turns: int


@dataclass(slots=True)
class Others:
    """What somebody else does while a person is forgotten, and how long it took."""

    engine: Any
    recall: list[float] = field(default_factory=list)
    remember: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def busy(self) -> AsyncIterator[None]:
        """Within it they go on."""
        tasks = [asyncio.create_task(each()) for each in (self._recalls, self._writes, self._says)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _recalls(self) -> None:
        store: MemoryStore = self.engine.parts.store
        for number in itertools.count():
            search = store.search_text(f"tea cup {number}", frozenset({BEN.key}))
            await _timed(search, self.recall)

    async def _writes(self) -> None:
        store: MemoryStore = self.engine.parts.store
        for number in itertools.count():
            told = GeneratedScope(0, [f"tea cup {number}"], time.time())
            [memory] = told
            own = replace(memory, id=f"ben-{number}", scope=BEN.key, speaker=None)
            await _timed(store.put([own]), self.remember)

    async def _says(self) -> None:
        for number in itertools.count():
            await _timed(self.engine.observe(_turn(BEN, "ben", f"tea {number}")), self.turn)


def main(argv: Sequence[str]) -> int:
    """Measure and print; the exit code is 0 whatever came out."""
    top = command.parser("erasure", sizes="100000")
    top.add_argument("--persons", type=_sizes, default="20000x200,40000x200,200000x200x20000")
    top.add_argument("--scopes", type=int, default=200, help="that deletions are spread over")
    options = top.parse_args(argv)
    with command.workspace(options.folder) as folder:
        result = asyncio.run(_measured(options, folder))
    command.emit(result, as_json=options.json)
    return 0


async def _measured(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    before = machine.load()
    persons = [await _person(size, options.seed, folder / f"p{n}") for n, size in options.persons]
    deletions = [
        await _deletions(size, options.scopes, options.seed, folder / f"d{size}")
        for size in options.sizes
    ]
    largest = max(persons, key=lambda each: each["memories"], default=None)
    return {
        "benchmark": "erasure",
        "seed": options.seed,
        "machine": {**machine.facts(), "load_before": before, "load_after": machine.load()},
        "persons": persons,
        "deletions": deletions,
        "targets": {
            "erase_s": command.target(ERASED_S, largest and largest["erase_s"]),
            "deletion_p50_ms": command.target(
                DELETED_AT_ONCE_MS,
                max((each["store_ms"]["p50"] for each in deletions), default=None),
            ),
        },
    }


async def _person(size: Size, seed: int, folder: Path) -> dict[str, Any]:
    command.progress(f"a person with {size.memories} memories in {size.scopes} scopes")
    await asyncio.to_thread(folder.mkdir)
    async with installed(folder, HashedEmbedder()) as engine:
        with timed() as filling:
            await _tell(engine, size)
            await _fill(engine.parts.store, size.memories, size.scopes, seed)
        with timed() as telling:
            extent = await engine.eraser.extent(ANN)
        others = Others(engine)
        async with heartbeat() as beats, others.busy():
            begun = time.process_time()
            with timed() as erasing:
                erased = await engine.erase(ANN)
            computed = time.process_time() - begun
        assert erased.memories == extent.memories >= size.memories, (erased, extent)
    return {
        "memories": erased.memories,
        "scopes": size.scopes,
        "turns": erased.turns,
        "fill_s": round(filling.seconds, 1),
        "extent_s": round(telling.seconds, 2),
        "erase_s": round(erasing.seconds, 2),
        "erase_cpu_s": round(computed, 2),
        "recall_ms": spread(others.recall),
        "remember_ms": spread(others.remember),
        "turn_ms": spread(others.turn),
        "stalls": spread(beats),
    }


async def _deletions(size: int, scopes: int, seed: int, folder: Path) -> dict[str, Any]:
    command.progress(f"single deletions among {size}")
    await asyncio.to_thread(folder.mkdir)
    async with installed(folder, HashedEmbedder()) as engine:
        store, journal = engine.parts.store, engine.parts.journal
        ids = await _fill(store, size, scopes, seed)
        chosen = Random(seed).sample(ids, DELETIONS)
        alone = [await _timed(store.purge([id]), []) for id in chosen]
        whole = []
        for number in range(DELETIONS):
            turn = (await engine.observe(_turn(BEN, "ben", f"tea cup {number}"))).turn
            id = evidence_id(journal.id, turn.seq)
            told = GeneratedScope(0, [turn.text], time.time())
            [memory] = told
            origin = replace(memory.origin, episode=turn.episode, turns=(turn.seq,))
            await store.put([replace(memory, id=id, scope=BEN.key, origin=origin)])
            await store.amend([id], _binned)
            deleting = purge([id], store=store, journal=journal, by="bench", now=time.time())
            whole.append(await _timed(deleting, []))
    return {
        "memories": size,
        "scopes": scopes,
        "store_ms": spread(alone),
        "purge_ms": spread(whole),
    }


def _binned(memory: Memory) -> Memory:
    return to_bin(memory, now=time.time(), reason="bench", policy=BinPolicy())


async def _timed[T](step: Awaitable[T], into: list[float]) -> float:
    with timed() as watch:
        await step
    into.append(watch.milliseconds)
    await asyncio.sleep(PAUSE)
    return watch.milliseconds


async def _tell(engine: Any, size: Size) -> None:
    for number in range(size.turns):
        await engine.observe(_turn(_group(number % size.scopes), "ann", f"tea cup {number}"))


async def _fill(store: MemoryStore, memories: int, scopes: int, seed: int) -> list[str]:
    """Ids of so many memories of Ann's, in turn in each of the groups."""
    ids: list[str] = []
    for page in batched(_memories(memories, scopes, seed), BATCH):
        ids += sorted(await store.put(page))
    return ids


def _memories(count: int, scopes: int, seed: int) -> Iterator[Memory]:
    corpus, now = Corpus(seed), time.time()
    each = -(-count // scopes)
    settlements = [
        iter(GeneratedScope(n, corpus.sentences(each), now)) for n in range(1, scopes + 1)
    ]
    for number in range(count):
        memory = next(settlements[number % scopes])
        place, at = _group(number % scopes).key, now - count + number
        yield replace(memory, scope=place, speaker=Speaker("ann", "Ann"), created_at=at)


def _group(number: int) -> Scope:
    return Scope(ScopeKind.GROUP, "bench", f"group{number}", "default")


def _turn(scope: Scope, user: str, text: str) -> NewTurn:
    place = Place(f"{scope.platform}:{scope.kind}:{scope.subject}", "c1", scope.key)
    return NewTurn(place, Role.USER, Speaker(user, user.title()), text, time.time())


def _sizes(text: str) -> list[tuple[int, Size]]:
    """From "20000x200,40000x200x1000": memories, scopes and turns."""
    sizes = [command.whole_numbers(part.replace("x", ",")) for part in text.split(",")]
    return [
        (n, Size(size[0], size[1], size[2] if len(size) > 2 else 0)) for n, size in enumerate(sizes)
    ]
