"""The nearest benchmark: worlds of templated memories, and what became of the nearest ones."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.embedder import LocalEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.languages.scripts import in_one_script
from ..core.model.conversation import Scope, ScopeKind, Speaker
from ..core.model.memory import Memory
from ..core.ports import Embedder, EmbedderIdentity, Filter, Vector
from ..core.recall.trace import Fused, Leg, Trace
from . import machine
from .command import emit, progress, workspace
from .datasets import madial
from .installation import FixedEmbedder, installed
from .kept_vectors import KeptVectors
from .recall_quality_answers import SETTINGS
from .recall_quality_run import MODELS
from .templates import Asked, templated

FIRST = 10
OWN = 0.7
"""Length of what is a given text's own beside that of its person and of its topic."""

DAY = 86_400.0
WORLDS = "40x50x1,4x500x1,4x500x20"


class GivenEmbedder:
    """Vectors given by hand: a text's person and topic, each at a direction, and what is its own.

    `about` tells the person and topic of a text; others have only what is their own.
    """

    def __init__(self, about: Mapping[str, tuple[str, str]]) -> None:
        self._about = about

    async def identity(self) -> EmbedderIdentity:
        """Of a provider that nobody has measured."""
        return EmbedderIdentity("given", "person-and-topic", 256)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """At unit length."""
        return [self._vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        """The same space."""
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        known = [_direction(part) for part in self._about.get(text, ())]
        total = sum(known, OWN * _direction(text))
        return np.asarray(total / np.linalg.norm(total), np.float32)


def _direction(word: str) -> Vector:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
    drawn = np.random.default_rng(seed).normal(size=256)
    return np.asarray(drawn / np.linalg.norm(drawn), np.float32)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Where the nearest memory and the one that was meant came; None if they were not found."""

    nearest: int | None
    meant: int | None
    in_leg: bool
    ranked: bool
    lost: str


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    options = _parser().parse_args(argv)
    emit(asyncio.run(_measure(options)), as_json=options.json)
    return 0


def _parser() -> ArgumentParser:
    top = ArgumentParser(prog="benchmarks.nearest")
    top.add_argument("--json", action="store_true", help="print JSON instead of lines")
    top.add_argument("--embedder", choices=("local", "hashed", "given"), default="local")
    top.add_argument("--worlds", type=_worlds, default=WORLDS, help=f"default {WORLDS}")
    top.add_argument("--questions", type=int, default=500, help="of each world, 0 for all")
    top.add_argument("--models", type=Path, default=MODELS, help="weights of the local embedder")
    top.add_argument("--vectors", type=Path, help="keep vectors in this folder")
    top.add_argument("--folder", type=Path, help="where the stores are made (and removed)")
    top.add_argument("--seed", type=int, default=1)
    return top


def _worlds(text: str) -> list[list[int]]:
    """Scopes, memories in each and how many are alike, from "40x50x1,4x500x20"."""
    worlds = [[int(number) for number in part.split("x")] for part in text.split(",")]
    if any(len(world) != 3 or min(world) < 1 for world in worlds):
        raise ValueError("a world is three numbers from 1, like 40x50x1")
    return worlds


async def _measure(options: Namespace) -> dict[str, Any]:
    before = machine.load()
    plans = [(world, _told(*world, seed=options.seed)) for world in options.worlds]
    async with _embedder(options, [one for _, told in plans for one in told]) as embedder:
        worlds = [await _measure_world(*plan, embedder, options) for plan in plans]
    return {
        "benchmark": "nearest",
        "embedder": options.embedder,
        "seed": options.seed,
        "worlds": worlds,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
    }


def _told(scopes: int, size: int, alike: int, *, seed: int) -> list[Asked]:
    random = Random(seed)
    return [one for number in range(scopes) for one in templated(number, size, alike, random)]


@asynccontextmanager
async def _embedder(options: Namespace, told: Sequence[Asked]) -> AsyncIterator[Embedder]:
    if options.embedder == "given":
        yield GivenEmbedder({text: one.about for one in told for text in (one.text, one.question)})
        return
    if options.embedder == "hashed":
        yield HashedEmbedder()
        return
    local = LocalEmbedder(options.models)
    kept = options.vectors and KeptVectors(local, options.vectors, queries=True)
    try:
        yield kept or local
    finally:
        if kept:
            await kept.save()
        await local.aclose()


async def _measure_world(
    world: Sequence[int], told: Sequence[Asked], embedder: Embedder, options: Namespace
) -> dict[str, Any]:
    asked = Random(options.seed).sample(told, k=min(options.questions or len(told), len(told)))
    with workspace(options.folder) as folder:
        async with installed(folder, embedder) as bare:
            parts = replace(bare.parts, settings=SETTINGS, embedders=FixedEmbedder(embedder))
            engine = MemoryEngine(parts)
            at = parts.clock.now()
            await parts.store.put([_memory(one, at - n % 90 * DAY) for n, one in enumerate(told)])
            while await engine.backfill.once():
                pass
            progress(f"{world}: {len(told)} memories embedded")
            outcomes = [await _topic(engine, embedder, one) for one in asked]
            quoted = [await _own_words(engine, one) for one in asked]
            await engine.finish()
    return {
        "scopes": world[0],
        "memories": len(told),
        "alike": world[2],
        "questions": len(asked),
        **_shares(outcomes),
        "own_words@1": _share(quoted),
    }


def _memory(one: Asked, at: float) -> Memory:
    scope = _scope(one)
    memory = madial.memory_of(one.id, one.text, scope, at)
    return replace(memory, speaker=Speaker(scope.subject, "Ann"))


def _scope(one: Asked) -> Scope:
    return Scope(ScopeKind.PRIVATE, "bench", f"user{one.scope}", "default")


async def _topic(engine: MemoryEngine, embedder: Embedder, one: Asked) -> _Outcome:
    scope = _scope(one).key
    recalled = await engine.search(frozenset({scope}), one.question, limit=FIRST)
    nearest = await _nearest(engine, embedder, scope, one.question)
    order = [each.memory for each in recalled.trace.candidates]
    found = [memory.id for memory in recalled.memories]
    hits = {each.memory: each for each in recalled.trace.candidates}
    return _Outcome(
        nearest=_place(found, nearest),
        meant=_place(found, one.id),
        in_leg=_in_leg(hits.get(nearest)),
        ranked=nearest in order[:FIRST],
        lost="" if nearest in found[:FIRST] else _why(recalled.trace, hits.get(nearest)),
    )


async def _own_words(engine: MemoryEngine, one: Asked) -> bool:
    recalled = await engine.search(frozenset({_scope(one).key}), one.text, limit=FIRST)
    return bool(recalled.memories) and recalled.memories[0].text == one.text


async def _nearest(engine: MemoryEngine, embedder: Embedder, scope: str, question: str) -> str:
    store = engine.parts.store
    query = await embedder.embed_query(in_one_script(question))
    ids = [each.id async for each in store.iterate(Filter(frozenset({scope})))]
    known = await store.vectors(ids)
    return max(known, key=lambda id: float(known[id].vector @ query))


def _place(found: Sequence[str], wanted: str) -> int | None:
    return found.index(wanted) + 1 if wanted in found[:FIRST] else None


def _in_leg(candidate: Fused | None) -> bool:
    hits = () if candidate is None else candidate.hits
    return any(hit.leg is Leg.SEMANTIC and hit.rank <= FIRST for hit in hits)


def _why(trace: Trace, candidate: Fused | None) -> str:
    if trace.silence is not None:
        return f"silence: {trace.silence.value}"
    if candidate is None:
        return "not a candidate"
    return "behind" if candidate.drop is None else candidate.drop.value


def _shares(outcomes: Sequence[_Outcome]) -> dict[str, Any]:
    lost = Counter(one.lost for one in outcomes if one.lost)
    return {
        "nearest@10": _share([one.nearest is not None for one in outcomes]),
        "nearest@1": _share([one.nearest == 1 for one in outcomes]),
        "meant@10": _share([one.meant is not None for one in outcomes]),
        "meant@1": _share([one.meant == 1 for one in outcomes]),
        "stages": {
            "leg": _share([one.in_leg for one in outcomes]),
            "ranked": _share([one.ranked for one in outcomes]),
        },
        "lost": dict(lost.most_common()),
    }


def _share(met: Sequence[bool]) -> float | None:
    return round(sum(met) / len(met), 4) if met else None
