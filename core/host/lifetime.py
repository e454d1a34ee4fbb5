"""Opening memory without holding up the host, assembling it anew, and closing what was opened."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import chain, repeat
from traceback import format_exception

from astrbot.api import logger

from ..engine.engine import MemoryEngine
from ..model.errors import Fault, SchemaTooNew, StorageError, TidemarkError, masked
from .renewal import Lingering

PATIENCE = 30.0
"""Seconds that a message waits for the first attempt at opening, so that it is still recorded."""

ANSWER_SECONDS = 3.0
"""The same where somebody waits for an answer."""

RETRY = (5.0, 30.0, 300.0)

TURN_SECONDS = 15.0
"""The longest time between two attempts while another process has the memories."""


class Lifetime[Opened]:
    """Owns the engine in force from the plugin's start to its end.

    `open_files` puts what stays open over changes of the settings on a stack; `assemble` makes
    an engine over it from the settings as they are then.
    """

    def __init__(
        self,
        open_files: Callable[[AsyncExitStack], Awaitable[Opened]],
        assemble: Callable[[Opened], Awaitable[MemoryEngine]],
    ) -> None:
        self._open_files = open_files
        self._assemble = assemble
        self._stack = AsyncExitStack()
        self._leaving = Lingering()
        self._changing = asyncio.Lock()
        self._tried = asyncio.Event()
        self._opened: Opened | None = None
        self._engine: MemoryEngine | None = None
        self._opening: asyncio.Task[None] | None = None
        self._over = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving_others: asyncio.Task[None] | None = None
        self.problem: Exception | None = None

    def begin(self) -> None:
        """Start opening in the background."""
        # To go over all that a host loads takes .25 s. Engines come later: replaced, they must go.
        gc.collect()
        gc.freeze()
        self._loop = asyncio.get_running_loop()
        self._opening = asyncio.create_task(self._open(), name="tidemark:open")

    async def engine(self, patience: float = PATIENCE) -> MemoryEngine | None:
        """The engine; None if it could not be opened, or not within `patience` seconds."""
        if self._engine is None and not self._tried.is_set():
            try:
                async with asyncio.timeout(patience):
                    await self._tried.wait()
            except TimeoutError:
                return None
        return self._engine

    def wake(self) -> None:
        """Let the engine in force, if there is one, look for background work now."""
        if self._engine is not None:
            self._engine.wake()

    async def renew(self) -> None:
        """Put an engine of the settings as they are now in force; nothing if memory is not open.

        Turns under way keep the old one, which works on the same files; only its background
        jobs stop. What `assemble` raises leaves everything as it was.
        """
        async with self._changing:
            if self._opened is None or self._engine is None:
                return
            engine = await self._assemble(self._opened)
            old, self._engine = self._engine, engine
            self._leaving.later(old.finish)
            try:
                await old.stop()
            finally:
                engine.start()

    async def reopen(self) -> None:
        """Close everything and open it anew, from the files as they are then.

        There is no memory meanwhile: who asks for it waits as at the start. Raises what the
        first attempt at opening failed by; further ones follow.
        """
        async with self._changing:
            if self._opened is None:
                return
            self._tried.clear()
            try:
                await self._close()
            finally:
                if not self._over:
                    self.begin()
        await self._tried.wait()
        if self.problem is not None:
            raise self.problem

    def lost(self) -> None:
        """What is open belongs to another process now: let go of it and wait for it as at first.

        From any thread; any number of times.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        if self._leaving_others is None or self._leaving_others.done():
            self._leaving_others = asyncio.create_task(self._left(), name="tidemark:lost")

    async def _left(self) -> None:
        try:
            await self.reopen()
        except (TidemarkError, OSError) as error:
            logger.warning("[tidemark] memory was closed, another process has it: %s", error)

    async def repair(self, step: Callable[[], Awaitable[None]]) -> Exception | None:
        """While memory cannot be opened, do something to its files and try anew at once.

        Nothing is opened meanwhile. By what opening then failed; None once it is open. Raises what
        `step` raises.
        """
        async with self._changing:
            assert self._opened is None, "memory is open"
            await self._stop_opening()
            try:
                await step()
            finally:
                if not self._over:
                    self._tried.clear()
                    self.begin()
        await self._tried.wait()
        return self.problem

    async def end(self) -> None:
        """Stop opening, close what is open. Idempotent."""
        self._over = True
        if self._leaving_others is not None:
            await asyncio.gather(self._leaving_others, return_exceptions=True)
        await self._stop_opening()
        async with self._changing:
            await self._close()
        gc.unfreeze()

    async def _stop_opening(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)

    async def _close(self) -> None:
        engine, self._engine, self._opened = self._engine, None, None
        if engine is not None:
            self._stack.push_async_callback(engine.finish)
        self._stack.push_async_callback(self._leaving.aclose)
        await self._stack.aclose()

    async def _open(self) -> None:
        for pause in chain(RETRY, repeat(RETRY[-1])):
            if await self._attempt():
                return
            held = isinstance(self.problem, StorageError) and self.problem.fault is Fault.HELD
            await asyncio.sleep(min(pause, TURN_SECONDS) if held else pause)

    async def _attempt(self) -> bool:
        """Whether no further attempt is needed, or of use. Without memory the chat goes on."""
        try:
            async with AsyncExitStack() as stack:
                opened = await self._open_files(stack)
                engine = await self._assemble(opened)
                engine.start()
                self._stack = stack.pop_all()
            self._opened, self._engine, self.problem = opened, engine, None
        except Exception as error:  # noqa: BLE001 - without memory the chat goes on
            self.problem = error
            expected = isinstance(error, (TidemarkError, OSError))
            lines = [f"{type(error).__name__}: {error}"]
            lines += [] if expected else format_exception(error)
            logger.error("[tidemark] memory could not be opened: %s", masked("\n".join(lines)))
            return isinstance(error, SchemaTooNew)
        else:
            return True
        finally:
            self._tried.set()
