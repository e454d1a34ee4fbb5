"""The embedder benchmark: queries, documents, and a cancelled query, with and without company."""

import asyncio
import os
import sys
import time
from argparse import Namespace
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from ..core.embedding.local.embedder import LocalEmbedder
from ..core.embedding.local.install import weights_file
from . import machine
from .command import emit, parser, whole_numbers, workspace
from .figures import rate, spread, timed
from .stand_in_model import LETTERS, install_stand_in
from .turn_cost import MODELS

DOCUMENT_TOKENS = 64
DOCUMENTS = 64
BUSY = "while True: pass"


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    top = parser("embedder", sizes="1")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    top.add_argument("--queries", type=int, default=100, help="of each length (default 100)")
    top.add_argument("--tokens", type=whole_numbers, default="16,64", help="default 16,64")
    top.add_argument("--busy", type=int, default=os.cpu_count(), help="competing processes")
    options = top.parse_args(argv)
    emit(asyncio.run(measure(options)), as_json=options.json)
    return 0


async def measure(options: Namespace) -> dict[str, Any]:
    """Alone, then beside busy processes."""
    before = machine.load()
    with workspace(options.folder) as scratch:
        installed = weights_file(options.models).is_file()
        folder = options.models if installed else scratch
        if not installed:
            await asyncio.to_thread(install_stand_in, folder, options.seed)
        embedder = LocalEmbedder(folder)
        await embedder.identity()
        try:
            idle = await _figures(embedder, options)
            abandoned = await _abandoned(embedder, Random(options.seed))
            async with company(options.busy):
                busy = await _figures(embedder, options)
        finally:
            await embedder.aclose()
    return {
        "benchmark": "embedder",
        "seed": options.seed,
        "machine": machine.facts() | {"load_before": before, "load_after": machine.load()},
        "model": "installed" if installed else "random",
        "idle": idle,
        "busy": busy,
        "abandoned_ms": abandoned,
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
    draw = Random(options.seed)
    queries = {
        str(tokens): spread(await _queries(embedder, draw, tokens, options.queries))
        for tokens in options.tokens
    }
    texts = [_text(draw, DOCUMENT_TOKENS) for _ in range(DOCUMENTS)]
    used = time.process_time()
    with timed() as embedding:
        await embedder.embed_documents(texts)
    used = time.process_time() - used
    documents = asyncio.ensure_future(_endless(embedder, texts))
    beside = await _queries(embedder, draw, options.tokens[0], options.queries)
    documents.cancel()
    await asyncio.wait({documents})
    return {
        "query_ms": queries,
        "beside_documents_ms": spread(beside),
        "documents_per_s": rate(DOCUMENTS, embedding.seconds),
        "threads": round(used / embedding.seconds, 2),
    }


async def _queries(embedder: LocalEmbedder, draw: Random, tokens: int, count: int) -> list[float]:
    took: list[float] = []
    for _ in range(count):
        text = _text(draw, tokens)
        with timed() as asking:
            await embedder.embed_query(text)
        took.append(asking.milliseconds)
        # Turns do not follow each other at once.
        await asyncio.sleep(0.01)
    return took


async def _endless(embedder: LocalEmbedder, texts: Sequence[str]) -> None:
    while True:
        await embedder.embed_documents(texts)


async def _abandoned(embedder: LocalEmbedder, draw: Random) -> float:
    """Milliseconds of processor time."""
    query = asyncio.ensure_future(embedder.embed_query(_text(draw, 256)))
    await asyncio.sleep(0.005)
    query.cancel()
    used = time.process_time()
    await asyncio.wait({query})
    await asyncio.sleep(0.5)
    return round((time.process_time() - used) * 1000, 1)


def _text(draw: Random, tokens: int) -> str:
    """About so many tokens, with those of the prefix and the marks."""
    return "".join(draw.choices(LETTERS, k=max(1, tokens - 10)))
