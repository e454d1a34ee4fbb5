"""Compiling the patterns of the languages once memory is open.

The first recall would need hundreds of them at once, and miss its deadline.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event

from ..languages.scripts import has_traditional, waiting_for_traditional
from ..text.lazy_pattern import waiting_patterns

PAUSE = 5.0
"""Seconds after the opening: a host that starts has other things to do first."""

PATIENCE = 2.0
"""Seconds that a message just after the start waits for what is recalled to it."""


class Warming:
    """Compiles one pattern after another, in a thread, until all are or this is closed.

    Those for traditional characters when somebody writes in them: few chats do.
    """

    def __init__(self) -> None:
        self._wanted = asyncio.Event()
        self._closed = Event()
        self._task = asyncio.create_task(self._run(), name="tidemark:warming")
        self._traditional: asyncio.Task[None] | None = None

    async def done(self, text: str = "") -> None:
        """Begin now, and wait until all that `text` needs are compiled, `PATIENCE` at most."""
        self._wanted.set()
        if self._traditional is None and has_traditional(text):
            work = asyncio.to_thread(self._compile, waiting_for_traditional())
            self._traditional = asyncio.create_task(work, name="tidemark:warming")
        wanted = {self._task} if self._traditional is None else {self._task, self._traditional}
        await asyncio.wait(wanted, timeout=PATIENCE)

    async def aclose(self) -> None:
        """Stop after the pattern in work. Idempotent."""
        self._closed.set()
        self._wanted.set()
        await self._task
        if self._traditional is not None:
            await self._traditional

    async def _run(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), PAUSE)
        # One thread for all: each way back through a busy event loop may take long.
        await asyncio.to_thread(self._compile, waiting_patterns())

    def _compile(self, waiting: Iterator[Callable[[], object]]) -> None:
        for compile_one in waiting:
            if self._closed.is_set():
                return
            compile_one()
