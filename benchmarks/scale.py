"""`python -m benchmarks.scale --json`: what a million memories cost, on each backend.

Fills scopes of `--scope` memories, each with a vector, at every one of `--sizes`, and takes what
one more memory costs between the smallest and the largest: the figures of a million are that
slope, not a measurement at that size.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `dimension` of the vectors, `machine` (see `benchmarks.machine`)
- `measured[]`: `backend`, `memories`, `scopes`, `fill_s` (records and vectors), `disk_mb`,
  `resident_mb` (of this process, with what the benchmark itself holds), `chroma_mb` (of those it
  started), `first_words_ms` (the first search by words of up to five scopes, after the store was
  closed and opened again), `recall_ms` (spread of a search by words and by meaning in one scope),
  `decay_s` (one pass over all scopes)
- `per_million`, by backend: `disk_gb`, `fill_hours`, `decay_minutes`
"""

import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.ports import MemoryStore
from . import machine
from .command import parser, progress, run, workspace
from .corpus import Corpus
from .figures import spread, timed
from .installation import Backend, installed
from .population import GeneratedScope, embedded, fill_alike

BACKENDS: tuple[Backend, ...] = ("sqlite", "chroma", "chroma-server")
MILLION = 1_000_000
FIRST = 5
"""Scopes that are searched by words as the first thing after a start."""

ASKED = 8
"""Memories that a recall wants."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("scale", sizes="1000,4000")
    top.add_argument("--scope", type=int, default=1_000, help="memories of one scope")
    top.add_argument("--queries", type=int, default=60)
    top.add_argument("--backends", nargs="+", default=BACKENDS, choices=BACKENDS)
    return run(top, lambda options, _: measure(options), argv)


async def measure(options: Namespace) -> dict[str, Any]:
    """Every backend and size in turn."""
    measured = list[dict[str, Any]]()
    for backend in options.backends:
        for size in options.sizes:
            progress(f"{backend}: {size} memories")
            with workspace(options.folder) as folder:
                measured.append(await _installation(backend, size, options, folder))
    return {
        "seed": options.seed,
        "dimension": len(await HashedEmbedder().embed_query("tide")),
        "measured": measured,
        "per_million": {
            backend: _per_million([each for each in measured if each["backend"] == backend])
            for backend in options.backends
        },
    }


async def _installation(
    backend: Backend, size: int, options: Namespace, folder: Path
) -> dict[str, Any]:
    corpus, now, inner = Corpus(options.seed), time.time(), HashedEmbedder()
    texts = corpus.sentences(min(size, options.scope))
    scopes = [GeneratedScope(n, texts, now) for n in range(max(1, size // options.scope))]
    vectors = await embedded(inner, iter(scopes[0]))
    fingerprint = (await inner.identity()).fingerprint
    async with installed(folder, inner, backend=backend) as engine:
        store = engine.store
        with timed() as filling:
            await fill_alike(store, fingerprint, vectors, scopes)
    async with installed(folder, inner, backend=backend) as engine:
        store = engine.store
        first = [await _first_words(store, scope, corpus.query(texts)) for scope in scopes[:FIRST]]
        recalls = await _recalls(engine, scopes, [corpus.query(texts)] * options.queries)
        with timed() as ageing:
            at = now + engine.policy.cycle_seconds
            await store.decay(at, engine.policy.plan, engine.sweeper.bin_policy)
        own, others = machine.resident_mb(), _started_mb()
    return {
        "backend": backend,
        "memories": len(texts) * len(scopes),
        "scopes": len(scopes),
        "fill_s": round(filling.seconds, 1),
        "disk_mb": machine.size_mb(folder),
        "resident_mb": own,
        "chroma_mb": others,
        "first_words_ms": spread(first),
        "recall_ms": spread(recalls),
        "decay_s": round(ageing.seconds, 4),
    }


async def _first_words(store: MemoryStore, scope: GeneratedScope, question: str) -> float:
    """Milliseconds of a scope's first search by words after a start."""
    with timed() as watch:
        await store.search_text(question, frozenset({scope.scope.key}))
    return watch.milliseconds


async def _recalls(
    engine: MemoryEngine, scopes: Sequence[GeneratedScope], questions: Sequence[str]
) -> list[float]:
    """In one scope after the other, as chats ask; the first of each loads what it needs."""
    times: list[float] = []
    for number, question in enumerate(questions):
        here = frozenset({scopes[number % len(scopes)].scope.key})
        with timed() as watch:
            await engine.recall_requests.search(here, question, limit=ASKED)
        times.append(watch.milliseconds)
    return times


def _started_mb() -> float:
    """Resident memory of all that this process has started."""
    children = psutil.Process().children(recursive=True)
    return round(sum(each.memory_info().rss for each in children) / machine.MIB, 1)


def _per_million(measured: Sequence[dict[str, Any]]) -> dict[str, float]:
    """What one memory more costs, a million times; empty where there is but one size."""
    first, last = measured[0], measured[-1]
    more = last["memories"] - first["memories"]
    if not more:
        return {}

    def slope(key: str) -> float:
        return (last[key] - first[key]) / more * MILLION

    return {
        "disk_gb": round(slope("disk_mb") / 1024, 2),
        "fill_hours": round(slope("fill_s") / 3600, 2),
        "decay_minutes": round(slope("decay_s") / 60, 2),
    }
