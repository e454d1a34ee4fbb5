"""The turn benchmark: installations side by side, turn by turn in rotation."""

import asyncio
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.install import weights_file
from ..core.embedding.local.model import LocalEmbedder
from ..core.ports import Embedder, Vector
from . import machine
from .command import MODELS, emit, parser, progress, target, workspace
from .corpus import Corpus
from .exchange import Conversation, Cost, summary
from .figures import spread, timed
from .heartbeat import heartbeat
from .installation import TimedEmbedder, installed
from .population import GeneratedScope, attach, embedded, fill, memory_id, resembling
from .pressure import pressure

JUDGED_SIZE = 10_000
LARGE_SIZE = 100_000
IDLE_SECONDS = 1.0
MODELLED = 128
WARM_UP = 3
NEWCOMERS = 20_000


@dataclass(frozen=True, slots=True)
class Setting:
    """One size: what is said, and what the own scope holds."""

    folder: Path
    corpus: Corpus
    own: GeneratedScope
    turns: int
    others: int
    models: Path

    def message(self) -> str:
        """What the user says next."""
        return self.corpus.query(self.own.texts)

    async def take_turns(
        self, conversations: dict[str, Conversation], turns: int, *, settle_vectors: bool = True
    ) -> dict[str, list[Cost]]:
        """The same messages to each conversation, in an order that rotates.

        Without `settle_vectors` a turn does not wait for memories that are being embedded.
        """
        costs: dict[str, list[Cost]] = {name: [] for name in conversations}
        names = list(conversations)
        for number in range(turns):
            said, answer = self.message(), self.corpus.sentence()
            start = number % len(names)
            for name in names[start:] + names[:start]:
                costs[name].append(await conversations[name].take_turn(said, answer))
                await conversations[name].settle(vectors=settle_vectors)
        return costs


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("turn", sizes="1000,10000,100000")
    top.add_argument("--turns", type=int, default=200, help="per installation (default 200)")
    top.add_argument("--others", type=int, default=20, help="other scopes (default 20)")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Every size in turn."""
    before = machine.load()
    sizes: list[dict[str, Any]] = []
    for size in options.sizes:
        with workspace(options.folder) as folder:
            sizes.append(await _measure_size(size, folder, options))
    return {
        "benchmark": "turn",
        "seed": options.seed,
        "turns": options.turns,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "sizes": sizes,
        "targets": _targets(sizes),
    }


async def _measure_size(size: int, folder: Path, options: Namespace) -> dict[str, Any]:
    corpus = Corpus(options.seed)
    own = GeneratedScope(0, corpus.sentences(size), time.time())
    setting = Setting(folder, corpus, own, options.turns, options.others, options.models)
    async with AsyncExitStack() as stack:
        with timed() as filling:
            conversations = await _installations(setting, stack)
        progress(f"{size}: filled in {filling.seconds:.0f} s")
        measured = await _measure_turns(setting, conversations)
    return {
        "memories": size,
        "other_scopes": options.others,
        "fill_s": round(filling.seconds, 2),
        **measured,
    }


async def _measure_turns(
    setting: Setting, conversations: dict[str, Conversation]
) -> dict[str, Any]:
    async with heartbeat() as idle:
        await asyncio.sleep(IDLE_SECONDS)
    first = await setting.take_turns(conversations, 1)
    await setting.take_turns(conversations, WARM_UP)
    async with heartbeat() as steady:
        costs = await setting.take_turns(conversations, setting.turns)
    progress(f"{len(setting.own.texts)}: {setting.turns} turns taken")
    among = conversations["among"]
    async with heartbeat() as strained, pressure(among.engine, _newcomers(setting)) as done:
        busy = await setting.take_turns({"among": among}, setting.turns, settle_vectors=False)
    progress(f"{len(setting.own.texts)}: {setting.turns} turns taken under pressure")
    names = {name: await _embedder_name(each) for name, each in conversations.items()}
    by_name = {name: summary(first[name][0], costs[name], names[name]) for name in conversations}
    return {
        **{name: by_name.get(name) for name in ("alone", "among", "local")},
        "among_to_alone": spread(
            a.total / b.total for a, b in zip(costs["among"], costs["alone"], strict=True)
        ),
        "busy": summary(busy["among"][0], busy["among"], names["among"]),
        "pressure": done.to_json(),
        "stalls": {"idle": spread(idle), "turns": spread(steady), "busy": spread(strained)},
    }


async def _installations(setting: Setting, stack: AsyncExitStack) -> dict[str, Conversation]:
    """Filled and started; `stack` closes them."""
    vectors = await embedded(HashedEmbedder(), iter(setting.own))
    conversations = {
        "alone": await _conversation("alone", setting, HashedEmbedder(), vectors, 0, stack),
        "among": await _conversation(
            "among", setting, HashedEmbedder(), vectors, setting.others, stack
        ),
    }
    if weights_file(setting.models).is_file():
        local = LocalEmbedder(setting.models)
        stack.push_async_callback(local.aclose)
        near = await resembling(local, iter(setting.own), models=MODELLED, seed=len(vectors))
        conversations["local"] = await _conversation("local", setting, local, near, 0, stack)
    return conversations


async def _conversation(
    name: str,
    setting: Setting,
    embedder: Embedder,
    vectors: Sequence[Vector],
    others: int,
    stack: AsyncExitStack,
) -> Conversation:
    used = TimedEmbedder(embedder)
    folder = setting.folder / name
    await asyncio.to_thread(folder.mkdir)
    engine = await stack.enter_async_context(installed(folder, used))
    fingerprint = (await used.identity()).fingerprint
    for number in range(others + 1):
        settlement = GeneratedScope(number, setting.own.texts, setting.own.now)
        await fill(engine.parts.store, iter(settlement))
        by_id = {memory_id(number, index): vector for index, vector in enumerate(vectors)}
        await attach(engine.parts.store, fingerprint, by_id)
        progress(f"{len(vectors)}: {name}: scope {number + 1} of {others + 1} filled")
    engine.start()
    return Conversation(engine, used, setting.own.scope)


def _newcomers(setting: Setting) -> GeneratedScope:
    """Further memories of another scope."""
    known = setting.own.texts
    texts = [known[index % len(known)] for index in range(len(known) + NEWCOMERS)]
    return GeneratedScope(1, texts, setting.own.now, first=len(known))


async def _embedder_name(conversation: Conversation) -> str:
    return (await conversation.embedder.identity()).provider


def _targets(sizes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The goals at 10 000 memories and at 100 000, and the longest stall at any size."""
    judged = next((size for size in sizes if size["memories"] == JUDGED_SIZE), None)
    large = next((size for size in sizes if size["memories"] == LARGE_SIZE), None)
    recall = large["among"]["recall_ms"] if large else {}
    total = judged["among"]["total_ms"] if judged else {}
    ratio = judged["among_to_alone"] if judged else {}
    stall = max(size["stalls"][phase]["max"] for size in sizes for phase in ("turns", "busy"))
    return {
        "total_p50_ms_at_10000": target(10.0, total.get("p50")),
        "total_p95_ms_at_10000": target(30.0, total.get("p95")),
        "among_to_alone_p50_at_10000": target(1.1, ratio.get("p50")),
        "recall_p95_ms_at_100000": target(30.0, recall.get("p95")),
        "longest_stall_ms": target(50.0, stall),
    }
