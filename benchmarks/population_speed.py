"""Records in a thousand scopes: how fast they are put in, and what a pass of time costs."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.model.memory import Memory
from ..core.ports import DecayCount, MemoryStore
from ..storage.sqlite import SqliteStore
from . import machine
from .command import progress
from .corpus import Corpus
from .figures import spread, timed
from .heartbeat import heartbeat
from .installation import Backend, TimedEmbedder, installed
from .population import GeneratedScope, fill
from .restart import cold_starts

SCOPES = 1_000
PASSES = 3


@dataclass(frozen=True, slots=True)
class ManyScopes:
    """So many records, evenly in so many scopes; scopes share their texts."""

    backend: Backend
    records: int
    scopes: int
    seed: int
    restarts: int


async def measure_population(crowd: ManyScopes, folder: Path) -> dict[str, Any]:
    """The figures of one population, see `benchmarks.store`."""
    corpus, now = Corpus(crowd.seed), time.time()
    texts = corpus.sentences(max(1, crowd.records // crowd.scopes))
    settlements = [GeneratedScope(number, texts, now) for number in range(crowd.scopes)]
    before = machine.resident_mb()
    embedder = TimedEmbedder(HashedEmbedder())
    async with installed(folder, embedder, backend=crowd.backend) as engine:
        async with heartbeat() as filling:
            filled = await fill(engine.parts.store, _mixed(settlements))
        progress(f"{crowd.backend}: {filled.count} records filled in {filled.seconds:.0f} s")
        async with heartbeat() as decaying:
            passes = await _measure_decay(engine, now)
        after = machine.resident_mb()
    on_disk = crowd.backend == "sqlite"
    scope, question = settlements[0].scope.key, corpus.query(texts)
    return {
        "backend": crowd.backend,
        "records": filled.count,
        "scopes": crowd.scopes,
        "fill_per_s": filled.per_second,
        **passes,
        "stalls": {"filling": spread(filling), "decay": spread(decaying)},
        "resident_mb": {"before": before, "after": after},
        "file_mb": machine.size_mb(folder) if on_disk else None,
        "cold_start": await cold_starts(folder, scope, question, runs=crowd.restarts)
        if on_disk
        else None,
    }


async def _measure_decay(engine: MemoryEngine, now: float) -> dict[str, Any]:
    store, policy, bin_policy = engine.parts.store, engine.policy, engine.sweeper.bin_policy
    counts: list[DecayCount] = []
    passing: list[float] = []
    computing: list[float] = []
    auditing: list[float] = []
    settling: list[float] = []
    for number in range(1, PASSES + 1):
        at = now + number * engine.policy.cycle_seconds
        computed = time.process_time()
        with timed() as spent:
            counts.append(await store.decay(at, policy.plan, bin_policy))
        computing.append(time.process_time() - computed)
        passing.append(spent.seconds)
        # A repeated pass changes nothing; what is left of this time is the audit log.
        with timed() as noted:
            await engine.sweeper.decay(at, frozenset(await engine.parts.store.scopes()))
        auditing.append(noted.seconds)
        with timed() as settled:
            await _settled(store)
        settling.append(settled.seconds)
    return {
        "decay_pass_s": spread(passing),
        "decay_cpu_s": spread(computing),
        "audit_s": spread(auditing),
        "settle_s": spread(settling),
        "weakened": sum(count.weakened for count in counts),
        "binned": sum(count.binned for count in counts),
    }


async def _settled(store: MemoryStore) -> None:
    if isinstance(store, SqliteStore):
        await store.settled()


def _mixed(settlements: list[GeneratedScope]) -> Iterator[Memory]:
    """Memories of all scopes in turn, as they come in a busy installation."""
    return chain.from_iterable(zip(*settlements, strict=True))
