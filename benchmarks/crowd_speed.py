"""The crowd benchmark: everybody at once, through one engine."""

import asyncio
import json
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Any, get_args

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine, RecallRequest
from ..core.model.conversation import NewTurn, Place, Role, Scope, Speaker
from ..core.model.memory import Kind
from ..core.ports import ChatModel, Completion, Filter, Prompt, WorkState
from . import machine
from .command import emit, parser, progress, target, workspace
from .corpus import Corpus
from .figures import rate, spread, timed
from .heartbeat import heartbeat
from .installation import Backend, TimedEmbedder, installed
from .population import GeneratedScope, fill_alike
from .steps import steps

WARM_UP_SECONDS = 1.0
SLEEP_EVERY = 20.0
ANSWER_SECONDS = 1.0
LONGEST_REST = 600.0
"""Seconds that what is left to do at the end may take."""
IDLE_SECONDS = 2.0
QUERIES = 500
PHASES = {
    "stall": "stalls",
    "computed": "computed",
    "loop": "loop",
    "step": "steps",
    "idle": "idle",
}
"""By their names among the medians, figures of which the longest matter."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who takes part, for how long."""

    writers: int
    readers: int
    seconds: float
    pause: float
    memories: int
    seed: int
    learning: bool = False


class QuotingModel:
    """A model that answers after a second: of an episode, each line as a fact; else nothing."""

    settled = True

    def __init__(self) -> None:
        self.calls = 0

    async def choose(self, session: str) -> ChatModel | None:
        """Always this one."""
        return self

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """Facts in the words of the lines: the cost of learning, not its art."""
        self.calls += 1
        await asyncio.sleep(ANSWER_SECONDS)
        if prompt.name != "learn":
            return Completion("{}")
        lines = [line.partition("]")[2].partition(": ") for line in prompt.user.splitlines()]
        facts = [
            {"words": text, "who": who.strip(), "fact": text, "kind": "other"}
            for who, _, text in lines
            if text
        ]
        return Completion(json.dumps({"facts": facts}, ensure_ascii=False))


@dataclass(slots=True)
class Seen:
    """Milliseconds of what was done; recalls that missed the deadline."""

    recorded: list[float] = field(default_factory=list[float])
    recalled: list[float] = field(default_factory=list[float])
    late: int = 0
    nights: int = 0


class Crowd:
    """Writers and readers of one engine."""

    def __init__(self, engine: MemoryEngine, plan: Plan, texts: Sequence[str]) -> None:
        corpus = Corpus(plan.seed)
        self._engine = engine
        self._plan = plan
        self._texts = cycle(texts)
        self._queries = cycle([corpus.query(texts) for _ in range(QUERIES)])
        self._message = count()
        self.seen = Seen()

    async def run(self, seconds: float) -> None:
        """Everybody, until the time is over; what is under way then is not counted."""
        plan = self._plan
        self.seen = Seen()
        tasks = [
            asyncio.create_task(self._again(step, number))
            for step, people in ((self._write, plan.writers), (self._ask, plan.readers))
            for number in range(people)
        ]
        if plan.learning:
            tasks.append(asyncio.create_task(self._night()))
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _again(self, step: Callable[[int], Awaitable[None]], number: int) -> None:
        # Not all at the same moment.
        await asyncio.sleep(self._plan.pause * number / max(1, self._plan.writers))
        while True:
            await step(number)
            await asyncio.sleep(self._plan.pause)

    async def _night(self) -> None:
        while True:
            await asyncio.sleep(SLEEP_EVERY)
            await self._engine.begin_sleep()
            self.seen.nights += 1

    async def _write(self, number: int) -> None:
        scope = _writer(number)
        turn = NewTurn(
            Place(f"crowd:{number}", "c1", scope.key),
            Role.USER,
            Speaker(scope.subject, "Ann"),
            next(self._texts),
            time.time(),
            message_id=str(next(self._message)),
        )
        with timed() as watch:
            await self._engine.observe(turn)
        self.seen.recorded.append(watch.milliseconds)

    async def _ask(self, number: int) -> None:
        scope = GeneratedScope(number, (), 0.0).scope
        with timed() as watch:
            recalled = await self._engine.recall(RecallRequest(scope, next(self._queries), None))
        self.seen.recalled.append(watch.milliseconds)
        self.seen.late += recalled is None


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("crowd", sizes="200")
    top.add_argument("--backends", default="sqlite,chroma", help="default sqlite,chroma")
    top.add_argument("--writers", type=int, default=50)
    top.add_argument("--readers", type=int, default=50)
    top.add_argument("--seconds", type=float, default=10.0, help="measured per run (default 10)")
    top.add_argument("--pause", type=float, default=0.0, help="seconds between two turns")
    top.add_argument(
        "--learning",
        action="store_true",
        help="a model that answers after a second, and everybody put to sleep again and again",
    )
    top.add_argument("--runs", type=int, default=3, help="per backend (default 3)")
    emit(asyncio.run(measure(options := top.parse_args(argv))), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Every backend, run after run."""
    before = machine.load()
    plan = Plan(
        options.writers,
        options.readers,
        options.seconds,
        options.pause,
        options.sizes[0],
        options.seed,
        options.learning,
    )
    crowds = [
        await _measured(backend, run, plan, options.folder)
        for run in range(1, options.runs + 1)
        for backend in _backends(options.backends)
    ]
    medians = {name: _medians(crowds, name) for name in _backends(options.backends)}
    return {
        "benchmark": "crowd",
        "seed": plan.seed,
        "memories": plan.memories,
        "writers": plan.writers,
        "readers": plan.readers,
        "seconds": plan.seconds,
        "pause_s": plan.pause,
        "learning": plan.learning,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "crowds": crowds,
        "medians": medians,
        "targets": _targets(medians),
    }


async def _measured(backend: Backend, run: int, plan: Plan, where: Path | None) -> dict[str, Any]:
    with workspace(where) as folder:
        model = QuotingModel() if plan.learning else None
        embedder = TimedEmbedder(HashedEmbedder())
        async with installed(folder, embedder, backend=backend, models=model) as engine:
            texts = Corpus(plan.seed).sentences(plan.memories)
            await _settle(engine, plan, texts)
            async with heartbeat() as idle:
                await asyncio.sleep(IDLE_SECONDS)
            engine.start()
            crowd = Crowd(engine, plan, texts)
            await crowd.run(WARM_UP_SECONDS)
            waiting = await _waiting(engine)
            computed: list[float] = []
            looped: list[float] = []
            async with heartbeat(computed=computed, looped=looped) as late:
                with timed() as watch, steps() as taken:
                    await crowd.run(plan.seconds)
            seen = crowd.seen
            indexed = len(seen.recorded) + waiting - await _waiting(engine)
            began = time.monotonic()
            done = plan.learning and await engine.worker.drain(LONGEST_REST)
            nights = {
                "rest_s": round(time.monotonic() - began, 1) if done else None,
                "calls": model.calls if model else 0,
                "nights": seen.nights,
                **await _learnt(engine, plan),
            }
    progress(f"{backend}, run {run}: {len(seen.recorded)} recorded, {len(seen.recalled)} recalled")
    return {
        "backend": backend,
        "run": run,
        "record_ms": spread(seen.recorded),
        "recall_ms": spread(seen.recalled),
        "late": seen.late,
        "recorded_per_s": rate(len(seen.recorded), watch.seconds),
        "recalled_per_s": rate(len(seen.recalled), watch.seconds),
        "indexed": max(0, indexed),
        "nights": nights,
        "stalls": spread(late),
        "computed": spread(computed),
        "loop": spread(looped),
        "steps": taken.all(),
        "longest": taken.longest(),
        "collections": spread(taken.collections),
        "idle": spread(idle),
    }


async def _learnt(engine: MemoryEngine, plan: Plan) -> dict[str, int]:
    """What the writers' scopes hold: turns, facts learnt, and facts that are there twice."""
    scopes = [_writer(number).key for number in range(plan.writers)]
    kept = [memory async for memory in engine.parts.store.iterate(Filter(scopes=frozenset(scopes)))]
    learnt = [memory for memory in kept if memory.kind is not Kind.EVIDENCE]
    sources = Counter((memory.scope, memory.text, memory.source) for memory in learnt)
    return {
        "turns": len(kept) - len(learnt),
        "learnt": len(learnt),
        "twice": sum(number - 1 for number in sources.values()),
    }


async def _settle(engine: MemoryEngine, plan: Plan, texts: Sequence[str]) -> None:
    """Give every reader memories with vectors."""
    readers = [GeneratedScope(number, texts, time.time()) for number in range(plan.readers)]
    await fill_alike(engine.parts.store, HashedEmbedder(), readers)


def _writer(number: int) -> Scope:
    return GeneratedScope(10_000 + number, (), 0.0).scope


async def _waiting(engine: MemoryEngine) -> int:
    backlog = await engine.parts.journal.backlog()
    return sum(count for (_, state), count in backlog.items() if state is WorkState.READY)


def _backends(text: str) -> Iterator[Backend]:
    for name in text.split(","):
        if name not in get_args(Backend.__value__):
            raise SystemExit(f"there is no backend {name!r}")
        yield name


def _medians(crowds: Sequence[dict[str, Any]], backend: str) -> dict[str, float | None]:
    wanted = {"record_p50_ms": ("record_ms", "p50"), "recall_p50_ms": ("recall_ms", "p50")} | {
        f"{name}_{part}_ms": (figure, part)
        for name, figure in PHASES.items()
        for part in ("p99", "max")
    }
    runs = [crowd for crowd in crowds if crowd["backend"] == backend]
    found = {
        name: [crowd[figure][part] for crowd in runs if part in crowd[figure]]
        for name, (figure, part) in wanted.items()
    }
    return {name: round(median(some), 3) if some else None for name, some in found.items()}


def _targets(medians: dict[Backend, dict[str, float | None]]) -> dict[str, Any]:
    sqlite = medians.get("sqlite", {})
    goals = {"sqlite_record_p50_ms": target(50.0, sqlite.get("record_p50_ms"))}
    return goals | {
        f"{backend}_stall_max_ms": target(50.0, figures["stall_max_ms"])
        for backend, figures in medians.items()
    }
