"""The embedder benchmark: queries, documents, and a cancelled query, with and without company."""

import asyncio
import os
import sys
import time
from argparse import Namespace
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.local.install import weights_file
from ..core.embedding.local.model import LocalEmbedder
from . import machine
from .command import MODELS, emit, parser, whole_numbers, workspace
from .figures import rate, spread, timed
from .stand_in_model import LETTERS, install_stand_in

DOCUMENT_TOKENS = 64
DOCUMENTS = 64
BUSY = "while True: pass"

type _Times = list[tuple[float, float]]
"""Milliseconds that passed, and of them those of the process on a processor."""


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("embedder", sizes="1")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    top.add_argument("--queries", type=int, default=20, help="of a length and turn (default 20)")
    top.add_argument("--rounds", type=int, default=5, help="turns of each (default 5)")
    top.add_argument("--tokens", type=whole_numbers, default="16,64", help="default 16,64")
    top.add_argument("--busy", type=int, default=os.cpu_count(), help="competing processes")
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Alone, then beside busy processes."""
    before = machine.load()
    with workspace(options.folder) as folder:
        installed = weights_file(options.models).is_file()
        if not installed:
            await asyncio.to_thread(install_stand_in, folder, options.seed)
        embedder = LocalEmbedder(options.models if installed else folder)
        try:
            with timed() as loading:
                await embedder.identity()
            idle = await _figures(embedder, options)
            async with company(options.busy):
                busy = await _figures(embedder, options)
        finally:
            await embedder.aclose()
    return {
        "benchmark": "embedder",
        "seed": options.seed,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "model": "installed" if installed else "random",
        "load_seconds": round(loading.seconds, 2),
        "idle": idle,
        "busy": busy,
    }


@asynccontextmanager
async def company(processes: int) -> AsyncGenerator[None]:
    """Processes that leave no core idle."""
    started = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY) for _ in range(processes)
    ]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            await process.wait()


async def _figures(embedder: LocalEmbedder, options: Namespace) -> dict[str, Any]:
    taken = _Taken()
    for turn in range(options.rounds):
        await _measured(embedder, taken, Random(options.seed + turn), options)
    return taken.summed_up()


@dataclass(slots=True)
class _Taken:
    queries: dict[str, _Times] = field(default_factory=dict[str, _Times])
    beside: list[float] = field(default_factory=list[float])
    rates: list[float] = field(default_factory=list[float])
    processor: list[float] = field(default_factory=list[float])
    threads: list[float] = field(default_factory=list[float])

    def summed_up(self) -> dict[str, Any]:
        queries = self.queries.items()
        return {
            "query_ms": {name: spread(ms for ms, _ in each) for name, each in queries},
            "query_processor_ms": {name: spread(ms for _, ms in each) for name, each in queries},
            "beside_documents_ms": spread(self.beside),
            "documents_per_s": spread(self.rates),
            "documents_per_processor_s": spread(self.processor),
            "threads": round(max(self.threads), 2),
        }


async def _measured(
    embedder: LocalEmbedder, taken: _Taken, draw: Random, options: Namespace
) -> None:
    for tokens in options.tokens:
        found = await _queries(embedder, draw, tokens, options.queries)
        taken.queries.setdefault(str(tokens), []).extend(found)
    texts = [_text(draw, DOCUMENT_TOKENS) for _ in range(DOCUMENTS)]
    used = time.process_time()
    with timed() as embedding:
        await embedder.embed_documents(texts)
    used = time.process_time() - used
    documents = asyncio.ensure_future(_endless(embedder, texts))
    asked = await _queries(embedder, draw, options.tokens[0], options.queries)
    taken.beside += [milliseconds for milliseconds, _ in asked]
    documents.cancel()
    await asyncio.wait({documents})
    taken.rates.append(rate(DOCUMENTS, embedding.seconds))
    taken.processor.append(rate(DOCUMENTS, used))
    taken.threads.append(used / embedding.seconds)


async def _queries(embedder: LocalEmbedder, draw: Random, tokens: int, count: int) -> _Times:
    took: _Times = []
    for _ in range(count):
        text = _text(draw, tokens)
        used = time.process_time()
        with timed() as asking:
            await embedder.embed_query(text)
        took.append((asking.milliseconds, (time.process_time() - used) * 1000))
        # Turns do not follow each other at once.
        await asyncio.sleep(0.01)
    return took


async def _endless(embedder: LocalEmbedder, texts: Sequence[str]) -> None:
    while True:
        await embedder.embed_documents(texts)


def _text(draw: Random, tokens: int) -> str:
    """About so many tokens, with those of the prefix and the marks."""
    return "".join(draw.choices(LETTERS, k=max(1, tokens - 10)))
