"""`python -m benchmarks.load --json`: ten thousand people write to one bot.

Two scopes in three are private chats, the third is a group of `--group` people. After the filling
the installation is opened anew, so that no scope is in memory. Messages come at random moments,
each to a scope and a person drawn at random, whether or not the one before is answered: recorded,
recalled for, and answered by the bot, which is recorded, too. Then everybody sleeps, twice.

Keys. A spread is {n, p5, p50, p95, p99, max}; times are milliseconds unless the key says `_s`.

- `benchmark`, `seed`, `backend`, `people`, `scopes`, `memories`, `per_second`, `seconds`,
  `machine` (see `benchmarks.machine`)
- `fill_s`, `file_mb`
- `hooks`: spreads of a message's recording and recall together: `ms`; `computed_ms`, all that the
  process computed meanwhile, other messages and the background with it; and of these `first_ms`,
  the first of a scope since the opening, and `later_ms`; `late` (recalls that missed the deadline);
  `answer_ms`, of the recording of an answer
- `computed_share`: processor seconds a second; `stalls`: how late a 5 ms heartbeat of the
  event loop came; `loop`: what its own thread computed from one beat to the next
- `resident_mb`: at the opening and after each tenth of the time; `said` messages on record then
- `nights[]`: `wall_s`, `computed_s`, `loop`, `done` (whether all was finished in time)
- `targets`: by name {`limit`, `measured`, `met`}
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.engine.recalls import RecallRequest
from ..core.model.conversation import NewTurn, Place, Role, Speaker
from ..scripts.nights import drained
from . import machine
from .command import parser, progress, run, target, workspace
from .corpus import Corpus
from .datasets.reading import Complaints
from .figures import spread, timed
from .heartbeat import heartbeat
from .installation import installed
from .population import GeneratedScope, embedded, fill_alike

BOT = Speaker("bot", "Bot")
PARTS = 10
"""Times at which the memory of the process is looked at."""

NIGHTS = 2
LONGEST_NIGHT = 3_600.0

LIMITS = {"hook_computed_p95_ms": 50.0, "first_p95_ms": 25.0, "resident_mb": 600.0}
NIGHT_LIMIT_S = 1_800.0


@dataclass(slots=True)
class Seen:
    """Milliseconds of what was done, and scopes that were written to."""

    hook: list[float] = field(default_factory=list[float])
    computed: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    later: list[float] = field(default_factory=list[float])
    answer: list[float] = field(default_factory=list[float])
    late: int = 0
    known: set[int] = field(default_factory=set[int])


@dataclass(slots=True)
class Load:
    """Messages to the scopes of a population."""

    engine: MemoryEngine
    scopes: Sequence[GeneratedScope]
    queries: Sequence[str]
    random: Random
    seen: Seen = field(default_factory=Seen)
    _said: int = 0

    async def run(self, per_second: float, seconds: float) -> None:
        """At moments of a Poisson process; all are answered when it returns."""
        due, end = time.monotonic(), time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            while (due := due + self.random.expovariate(per_second)) < end:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(self._message())

    async def _message(self) -> None:
        scope, index = self.random.choice(self.scopes), self.random.randrange(1_000_000)
        text = self.random.choice(self.queries if index % 2 else scope.texts)
        self._said += 1
        place = Place(f"load:{scope.number}", "c1", scope.scope.key)
        turn = _turn(place, Role.USER, scope.speaker(index), text, f"m{self._said}")
        answer = _turn(place, Role.ASSISTANT, BOT, "Thanks, I see.", f"a{self._said}")
        seen, first = self.seen, scope.number not in self.seen.known
        seen.known.add(scope.number)
        own = time.process_time()
        with timed() as hook:
            kept = (await self.engine.observe(turn)).turn
            asked = RecallRequest(scope.scope, text, kept.seq, asker=kept.speaker.id, place=place)
            recalled = await self.engine.recalls.recall(asked)
        seen.computed.append((time.process_time() - own) * 1_000)
        seen.hook.append(hook.milliseconds)
        (seen.first if first else seen.later).append(seen.computed[-1])
        seen.late += recalled is None
        with timed() as answered:
            await self.engine.observe(answer)
        seen.answer.append(answered.milliseconds)


def _turn(place: Place, role: Role, speaker: Speaker, text: str, message: str) -> NewTurn:
    return NewTurn(place, role, speaker, text, time.time(), message_id=message)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("load", sizes="100")
    top.add_argument("--backend", default="sqlite", choices=("sqlite", "chroma"))
    top.add_argument("--scopes", type=int, default=3_000, help="default 3000, of --sizes memories")
    top.add_argument("--group", type=int, default=8, help="people of a group (default 8)")
    top.add_argument("--per-second", type=float, default=20.0, help="messages (default 20)")
    top.add_argument("--seconds", type=float, default=600.0, help="default 600")
    top.add_argument("--nights", type=int, default=NIGHTS, help=f"default {NIGHTS}")
    return run(top, _measured, argv)


async def _measured(options: Namespace, _: Complaints) -> dict[str, Any]:
    with workspace(options.folder) as folder:
        return await _loaded(folder, options)


async def _loaded(folder: Path, options: Namespace) -> dict[str, Any]:
    """Fill, open anew, and let everybody write."""
    corpus, now = Corpus(options.seed), time.time()
    texts = corpus.sentences(options.sizes[0])
    scopes = [
        GeneratedScope(number, texts, now, people=1 if number % 3 else options.group)
        for number in range(options.scopes)
    ]
    embedder = HashedEmbedder()
    vectors = await embedded(embedder, iter(scopes[0]))
    fingerprint = (await embedder.identity()).fingerprint
    async with installed(folder, embedder, backend=options.backend) as engine:
        with timed() as filling:
            await fill_alike(engine.store, fingerprint, vectors, scopes)
    progress(f"filled in {filling.seconds:.0f} s")
    file_mb = machine.size_mb(folder)
    async with installed(folder, embedder, backend=options.backend) as engine:
        engine.start()
        queries = [corpus.query(texts) for _ in range(500)]
        writing = Load(engine, scopes, queries, Random(options.seed))
        told = await _written(writing, options)
        nights = [await _slept(engine) for _ in range(options.nights)]
    return {
        "seed": options.seed,
        "backend": options.backend,
        "people": sum(scope.people for scope in scopes),
        "scopes": options.scopes,
        "memories": options.scopes * options.sizes[0],
        "per_second": options.per_second,
        "seconds": options.seconds,
        "fill_s": round(filling.seconds, 1),
        "file_mb": file_mb,
        **told,
        "nights": nights,
        "targets": _targets(told, nights),
    }


async def _written(writing: Load, options: Namespace) -> dict[str, Any]:
    resident, said = [machine.resident_mb()], [0]
    looped: list[float] = []
    spent = time.process_time()
    async with heartbeat(looped=looped) as late:
        with timed() as watch:
            for _ in range(PARTS):
                await writing.run(options.per_second, options.seconds / PARTS)
                resident.append(machine.resident_mb())
                said.append(len(writing.seen.hook))
                progress(f"{said[-1]} messages, {resident[-1]} MiB")
    seen = writing.seen
    return {
        "hooks": {
            "ms": spread(seen.hook),
            "computed_ms": spread(seen.computed),
            "first_ms": spread(seen.first),
            "later_ms": spread(seen.later),
            "answer_ms": spread(seen.answer),
            "late": seen.late,
        },
        "computed_share": round((time.process_time() - spent) / watch.seconds, 3),
        "loop": spread(looped),
        "stalls": spread(late),
        "resident_mb": resident,
        "said": said,
    }


async def _slept(engine: MemoryEngine) -> dict[str, Any]:
    looped: list[float] = []
    spent = time.process_time()
    async with heartbeat(looped=looped):
        with timed() as watch:
            await engine.begin_sleep()
            done = await drained(engine.worker, LONGEST_NIGHT)
    progress(f"a night: {watch.seconds:.0f} s")
    return {
        "wall_s": round(watch.seconds, 1),
        "computed_s": round(time.process_time() - spent, 1),
        "loop": spread(looped),
        "done": done,
    }


def _targets(told: dict[str, Any], nights: Sequence[dict[str, Any]]) -> dict[str, Any]:
    hooks = told["hooks"]
    measured = (hooks["computed_ms"]["p95"], hooks["first_ms"].get("p95"), max(told["resident_mb"]))
    goals = {
        name: target(limit, value)
        for (name, limit), value in zip(LIMITS.items(), measured, strict=True)
    }
    nightly = max((each["wall_s"] for each in nights), default=None)
    return goals | {"night_s": target(NIGHT_LIMIT_S, nightly)}
