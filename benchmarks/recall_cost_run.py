"""The benchmark of a recall's cost: recalls and single searches by turns, in processor time."""

import asyncio
import json
import shutil
import threading
import time
from argparse import Namespace
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil

from ..core.engine.engine import MemoryEngine, RecallRequest
from ..core.model.conversation import NewTurn, Role, Scope, Speaker
from ..core.recall.legs.leg import POOL
from ..core.recall.trace import Recalled
from . import machine
from .command import emit, parser, progress, target, workspace
from .figures import spread
from .recall_cost_scope import (
    AskedScope,
    described,
    fill_generated,
    fill_life,
    opened,
    place_of,
)

WARM_UP = 20
"""Questions before the first that counts: whatever is loaded once is loaded by then."""

TALK = 12
"""Questions of one chat."""

JUDGED, LARGE = 10_000, 100_000
TOLD = 5
"""Questions with another answer that are told."""

WHAT = ("recall", "text", "vector")
WHOSE = ("loop", "store", "journal", "others")
_THREADS = {"tidemark memories": "store", "tidemark journal": "journal", "MainThread": "loop"}

type Answers = dict[str, dict[str, Any]]
"""By question what was recalled."""


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
    top.add_argument("--keep", type=Path, help="fill the scopes there, and ask copies of them")
    top.add_argument("--answers", type=Path, help="write what was recalled into this file")
    top.add_argument("--against", type=Path, help="compare with what another run wrote")
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Every size in turn."""
    before = machine.load()
    measured: list[dict[str, Any]] = []
    answers: Answers = {}
    for size in options.sizes:
        with workspace(options.folder) as folder:
            measured.append(await _measured(size, options, folder, answers))
    if options.answers is not None:
        options.answers.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
    return {
        "benchmark": "recall_cost",
        "seed": options.seed,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "measured": measured,
        "targets": _targets(measured),
    }


async def _measured(
    size: int, options: Namespace, folder: Path, answers: Answers
) -> dict[str, Any]:
    filled = await _filled(size, options, folder / "asked")
    progress(f"{filled.memories} memories are there")
    own: Answers = {}
    async with opened(folder / "asked", filled.now) as engine:
        asker = await _Asker.of(engine, filled)
        for place, text in enumerate(filled.questions[-WARM_UP:]):
            await asker.ask("before", place, text)
        before = _by_thread()
        first = [await asker.ask("first", *each, own) for each in enumerate(filled.questions)]
        again = [await asker.ask("again", *each) for each in enumerate(filled.questions)]
        after = _by_thread()
    answers |= own
    return {
        "memories": filled.memories,
        "questions": len(filled.questions),
        "first": _costs(first),
        "again": _costs(again),
        "threads": {
            name: round(1000 * (after[name] - before[name]) / (len(first) + len(again)), 2)
            for name in WHOSE
        },
        "shown": round(fmean(len(each["shown"]) for each in own.values()), 2),
        "loud": round(fmean(bool(each["shown"]) for each in own.values()), 3),
        "against": None
        if options.against is None
        else differences(own, json.loads(options.against.read_text("utf-8"))),
    }


def empty(folder: Path) -> Path:
    """A folder that was not there."""
    folder.mkdir(parents=True)
    return folder


async def _filled(size: int, options: Namespace, folder: Path) -> AskedScope:
    """The scope of that size in `folder`, copied from where it is kept."""
    if options.keep is None:
        return await _fill(size, options, empty(folder))
    kind = "generated" if options.data is None else "life"
    kept = options.keep / f"{kind} {size} {options.questions} {options.seed}"
    if described(kept) is None:
        shutil.rmtree(kept, ignore_errors=True)
        await _fill(size, options, empty(kept))
    await asyncio.to_thread(shutil.copytree, kept, folder)
    filled = described(folder)
    assert filled is not None
    return filled


async def _fill(size: int, options: Namespace, folder: Path) -> AskedScope:
    if options.data is None:
        return await fill_generated(folder, size, options.questions, options.seed)
    return await fill_life(options.data, folder, size, options.questions, options.seed)


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks the questions of a scope."""

    engine: MemoryEngine
    filled: AskedScope
    vectors: Mapping[str, Any]
    fingerprint: str

    @classmethod
    async def of(cls, engine: MemoryEngine, filled: AskedScope) -> "_Asker":
        """With the vector of every question."""
        embedder = await engine.parts.embedders.choose()
        assert embedder is not None
        vectors = {text: await embedder.embed_query(text) for text in filled.questions}
        return cls(engine, filled, vectors, (await embedder.identity()).fingerprint)

    async def ask(self, chat: str, place: int, text: str, answers: Answers | None = None) -> Asked:
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
        if answers is not None:
            answers[f"{self.filled.memories} {place} {text}"] = _told(recalled)
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


def _told(recalled: Recalled) -> dict[str, Any]:
    trace = recalled.trace
    return {
        "shown": [memory.id for memory in recalled.memories],
        "block": recalled.block,
        "order": [
            [each.memory, round(each.score, 5), str(each.drop or "")] for each in trace.candidates
        ],
    }


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


def differences(own: Answers, others: Answers) -> dict[str, Any]:
    """Of the questions that both were asked."""
    asked = [text for text in own if text in others]
    different = {
        name: [text for text in asked if own[text][key] != others[text][key]]
        for name, key in (("block", "block"), ("memories", "shown"), ("order", "order"))
    }
    every = dict.fromkeys(text for texts in different.values() for text in texts)
    counts = {name: len(texts) for name, texts in different.items()}
    return {"questions": len(asked), **counts, "first_different": list(every)[:TOLD]}


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
