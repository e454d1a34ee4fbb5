"""Cold starts of an installation, each in a process of its own."""

import asyncio
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from .figures import spread

ROOT = Path(__file__).resolve().parent.parent
_TIMES = ("import_ms", "open_ms", "first_search_ms")


async def cold_starts(folder: Path, scope: str, query: str, *, runs: int) -> dict[str, Any]:
    """Spreads over `runs` starts. The folder must not be open elsewhere."""
    every = [await _cold_start(folder, scope, query) for _ in range(runs)]
    return {
        **{name: spread(figures[name] for figures in every) for name in _TIMES},
        "ready_ms": spread(figures["import_ms"] + figures["open_ms"] for figures in every),
        "resident_mb": {
            "opened": median(figures["opened_mb"] for figures in every),
            "searched": median(figures["searched_mb"] for figures in every),
        },
    }


async def _cold_start(folder: Path, scope: str, query: str) -> dict[str, float]:
    """Raises RuntimeError with what the process said if it failed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.cold_start", str(folder), scope, query),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"a cold start failed: {errors.decode('utf-8', 'replace')[-500:]}")
    return json.loads(output)
