"""Opening the engine without holding up the host, and closing everything it opened."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import chain, repeat

from astrbot.api import logger

from ..engine import MemoryEngine
from ..errors import SchemaTooNew, TidemarkError

PATIENCE = 3.0
"""Seconds a hook waits for the first attempt at opening."""

RETRY = (5.0, 30.0, 300.0)

type Open = Callable[[AsyncExitStack], Awaitable[MemoryEngine]]


class Lifetime:
    """Owns the engine from the plugin's start to its end."""

    def __init__(self, open_engine: Open) -> None:
        self._open_engine = open_engine
        self._stack = AsyncExitStack()
        self._tried = asyncio.Event()
        self._engine: MemoryEngine | None = None
        self._opening: asyncio.Task[None] | None = None
        self.problem: Exception | None = None

    def begin(self) -> None:
        """Start opening in the background."""
        self._opening = asyncio.create_task(self._open(), name="tidemark:open")
        self._opening.add_done_callback(self._ended)

    async def engine(self) -> MemoryEngine | None:
        """The engine; None if it could not be opened, or not within `PATIENCE`."""
        if self._engine is None and not self._tried.is_set():
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._tried.wait()
            except TimeoutError:
                return None
        return self._engine

    async def end(self) -> None:
        """Stop opening, close what is open. Idempotent."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
        self._engine = None
        await self._stack.aclose()

    def _ended(self, opening: asyncio.Task[None]) -> None:
        error = None if opening.cancelled() else opening.exception()
        if isinstance(error, Exception):
            self.problem = error
            logger.error("[tidemark] memory could not be opened", exc_info=error)

    async def _open(self) -> None:
        for pause in chain(RETRY, repeat(RETRY[-1])):
            if await self._attempt():
                return
            await asyncio.sleep(pause)

    async def _attempt(self) -> bool:
        """Whether this is settled: open, or no use trying again."""
        try:
            async with AsyncExitStack() as stack:
                engine = await self._open_engine(stack)
                engine.start()
                self._stack = stack.pop_all()
            self._engine, self.problem = engine, None
        except (TidemarkError, OSError) as error:
            self.problem = error
            told = f"{type(error).__name__}: {error}"
            logger.error("[tidemark] memory could not be opened: %s", told)
            return isinstance(error, SchemaTooNew)
        else:
            return True
        finally:
            self._tried.set()
