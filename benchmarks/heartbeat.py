"""How long the event loop was not free: the lateness of a task that wants to run often."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .garbage import Garbage

INTERVAL = 0.005
"""Seconds between two beats; also the interpreter's switch interval, so threads count too."""


@asynccontextmanager
async def heartbeat(
    interval: float = INTERVAL,
    *,
    computed: list[float] | None = None,
    looped: list[float] | None = None,
    garbage: Garbage | None = None,
) -> AsyncIterator[list[float]]:
    """Milliseconds by which each beat came late, appended as the block runs.

    `computed` is told how many milliseconds all threads of the process computed from one beat to
    the next: on a machine that others use, lateness is mostly theirs. `looped` is told what of it
    the loop's own thread computed, but for what `garbage` it collected: so late a beat is with a
    core and the interpreter to itself.
    """
    late: list[float] = []
    task = asyncio.create_task(_beat(late, interval, computed, looped, garbage))
    # Begun before the block: work that never yields would keep it from ever being late.
    await asyncio.sleep(0)
    try:
        yield late
        # A stall at the very end is seen by the beat after it.
        await asyncio.sleep(2 * interval)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _beat(
    late: list[float],
    interval: float,
    computed: list[float] | None,
    looped: list[float] | None,
    garbage: Garbage | None,
) -> None:
    def own_time() -> float:
        return time.thread_time() - (garbage.seconds if garbage is not None else 0.0)

    while True:
        every, own, due = time.process_time(), own_time(), time.perf_counter() + interval
        await asyncio.sleep(interval)
        late.append(max(0.0, time.perf_counter() - due) * 1000)
        if computed is not None:
            computed.append((time.process_time() - every) * 1000)
        if looped is not None:
            looped.append((own_time() - own) * 1000)
