"""Replaces resources when settings change, and keeps the old ones for turns under way."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

LINGER = 60.0
"""Seconds for which what was replaced stays usable; longer than any turn waits for memory."""

type Close = Callable[[], Awaitable[None]]


class Closable(Protocol):
    """Something to be closed; closing it twice is harmless."""

    async def aclose(self) -> None:
        """Release everything."""
        ...


class Lingering:
    """Closes what has been replaced after `linger` seconds, or when it is closed itself."""

    def __init__(self, linger: float = LINGER) -> None:
        self._linger = linger
        self._waiting: dict[asyncio.Task[None], Close] = {}

    def later(self, close: Close) -> None:
        """Call `close` once nothing under way can still be using what it closes."""
        task = asyncio.create_task(self._wait(close), name="tidemark:linger")
        self._waiting[task] = close
        task.add_done_callback(self._waiting.pop)

    async def aclose(self) -> None:
        """Close everything that still waits, now."""
        waiting = dict(self._waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for task, close in waiting.items():
            if task.cancelled():
                await close()

    async def _wait(self, close: Close) -> None:
        await asyncio.sleep(self._linger)
        await close()


class Renewed[S, T: Closable]:
    """One resource made from settings, and made anew when they have changed."""

    def __init__(self, make: Callable[[S], T], linger: float = LINGER) -> None:
        self._make = make
        self._made: tuple[S, T] | None = None
        self._leaving = Lingering(linger)

    def under(self, settings: S) -> T:
        """The one in force if it was made from equal settings, else a new one."""
        if self._made is not None:
            before, made = self._made
            if before == settings:
                return made
            self._leaving.later(made.aclose)
        made = self._make(settings)
        self._made = settings, made
        return made

    async def aclose(self) -> None:
        """Close it, and those that it has replaced."""
        await self._leaving.aclose()
        if self._made is not None:
            await self._made[1].aclose()
