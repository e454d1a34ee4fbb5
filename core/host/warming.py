"""Compiling the patterns of the languages once memory is open.

The first recall would need hundreds of them at once, and miss its deadline.
"""

import asyncio
from contextlib import suppress
from threading import Event

from ..text.lazy_pattern import waiting_patterns

PAUSE = 5.0
"""Seconds after the opening: a host that starts has other things to do first."""

PATIENCE = 2.0
"""Seconds that a message just after the start waits for what is recalled to it."""


class Warming:
    """Compiles one pattern after another, in a thread, until all are or this is closed."""

    def __init__(self) -> None:
        self._wanted = asyncio.Event()
        self._closed = Event()
        self._task = asyncio.create_task(self._run(), name="tidemark:warming")

    async def done(self) -> None:
        """Begin now, and wait until all are compiled, `PATIENCE` at most."""
        self._wanted.set()
        await asyncio.wait({self._task}, timeout=PATIENCE)

    async def aclose(self) -> None:
        """Stop after the pattern in work. Idempotent."""
        self._closed.set()
        self._wanted.set()
        await self._task

    async def _run(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), PAUSE)
        # One thread for all: each way back through a busy event loop may take long.
        await asyncio.to_thread(self._compile)

    def _compile(self) -> None:
        for compile_one in waiting_patterns():
            if self._closed.is_set():
                return
            compile_one()
