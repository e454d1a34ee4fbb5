"""Work that goes on behind the calls, runs to its end, or goes on without an answer."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable

from ..model.errors import StorageError


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


HURRY_SECONDS = 0.005
"""How often a cancelled step is hastened until it ends."""


def in_thread[**P, T](work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    """`asyncio.to_thread` as a future: begun at once, not cancelled with the loop's tasks."""
    return asyncio.get_running_loop().run_in_executor(None, lambda: work(*args, **kwargs))


async def uninterrupted[T](
    step: asyncio.Future[T], *, hasten: Callable[[], object] | None = None
) -> T:
    """Wait for `step` to its end even if the caller is cancelled; the cancellation follows it.

    `hasten` is called again and again from the cancellation to the end: what it interrupts may
    only just be about to begin.
    """
    cancelled: asyncio.CancelledError | None = None
    while not step.done():
        hurry = cancelled is not None and hasten is not None
        try:
            await asyncio.wait({step}, timeout=HURRY_SECONDS if hurry else None)
        except asyncio.CancelledError as error:
            cancelled = error
        if cancelled is not None and hasten is not None:
            hasten()
    if cancelled is not None:
        if not step.cancelled():
            step.exception()
        try:
            raise cancelled
        finally:
            # Its traceback holds this frame: a cycle.
            del cancelled
    return step.result()


async def spared[T](work: Awaitable[T], otherwise: T, note: Callable[[StorageError], object]) -> T:
    """The result of the work; `otherwise` if what it reads fails, which is noted."""
    try:
        return await work
    except StorageError as error:
        note(error)
        return otherwise
