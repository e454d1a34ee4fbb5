"""Everything that can go on behind a turn at once: decay passes, inserts, backfill of vectors."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import batched
from typing import Any

from ..core.engine.engine import MemoryEngine
from .population import GeneratedScope

BATCH = 100
PAUSE = 0.05


@dataclass(slots=True)
class Done:
    """What went on so far."""

    seconds: float = 0.0
    decay_passes: int = 0
    weakened: int = 0
    binned: int = 0
    inserted: int = 0

    def to_json(self) -> dict[str, Any]:
        """By name, seconds rounded."""
        return asdict(self) | {"seconds": round(self.seconds, 2)}


@asynccontextmanager
async def pressure(engine: MemoryEngine, newcomers: GeneratedScope) -> AsyncIterator[Done]:
    """Until the block ends: newcomers are put in (and then embedded), time passes by cycles.

    Each cycle takes 1 % of the memories. Ends early when there are no more newcomers.
    """
    done = Done()
    began = time.perf_counter()
    tasks = [
        asyncio.create_task(_decay(engine, newcomers.now, done)),
        asyncio.create_task(_insert(engine, newcomers, done)),
    ]
    try:
        yield done
        for task in tasks:
            if task.done():
                task.result()
    finally:
        done.seconds = time.perf_counter() - began
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _decay(engine: MemoryEngine, now: float, done: Done) -> None:
    for cycle in (1, 2, 3):
        scopes = frozenset(await engine.parts.store.scopes())
        count = await engine.sweeper.decay(now + cycle * engine.policy.cycle_seconds, scopes)
        done.decay_passes += 1
        done.weakened += count.weakened
        done.binned += count.binned
        await asyncio.sleep(PAUSE)


async def _insert(engine: MemoryEngine, newcomers: GeneratedScope, done: Done) -> None:
    for some in batched(newcomers, BATCH):
        done.inserted += len(await engine.parts.store.put(some))
        engine.backfill.wake()
        await asyncio.sleep(PAUSE)
