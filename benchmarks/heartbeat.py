"""How long the event loop was not free: the lateness of a task that wants to run often.

And how long Python's garbage collector held up one thread, and everybody.
"""

import asyncio
import gc
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

INTERVAL = 0.005
"""Seconds between two beats; also the interpreter's switch interval, so threads count too."""


@dataclass(slots=True)
class Garbage:
    """What collections cost; the interpreter is held for as long as one takes.

    `seconds` were computed by the thread that made this, `longest_ms` by any.
    """

    seconds: float = 0.0
    longest_ms: float = 0.0
    _thread: int = field(default_factory=threading.get_ident)
    _began: float = 0.0

    def note(self, phase: str, _: Mapping[str, Any]) -> None:
        """What `gc.callbacks` tells; there is one collection at a time."""
        if phase == "start":
            self._began = time.thread_time()
            return
        took = time.thread_time() - self._began
        self.longest_ms = max(self.longest_ms, took * 1000)
        if threading.get_ident() == self._thread:
            self.seconds += took


@contextmanager
def garbage() -> Iterator[Garbage]:
    """Of the block."""
    found = Garbage()
    gc.callbacks.append(found.note)
    try:
        yield found
    finally:
        gc.callbacks.remove(found.note)


@asynccontextmanager
async def heartbeat(
    *, looped: list[float] | None = None, collected: Garbage | None = None
) -> AsyncIterator[list[float]]:
    """Milliseconds by which each beat came late, appended as the block runs.

    On a machine that others use, lateness is mostly theirs: `looped` is told how many milliseconds
    the loop's own thread computed from one beat to the next, but for what garbage it `collected`.
    So late a beat is with a core and the interpreter to itself.
    """
    late: list[float] = []
    task = asyncio.create_task(_beat(late, looped, collected))
    # Begun before the block: work that never yields would keep it from ever being late.
    await asyncio.sleep(0)
    try:
        yield late
        # A stall at the very end is seen by the beat after it.
        await asyncio.sleep(2 * INTERVAL)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _beat(late: list[float], looped: list[float] | None, collected: Garbage | None) -> None:
    def own_time() -> float:
        return time.thread_time() - (collected.seconds if collected is not None else 0.0)

    while True:
        own, due = own_time(), time.perf_counter() + INTERVAL
        await asyncio.sleep(INTERVAL)
        late.append(max(0.0, time.perf_counter() - due) * 1000)
        if looped is not None:
            looped.append((own_time() - own) * 1000)
