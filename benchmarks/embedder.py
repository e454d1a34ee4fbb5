"""`python -m benchmarks.embedder --json`: what the local embedder takes, in processor time.

Keys. A spread is {n, p5, p50, p95, p99, max}.

- `benchmark`, `seed`, `machine` (see `benchmarks.machine`)
- `load_seconds`, and `resident_mb` of this process at the end
- `query_ms` and `query_processor_ms`: spreads by the query's tokens, by the clock and of the
  processor
- `documents_per_processor_s`: spread over rounds of 64 texts of 64 tokens; `threads`: processor
  time for each second of a round, at most
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

from ..core.embedding.local.model import LocalEmbedder
from . import machine
from .command import MODELS, parser, run, whole_numbers
from .datasets.reading import Complaints
from .embedders import local_in
from .figures import spread, timed

DOCUMENT_TOKENS = 64
DOCUMENTS = 64


def main(argv: Sequence[str]) -> int:
    """Measure and print. 2 if the embedder is not installed."""
    top = parser("embedder", sizes="1")
    top.add_argument("--models", type=Path, default=MODELS, help="the local model's folder")
    top.add_argument("--queries", type=int, default=20, help="of a length and round (default 20)")
    top.add_argument("--rounds", type=int, default=5, help="default 5")
    top.add_argument("--tokens", type=whole_numbers, default="16,64", help="default 16,64")
    return run(top, _measured, argv)


async def _measured(options: Namespace, _complaints: Complaints) -> dict[str, Any]:
    draw = Random(options.seed)
    embedder = local_in(options.models)
    asked: dict[str, list[tuple[float, float]]] = {str(tokens): [] for tokens in options.tokens}
    rates, threads = list[float](), list[float]()
    try:
        with timed() as loading:
            await embedder.identity()
        for _ in range(options.rounds):
            for tokens, took in asked.items():
                took += [await _query(embedder, draw, int(tokens)) for _ in range(options.queries)]
            texts = [_text(draw, DOCUMENT_TOKENS) for _ in range(DOCUMENTS)]
            used = time.process_time()
            with timed() as embedding:
                await embedder.embed_documents(texts)
            used = time.process_time() - used
            rates.append(DOCUMENTS / used)
            threads.append(used / embedding.seconds)
    finally:
        await embedder.aclose()
    return {
        "seed": options.seed,
        "load_seconds": round(loading.seconds, 2),
        "query_ms": {tokens: spread(ms for ms, _ in took) for tokens, took in asked.items()},
        "query_processor_ms": {
            tokens: spread(ms for _, ms in took) for tokens, took in asked.items()
        },
        "documents_per_processor_s": spread(rates),
        "threads": round(max(threads), 2),
        "resident_mb": machine.resident_mb(),
    }


async def _query(embedder: LocalEmbedder, draw: Random, tokens: int) -> tuple[float, float]:
    """Milliseconds by the clock and of the processor."""
    text, used = _text(draw, tokens), time.process_time()
    with timed() as asking:
        await embedder.embed_query(text)
    used = (time.process_time() - used) * 1000
    # Turns do not follow each other at once.
    await asyncio.sleep(0.01)
    return asking.milliseconds, used


def _text(draw: Random, tokens: int) -> str:
    """About so many tokens, with those of the prefix and the marks."""
    return "".join(draw.choices(ascii_lowercase, k=max(1, tokens - 10)))
