"""Work that goes on behind the calls, one run at a time."""

import asyncio
from abc import abstractmethod


class Background:
    """Owns its task. Whoever made it closes it, before what it works on; a later start goes on."""

    _task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Begin, unless that is under way. Returns at once."""
        if not self.running:
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
