"""One scope of a size on one backend: inserts, vectors, searches, feedback, memory, restart."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import batched, islice
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.feedback.credit import Verdict, credit
from ..core.ports import Vector
from . import machine
from .corpus import Corpus
from .figures import Spread, rate, spread, timed
from .heartbeat import heartbeat
from .installation import Backend, TimedEmbedder, installed
from .population import GeneratedScope, attach, embedded, fill, memory_id
from .restart import cold_starts

SMALL_BATCHES = 20
SINGLES = 100
VERDICTS = 10
LIMIT = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is asked of each store."""

    backend: Backend
    size: int
    seed: int
    queries: int
    feedbacks: int
    restarts: int


@dataclass(frozen=True, slots=True)
class Subject:
    """An engine over the scope, with questions whose vectors are known."""

    engine: MemoryEngine
    embedder: TimedEmbedder
    settlement: GeneratedScope
    fingerprint: str
    questions: Sequence[str]

    @property
    def scopes(self) -> frozenset[str]:
        """The one scope."""
        return frozenset({self.settlement.scope.key})


async def measure_scope(plan: Plan, folder: Path) -> dict[str, Any]:
    """The figures of one backend and size, see `benchmarks.store`."""
    corpus = Corpus(plan.seed)
    settlement = GeneratedScope(0, corpus.sentences(plan.size), time.time())
    vectors = await embedded(HashedEmbedder(), iter(settlement))
    embedder = TimedEmbedder(HashedEmbedder())
    before = machine.resident_mb()
    async with installed(folder, embedder, backend=plan.backend) as engine:
        questions = [corpus.query(settlement.texts) for _ in range(plan.queries)]
        fingerprint = (await embedder.identity()).fingerprint
        subject = Subject(engine, embedder, settlement, fingerprint, questions)
        async with heartbeat() as filling:
            inserts = await _measure_inserts(subject)
            written = await _measure_vectors(subject, vectors)
        async with heartbeat() as searching:
            searches = await _measure_searches(subject)
        async with heartbeat() as judging:
            feedback = await _measure_feedback(subject, plan)
        after = machine.resident_mb()
    late = {"filling": filling, "searching": searching, "feedback": judging}
    on_disk = plan.backend == "sqlite"
    scope, question = settlement.scope.key, questions[0]
    return {
        "backend": plan.backend,
        "memories": plan.size,
        "inserts_per_s": inserts,
        "vectors_per_s": written,
        "search_ms": searches,
        "feedback_of_10_ms": feedback,
        "stalls": {phase: spread(beats) for phase, beats in late.items()},
        "resident_mb": {"before": before, "after": after},
        "file_mb": machine.size_mb(folder) if on_disk else None,
        "cold_start": await cold_starts(folder, scope, question, runs=plan.restarts)
        if on_disk
        else None,
    }


async def _measure_inserts(subject: Subject) -> dict[str, float]:
    """Small batches and single ones first, then the rest in large batches."""
    store = subject.engine.parts.store
    memories = iter(subject.settlement)
    share = len(subject.settlement.texts) // 4
    small = await fill(store, islice(memories, min(100 * SMALL_BATCHES, share)), batch=100)
    single = await fill(store, islice(memories, min(SINGLES, share)), batch=1)
    large = await fill(store, memories)
    return {
        "batches_of_100": small.per_second,
        "single": single.per_second,
        "fill": large.per_second,
    }


async def _measure_vectors(subject: Subject, vectors: Sequence[Vector]) -> dict[str, float]:
    store = subject.engine.parts.store
    every = {memory_id(0, index): vector for index, vector in enumerate(vectors)}
    few = dict(islice(every.items(), min(32 * SMALL_BATCHES, len(every) // 4)))
    with timed() as small:
        await attach(store, subject.fingerprint, few, batch=32)
    rest = {id: vector for id, vector in every.items() if id not in few}
    with timed() as large:
        await attach(store, subject.fingerprint, rest)
    return {"batches_of_32": rate(len(few), small.seconds), "fill": rate(len(rest), large.seconds)}


async def _measure_searches(subject: Subject) -> dict[str, Spread | float]:
    store, scopes = subject.engine.parts.store, subject.scopes
    vectors = {text: await subject.embedder.embed_query(text) for text in subject.questions}

    async def by_text(question: str) -> None:
        await store.search_text(question, scopes, limit=LIMIT)

    async def by_vector(question: str) -> None:
        await store.search_vector(vectors[question], subject.fingerprint, scopes, limit=LIMIT)

    async def by_both(question: str) -> None:
        await subject.engine.search(scopes, question, limit=8)

    with timed() as first:
        await by_vector(subject.questions[0])
    return {
        "text": await _each(subject.questions, by_text),
        "vector": await _each(subject.questions, by_vector),
        "hybrid": await _each(subject.questions, by_both),
        "first_vector": round(first.milliseconds, 3),
    }


async def _each(questions: Sequence[str], search: Callable[[str], Awaitable[None]]) -> Spread:
    times: list[float] = []
    for question in questions:
        with timed() as watch:
            await search(question)
        times.append(watch.milliseconds)
    return spread(times)


async def _measure_feedback(subject: Subject, plan: Plan) -> Spread:
    """Ten verdicts a time on random memories, half of them useful."""
    parts = subject.engine.parts
    random = Random(plan.seed)
    count = min(VERDICTS, plan.size)
    picks = random.sample(range(plan.size), k=min(plan.size, count * plan.feedbacks))
    times: list[float] = []
    for turn, chosen in enumerate(batched(picks, count), start=1):
        verdicts = [
            Verdict(memory_id(0, index), turn, place % 2 == 0) for place, index in enumerate(chosen)
        ]
        with timed() as watch:
            await credit(
                verdicts,
                store=parts.store,
                journal=parts.journal,
                policy=subject.engine.sweeper.policy,
                bin_policy=subject.engine.sweeper.bin_policy,
                source="rules",
                now=parts.clock.now(),
            )
        times.append(watch.milliseconds)
    return spread(times)
