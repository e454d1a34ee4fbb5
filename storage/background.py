"""Work of one database that goes on behind the calls, one run at a time."""

import asyncio
from abc import abstractmethod

from .connections import Database


class Background:
    """Owns its task. Whoever made it closes it, before the file; a later start goes on."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, unless that is under way. Returns at once."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def done(self) -> None:
        """Wait until it has come to its end."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def aclose(self) -> None:
        """Cut it short. Idempotent."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    @abstractmethod
    async def _run(self) -> None: ...
