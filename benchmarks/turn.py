"""`python -m benchmarks.turn --json`: what the plugin adds to a turn, the provider's time excluded.

A turn is what the host's hooks call: `capture` (the message is journaled, and the history looked
at), `recall` and `reply` (the answer is journaled). Beside it the same store is asked for the words
of another question (`text`) and for its vector (`vector`), once each. What is said is not indexed,
so that the size stays; background work does not run. The vector of a question is made before its
recall, as `embedding`, and is part of neither.

Memories are Chinese and English sentences whose words follow Zipf's law, half of them from one of
twelve topics; those of other scopes cost a turn nothing that could be measured (22 November 2026).
With `--embedder local` the vectors of most memories are near those of a few.

Keys. A spread is {n, p5, p50, p95, p99, max} in milliseconds. `processor` is processor time of all
threads of the process, which other programs change little; `clock` is what a clock shows.

- `benchmark`, `seed`, `embedder`, `machine` (see `benchmarks.machine`)
- `measured[]`, one per size: `memories` (in the scope), `turns`, and
  - `processor` and `clock`: by step a spread, and of `turn`, the sum of `capture`, `recall` and
    `reply`
  - `recall_to_both`: p50 of a recall by the sum of those of one search by words and one by vector,
    of the processor
  - `first`: `processor` and `clock` of the first turn after the store was opened anew
  - `looped`: spread of what the event loop's own thread computed from one 5 ms beat to the next
  - `shown` (memories per question, mean)
- `targets`: by name {`limit`, `measured`, `met`}
"""

import time
from argparse import Namespace
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.model import LocalEmbedder
from ..core.engine.engine import MemoryEngine
from ..core.engine.recalls import RecallRequest
from ..core.model.conversation import NewTurn, Place, Role, Scope, Speaker
from ..core.ports import Embedder
from ..core.recall.legs.ways import POOL
from ..core.settings import RecallSettings, Settings
from .command import MODELS, parser, progress, run, target, workspace
from .corpus import Corpus
from .embedders import local_in
from .figures import spread
from .heartbeat import heartbeat
from .installation import installed
from .population import GeneratedScope, embedded, fill_alike, resembling

SETTINGS = Settings(recall=RecallSettings(deadline_ms=10_000))
"""The defaults, on a machine that may take its time."""

WARM_UP = 20
"""Turns before the first that counts: whatever is loaded once is loaded by then."""

TALK = 12
"""Turns of one chat."""

MODELLED = 128
"""Memories that the local model really embeds."""

STEPS = ("capture", "recall", "reply")
LARGE = 100_000
PERSON, BOT = Speaker("user0", "Ann"), Speaker("bot", "")


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of one step."""

    processor: float
    clock: float


type Costs = dict[str, Cost]
"""Of one turn, by its steps and the searches beside it."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("turn", sizes="1000,10000")
    top.add_argument("--turns", type=int, default=200, help="per size (default 200)")
    top.add_argument("--embedder", choices=("hashed", "local"), default="hashed")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    return run(top, lambda options, _: measure(options), argv)


async def measure(options: Namespace) -> dict[str, Any]:
    """Every size in turn."""
    measured = list[dict[str, Any]]()
    local = local_in(options.models) if options.embedder == "local" else None
    for size in options.sizes:
        with workspace(options.folder) as folder:
            measured.append(await _measured(size, options, local or HashedEmbedder(), folder))
    if local is not None:
        await local.aclose()
    return {
        "seed": options.seed,
        "embedder": options.embedder,
        "measured": measured,
        "targets": _targets(measured),
    }


async def _measured(
    size: int, options: Namespace, embedder: Embedder, folder: Path
) -> dict[str, Any]:
    corpus = Corpus(options.seed)
    own = GeneratedScope(0, corpus.sentences(size), time.time())
    await _filled(own, embedder, folder)
    progress(f"{size} memories are there")
    said = [corpus.query(own.texts) for _ in range(options.turns + WARM_UP + 1)]
    looped: list[float] = []
    async with installed(folder, embedder, settings=SETTINGS) as engine:
        talker = _Talker(engine, own.scope, said, (await embedder.identity()).fingerprint)
        first, *_ = [await talker.take_turn(place) for place in range(WARM_UP + 1)]
        talker.shown.clear()
        async with heartbeat(looped=looped):
            turns = [await talker.take_turn(place) for place in range(WARM_UP + 1, len(said))]
    processor = _spreads(turns, "processor")
    searches = processor["text"]["p50"] + processor["vector"]["p50"]
    return {
        "memories": size,
        "turns": len(turns),
        "processor": processor,
        "clock": _spreads(turns, "clock"),
        "recall_to_both": round(processor["recall"]["p50"] / searches, 2),
        "first": {name: round(_turn(first, name), 3) for name in ("processor", "clock")},
        "looped": spread(looped),
        "shown": round(fmean(talker.shown), 2),
    }


async def _filled(own: GeneratedScope, embedder: Embedder, folder: Path) -> None:
    if isinstance(embedder, LocalEmbedder):
        vectors = await resembling(embedder, iter(own), models=MODELLED, seed=len(own.texts))
    else:
        vectors = await embedded(embedder, iter(own))
    async with installed(folder, embedder) as engine:
        fingerprint = (await embedder.identity()).fingerprint
        await fill_alike(engine.store, fingerprint, vectors, [own])


@dataclass(frozen=True, slots=True)
class _Talker:
    """Says what is to be said, in chats of some turns; `shown` are the memories of each block."""

    engine: MemoryEngine
    scope: Scope
    said: Sequence[str]
    fingerprint: str
    shown: list[int] = field(default_factory=list[int])

    async def take_turn(self, number: int) -> Costs:
        """One of them, and then a search by words and one by vector of another."""
        engine, store, text = self.engine, self.engine.store, self.said[number]
        place = Place(f"bench:{number // TALK}", "chat", self.scope.key)
        now = engine.clock.now()
        seen, capture = await _timed(engine.observe(NewTurn(place, Role.USER, PERSON, text, now)))
        seq = seen.turn.seq
        _, looked = await _timed(engine.answered_before(place.session, seq))
        embedder = await engine.embedders.choose()
        assert embedder is not None
        _, embedding = await _timed(embedder.embed_query(text))
        recalled, recall = await _timed(engine.recalls.recall(RecallRequest(self.scope, text, seq)))
        assert recalled is not None, f"no recall in time: {text}"
        await engine.recalls.recorded()
        answer = NewTurn(place, Role.ASSISTANT, BOT, text, now)
        _, reply = await _timed(engine.observe(answer))
        self.shown.append(len(recalled.memories))
        other = self.said[(number + len(self.said) // 2) % len(self.said)]
        vector, here = await embedder.embed_query(other), frozenset({self.scope.key})
        _, words = await _timed(store.search_text(other, here, limit=POOL))
        _, meaning = await _timed(store.search_vector(vector, self.fingerprint, here, limit=POOL))
        return {
            "capture": Cost(capture.processor + looked.processor, capture.clock + looked.clock),
            "embedding": embedding,
            "recall": recall,
            "reply": reply,
            "text": words,
            "vector": meaning,
        }


async def _timed[T](work: Awaitable[T]) -> tuple[T, Cost]:
    processor, clock = time.process_time(), time.perf_counter()
    result = await work
    clock = (time.perf_counter() - clock) * 1000
    return result, Cost((time.process_time() - processor) * 1000, clock)


def _turn(costs: Costs, name: str) -> float:
    return sum(getattr(costs[step], name) for step in STEPS)


def _spreads(turns: Sequence[Costs], name: str) -> dict[str, Any]:
    steps = {step: spread(getattr(each[step], name) for each in turns) for step in turns[0]}
    return steps | {"turn": spread(_turn(each, name) for each in turns)}


def _targets(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The goals of a recall and of a turn; a recall among so many may take longer."""
    goals: dict[str, Any] = {}
    for each in measured:
        size, processor = each["memories"], each["processor"]
        limit = 15.0 if size >= LARGE else 8.0
        goals |= {
            f"recall_p50_ms_at_{size}": target(limit, processor["recall"]["p50"]),
            f"recall_to_both_at_{size}": target(2.0, each["recall_to_both"]),
            f"turn_p50_ms_at_{size}": target(15.0, processor["turn"]["p50"]),
            f"looped_ms_at_{size}": target(20.0, each["looped"]["max"]),
            f"first_ms_at_{size}": target(150.0, each["first"]["clock"]),
        }
    return goals
