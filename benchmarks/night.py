"""`python -m benchmarks.night --json`: what a night of sleep costs, without a model.

Fills the scopes, lets people talk in each of them, and puts them all to sleep as the night does,
one scope after the other. Generated memories as in `benchmarks.turn`; of those that were learnt
some claim something of their person and some are plans. `--memories 100000 --scopes 1` is the
largest scope there should be; with `--learnt` all of it was learnt, of one person.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `embedder`, `machine` (see `benchmarks.machine`)
- `scopes`, `memories` (of each), `learnt`, `turns` (of each, said and learnt from by rules before
  the night)
- `fill_s`: making the store; no part of the night
- `night`: `wall_s` and `cpu_s` (of all threads) of the whole night
- `steps`: by name {`runs`, `wall_s`, `cpu_s`, `late_ms` and `looped_ms` (the longest of each)}
- `late_ms`: spread of how late a 5 ms heartbeat of the event loop came; `looped_ms`: spread of
  what the loop's own thread computed from one beat to the next, garbage collections apart, which
  others on the machine do not lengthen; `collected_ms`: the longest collection of garbage in any
  thread, which holds up all of them; `idle_ms`: of the heartbeat before the night, the machine's
  own noise
- `counts`: what the night did, by deed
- `later`: with `--nights`, `wall_s`, `cpu_s` and `counts` of each later night, in which nothing is
  new
- `targets`: by name {`limit`, `measured`, `met`}; the time is judged at 100 scopes of 1 000
  and at one of 10 000
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.install import weights_file
from ..core.embedding.local.model import LocalEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.forgetting.lifecycle import DAY
from ..core.model.conversation import NewTurn, Place, Role, Speaker
from ..core.model.knowledge import SPEAKER, Claim, Intention
from ..core.model.memory import Kind, Memory
from ..core.model.sleeping import Decided, SleepCause, Undone
from ..core.ports import Embedder, WorkKind
from ..core.queue.worker import Job, perform
from ..core.sleep.pipeline import Pipeline, Step, StepRun, Steps
from ..scripts.nights import counted
from .command import MODELS, parser, progress, run, target, workspace
from .corpus import Corpus
from .datasets.reading import Complaints
from .figures import spread, timed
from .heartbeat import garbage, heartbeat
from .installation import installed
from .population import KINDS, LEARNT_KINDS, GeneratedScope, attach, embedded, fill, resembling

MODELLED, RELATED = 128, 0.03
"""Memories really embedded, and how far the others are from one of them."""

LIMIT_SECONDS = 60.0
LIMITS = {(100, 1_000): LIMIT_SECONDS, (1, 10_000): 20.0}
"""Seconds of processor for so many scopes of so many memories."""

IDLE_SECONDS = 1.0
LIMIT_LATE, LIMIT_LOOPED = 50.0, 20.0
ATTRIBUTES = ("favourite", "hobby", "pet", "friend", "skill", "like", "allergy", "diet")


@dataclass(slots=True)
class Beats:
    """What the heartbeat has told so far."""

    late: list[float] = field(default_factory=list[float])
    looped: list[float] = field(default_factory=list[float])


@dataclass(slots=True)
class Spent:
    """What one step has cost in all sleeps together."""

    runs: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    late: float = 0.0
    looped: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """By name, rounded."""
        return {
            "runs": self.runs,
            "wall_s": round(self.wall, 3),
            "cpu_s": round(self.cpu, 3),
            "late_ms": round(self.late, 1),
            "looped_ms": round(self.looped, 1),
        }


@dataclass(frozen=True, slots=True)
class TimedStep:
    """A step whose runs are timed; otherwise the step."""

    name: ClassVar[str] = ""
    causes: ClassVar[frozenset[SleepCause]] = frozenset()

    inner: Step
    spent: Spent
    beats: Beats

    async def run(self, run: StepRun) -> None:
        """Run it."""
        first, cpu, wall = len(self.beats.late), time.process_time(), time.perf_counter()
        await self.inner.run(run)
        # The beat that a stall at its end delays is one of its own.
        await asyncio.sleep(0)
        spent, beats = self.spent, self.beats
        spent.runs += 1
        spent.wall += time.perf_counter() - wall
        spent.cpu += time.process_time() - cpu
        spent.late = max([spent.late, *beats.late[first:]])
        spent.looped = max([spent.looped, *beats.looped[first:]])

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Undo as it does."""
        return await self.inner.undo(decided, now)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("night", sizes="1000")
    top.add_argument("--scopes", type=int, default=100, help="default 100")
    top.add_argument("--memories", type=int, default=1_000, help="of each (default 1000)")
    top.add_argument("--turns", type=int, default=12, help="said in each before (default 12)")
    top.add_argument(
        "--nights", type=int, default=1, help="the later ones without news (default 1)"
    )
    top.add_argument("--learnt", action="store_true", help="no raw turns: all is one person's")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    return run(top, _measured, argv)


async def _measured(options: Namespace, _: Complaints) -> dict[str, Any]:
    with workspace(options.folder) as folder:
        return await _slept(folder, options)


async def _slept(folder: Path, options: Namespace) -> dict[str, Any]:
    """One night."""
    local = weights_file(options.models).is_file()
    embedder = LocalEmbedder(options.models) if local else HashedEmbedder()
    async with installed(folder, embedder) as engine:
        with timed() as filling:
            await _filled(engine, embedder, options)
            await _talked(engine, options)
        progress(f"filled in {filling.seconds:.0f} s")
        async with heartbeat() as idle:
            await asyncio.sleep(IDLE_SECONDS)
        night = await _night(engine)
        later = await _later(engine, options.nights)
    await embedder.aclose() if isinstance(embedder, LocalEmbedder) else None
    return {
        "seed": options.seed,
        "embedder": "local" if local else "hashed",
        "scopes": options.scopes,
        "memories": options.memories,
        "learnt": options.learnt,
        "turns": options.turns,
        "fill_s": round(filling.seconds, 1),
        "idle_ms": spread(idle),
        **night,
        "later": later,
        "targets": _targets(options, night),
    }


async def _later(engine: MemoryEngine, nights: int) -> list[dict[str, Any]]:
    """Nights without news."""
    told = [await _night(engine, number) for number in range(1, nights)]
    return [each["night"] | {"counts": each["counts"]} for each in told]


async def _night(engine: MemoryEngine, number: int = 0) -> dict[str, Any]:
    beats, journal = Beats(), engine.journal
    pipeline, spent = _timed(engine.pipeline, beats)
    # A cycle of decay later: all that may age does.
    night = engine.clock.now() + engine.policy.cycle_seconds + number * DAY
    sleeps = await engine.rhythm.begin_all(SleepCause.NIGHT, night)
    cpu = time.process_time()
    with garbage() as collected:
        async with heartbeat(looped=beats.looped, collected=collected) as beats.late:
            with timed() as watch:
                await worked(engine, frozenset({WorkKind.SLEEP}), pipeline.work, night)
    cpu = time.process_time() - cpu
    counts = await counted(journal, sleeps)
    return {
        "night": {"wall_s": round(watch.seconds, 2), "cpu_s": round(cpu, 2)},
        "steps": {name: own.to_json() for name, own in spent.items()},
        "late_ms": spread(beats.late),
        "looped_ms": spread(beats.looped),
        "collected_ms": round(collected.longest_ms, 1),
        "counts": {deed.value: count for deed, count in counts.items()},
    }


def _timed(pipeline: Pipeline, beats: Beats) -> tuple[Pipeline, dict[str, Spent]]:
    spent: dict[str, Spent] = {}

    def wrapped(step: Step) -> Step:
        spent[step.name] = Spent()
        names = {"name": step.name, "causes": step.causes}
        return type("Timed", (TimedStep,), names)(step, spent[step.name], beats)

    every = pipeline.steps
    steps = Steps(
        [wrapped(step) for step in every.of_scope],
        [wrapped(step) for step in every.of_installation],
    )
    return replace(pipeline, steps=steps), spent


async def _filled(engine: MemoryEngine, embedder: Embedder, options: Namespace) -> None:
    corpus = Corpus(options.seed)
    texts = corpus.sentences(options.memories)
    texts = [texts[_first(index)] for index in range(len(texts))]
    now = engine.clock.now()
    kinds = LEARNT_KINDS if options.learnt else KINDS
    first = GeneratedScope(0, texts, now, kinds=kinds)
    if isinstance(embedder, LocalEmbedder):
        vectors = await resembling(
            embedder, iter(first), models=MODELLED, seed=options.seed, noise=RELATED
        )
    else:
        vectors = await embedded(embedder, iter(first))
    vectors = [vectors[_first(index)] for index in range(len(vectors))]
    fingerprint = (await embedder.identity()).fingerprint
    await engine.calibrator.learn(embedder)
    for number in range(options.scopes):
        await fill(engine.store, _lived(GeneratedScope(number, texts, now, kinds=kinds)))
        await attach(engine.store, fingerprint, number, vectors)


def _first(index: int) -> int:
    """One in a hundred says what one of its kind said on the same day."""
    return index - 90 if index % 100 == 97 else index


def _lived(scope: GeneratedScope) -> Iterator[Memory]:
    """Of the learnt ones every other fact with a claim, and every fifth procedure a plan."""
    for index, memory in enumerate(scope):
        if memory.kind is Kind.SEMANTIC and index % 20 < 10:
            attribute = ATTRIBUTES[index // 20 % len(ATTRIBUTES)]
            words = " ".join(memory.text.split()[:3])
            claim = Claim(SPEAKER, f"{attribute}:{index}", words, memory.created_at)
            yield replace(memory, claim=claim)
        elif memory.kind is Kind.PROCEDURAL and index % 50 < 10:
            due = scope.now + DAY * (index % 30)
            yield replace(memory, kind=Kind.PROSPECTIVE, intention=Intention(due_at=due))
        else:
            yield memory


async def _talked(engine: MemoryEngine, options: Namespace) -> None:
    """What is new since the night before: a conversation in each scope, over and learnt from."""
    corpus, journal, now = Corpus(options.seed + 1), engine.journal, engine.clock.now()
    for number in range(options.scopes):
        place = Place(f"bench:user{number}", "c1", GeneratedScope(number, (), now).scope.key)
        for turn in range(options.turns):
            asked = turn % 2 == 0
            role, who = (Role.USER, "user") if asked else (Role.ASSISTANT, "bot")
            speaker = Speaker(f"{who}{number}", "Ann" if asked else "")
            at = now - 3_600.0 + turn
            await engine.observe(NewTurn(place, role, speaker, corpus.sentence(), at))
    await journal.close_silent(quiet_since=now, at=now)
    for kind, job in engine.jobs.table().items():
        if kind is not WorkKind.SLEEP:
            await worked(engine, frozenset({kind}), job, now)
    while await engine.backfill.once():
        pass


async def worked(engine: MemoryEngine, kinds: frozenset[WorkKind], job: Job, now: float) -> None:
    """All that is due of these kinds, one unit after the other."""
    journal = engine.journal
    while works := await journal.due(now, kinds=kinds, limit=200, skip=frozenset()):
        for work in works:
            await perform(work, job, journal)


def _targets(options: Namespace, night: dict[str, Any]) -> dict[str, Any]:
    size = options.scopes, options.memories
    spent = night["night"]["cpu_s"] if size in LIMITS else None
    return {
        "night_cpu_s": target(LIMITS.get(size, LIMIT_SECONDS), spent),
        "longest_stall_ms": target(LIMIT_LATE, night["late_ms"].get("max")),
        "longest_loop_ms": target(LIMIT_LOOPED, night["looped_ms"].get("max")),
    }
