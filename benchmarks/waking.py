"""One cold start in this process: import the plugin's core, open what is in a folder, search.

Nothing of the plugin is imported before the clock starts.
"""

import asyncio
import importlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main(argv: Sequence[str]) -> int:
    """`FOLDER SCOPE QUERY`; prints the figures as JSON."""
    folder, scope, query = argv
    began = time.perf_counter()
    installation = importlib.import_module(".installation", __package__)
    hashed = importlib.import_module("..core.embedding.hashed", __package__)
    imported = (time.perf_counter() - began) * 1000
    embedder = hashed.HashedEmbedder()
    figures = asyncio.run(_wake(installation, embedder, Path(folder), scope, query))
    print(json.dumps({"import_ms": imported, **figures}))
    return 0


async def _wake(
    installation: Any, embedder: Any, folder: Path, scope: str, query: str
) -> dict[str, float]:
    machine = importlib.import_module(".machine", __package__)
    began = time.perf_counter()
    async with installation.installed(folder, embedder) as engine:
        engine.start()
        opened = time.perf_counter()
        opened_mb = machine.resident_mb()
        await engine.search(frozenset({scope}), query, limit=8)
        searched = time.perf_counter()
        return {
            "open_ms": (opened - began) * 1000,
            "first_search_ms": (searched - opened) * 1000,
            "opened_mb": opened_mb,
            "searched_mb": machine.resident_mb(),
        }
