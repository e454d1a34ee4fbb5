"""The benchmark of a recall's cost: recalls and single searches by turns, in processor time."""

import asyncio
import threading
import time
from argparse import Namespace
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil

from ..core.engine.engine import MemoryEngine, RecallRequest
from ..core.model.conversation import NewTurn, Role, Scope, Speaker
from ..core.recall.legs.ways import POOL
from . import machine
from .command import emit, parser, progress, target, workspace
from .figures import spread
from .recall_cost_scope import AskedScope, fill_generated, fill_life, opened, place_of

WARM_UP = 20
"""Questions before the first that counts: whatever is loaded once is loaded by then."""

TALK = 12
"""Questions of one chat."""

JUDGED, LARGE = 10_000, 100_000
WHAT = ("recall", "text", "vector")
WHOSE = ("loop", "store", "journal", "others")
_THREADS = {"tidemark memories": "store", "tidemark journal": "journal", "MainThread": "loop"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one step."""

    processor: float
    clock: float


type Asked = dict[str, Cost]
"""The costs of one question, by `WHAT`."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("recall_cost", sizes="10000")
    top.add_argument("--questions", type=int, default=300)
    top.add_argument("--data", type=Path, help="folder with the data sets; generated without it")
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Every size in turn."""
    before = machine.load()
    measured: list[dict[str, Any]] = []
    for size in options.sizes:
        with workspace(options.folder) as folder:
            measured.append(await _measured(size, options, folder))
    return {
        "benchmark": "recall_cost",
        "seed": options.seed,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "measured": measured,
        "targets": _targets(measured),
    }


async def _measured(size: int, options: Namespace, folder: Path) -> dict[str, Any]:
    filled = await _filled(size, options, folder)
    progress(f"{filled.memories} memories are there")
    async with opened(folder, filled.now) as engine:
        asker = await _Asker.of(engine, filled)
        for place, text in enumerate(filled.questions[-WARM_UP:]):
            await asker.ask("before", place, text)
        before, shown = _by_thread(), len(asker.shown)
        first = [await asker.ask("first", *each) for each in enumerate(filled.questions)]
        lines = asker.shown[shown:]
        again = [await asker.ask("again", *each) for each in enumerate(filled.questions)]
        after = _by_thread()
    return {
        "memories": filled.memories,
        "questions": len(filled.questions),
        "first": _costs(first),
        "again": _costs(again),
        "threads": {
            name: round(1000 * (after[name] - before[name]) / (len(first) + len(again)), 2)
            for name in WHOSE
        },
        "shown": round(fmean(lines), 2),
        "loud": round(fmean(map(bool, lines)), 3),
    }


async def _filled(size: int, options: Namespace, folder: Path) -> AskedScope:
    if options.data is None:
        return await fill_generated(folder, size, options.questions, options.seed)
    return await fill_life(options.data, folder, size, options.questions, options.seed)


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks the questions of a scope; `shown` are the memories of each block so far."""

    engine: MemoryEngine
    filled: AskedScope
    vectors: Mapping[str, Any]
    fingerprint: str
    shown: list[int] = field(default_factory=list[int])

    @classmethod
    async def of(cls, engine: MemoryEngine, filled: AskedScope) -> "_Asker":
        """With the vector of every question."""
        embedder = await engine.parts.embedders.choose()
        assert embedder is not None
        vectors = {text: await embedder.embed_query(text) for text in filled.questions}
        return cls(engine, filled, vectors, (await embedder.identity()).fingerprint)

    async def ask(self, chat: str, place: int, text: str) -> Asked:
        """A turn of its chat, and then a search by words and one by vector of another question."""
        scope, parts = Scope.parse(self.filled.scope), self.engine.parts
        where = place_of(scope.key, f"{chat}{place // TALK}")
        said = NewTurn(where, Role.USER, Speaker("u", "小林"), text, self.filled.now)
        turn = (await self.engine.observe(said)).turn
        # The vectors of the last 256 questions are kept: those of the turns before are known.
        await self._known(text)
        recalled, recall = await _timed(self.engine.recall(RecallRequest(scope, text, turn.seq)))
        assert recalled is not None, f"no recall in time: {text}"
        await self.engine.recorded()
        self.shown.append(len(recalled.memories))
        every = self.filled.questions
        other, here = every[(place + len(every) // 2) % len(every)], frozenset({scope.key})
        _, words = await _timed(parts.store.search_text(other, here, limit=POOL))
        vector = self.vectors[other]
        nearest = parts.store.search_vector(vector, self.fingerprint, here, limit=POOL)
        _, meaning = await _timed(nearest)
        return dict(zip(WHAT, (recall, words, meaning), strict=True))

    async def _known(self, text: str) -> None:
        embedder = await self.engine.parts.embedders.choose()
        if embedder is not None:
            await embedder.embed_query(text)


async def _timed[T](work: Awaitable[T]) -> tuple[T, Cost]:
    processor, clock = time.process_time(), time.perf_counter()
    result = await work
    clock = (time.perf_counter() - clock) * 1000
    return result, Cost((time.process_time() - processor) * 1000, clock)


def _by_thread() -> dict[str, float]:
    """Processor seconds so far, by whose threads they were."""
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    spent: dict[str, float] = dict.fromkeys(WHOSE, 0.0)
    for each in psutil.Process().threads():
        name = names.get(each.id, "")
        whose = next((own for start, own in _THREADS.items() if name.startswith(start)), "others")
        spent[whose] += each.user_time + each.system_time
    return spent


def _costs(asked: Sequence[Asked]) -> dict[str, Any]:
    return {
        clock: _compared({what: [getattr(one[what], clock) for one in asked] for what in WHAT})
        for clock in ("processor", "clock")
    }


def _compared(times: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    spreads = {what: spread(own) for what, own in times.items()}
    both = spreads["text"]["p50"] + spreads["vector"]["p50"]
    return {**spreads, "recall_to_both": round(spreads["recall"]["p50"] / both, 2)}


def _targets(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The goals, for a size near the one that they were set for; by processor time."""
    near = {
        size: next((one for one in measured if size <= one["memories"] < 2 * size), None)
        for size in (JUDGED, LARGE)
    }
    judged, large = (one["first"]["processor"] if one else None for one in near.values())
    return {
        "recall_to_both_at_10000": target(2.0, judged and judged["recall_to_both"]),
        "recall_p95_ms_at_100000": target(30.0, large and large["recall"]["p95"]),
    }
