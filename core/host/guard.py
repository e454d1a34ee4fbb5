"""The guard round host hooks: whatever fails or hangs in memory, the chat goes on.

One of the two places that catch everything.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from traceback import format_exception
from typing import Any

from astrbot.api import logger

from ..model.errors import Incident, masked
from ..settings import Problem

type Count = Callable[[str, BaseException], Incident]


class Guard:
    """Runs the work of hooks and owns what of it is late. `settle` it before closing memory."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._running: set[asyncio.Task[Any]] = set()

    def own[T](self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task of its own for `work`, which outlives whoever waits for it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def run[T](
        self,
        place: str,
        session: str,
        work: Awaitable[T],
        *,
        patience: float | None = None,
        on_failure: Callable[[Exception], T] | None = None,
    ) -> T | None:
        """The result. After a failure, which is logged the first time and every hundredth, None
        or what `on_failure` makes of it.

        None as well after `patience` seconds. The work then goes on: cancelling it would mean
        waiting for a disk that does not answer, and what was said is still to be recorded.
        """
        task = self.own(self._guarded(place, session, work, on_failure))
        await asyncio.wait({task}, timeout=patience)
        if task.done():
            return None if task.cancelled() else task.result()
        self._failed(place, session, TimeoutError(f"not done within {patience:g} s"))
        return None

    async def settle(self, seconds: float) -> None:
        """Give late work some time, then cancel it."""
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=seconds)
            for task in late:
                task.cancel()

    async def _guarded[T](
        self,
        place: str,
        session: str,
        work: Awaitable[T],
        on_failure: Callable[[Exception], T] | None,
    ) -> T | None:
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - memory must never break a chat
            self._failed(place, session, error)
            return None if on_failure is None else on_failure(error)

    def _failed(self, place: str, session: str, error: Exception) -> None:
        incident = self._count(place, error)
        if incident.count == 1 or incident.count % 100 == 0:
            logger.warning(
                "[tidemark] %s failed in %s (%d times so far): %s\n%s",
                place,
                session,
                incident.count,
                incident.text,
                masked("".join(format_exception(error))),
            )


def log(text: str, error: BaseException) -> None:
    """One line in the host's log, without the keys a failure may repeat."""
    logger.warning("[tidemark] %s: %s: %s", text, type(error).__name__, masked(str(error)))


def tell(problems: Iterable[Problem]) -> None:
    """Settings that cannot be used, in the host's log."""
    for problem in problems:
        logger.warning("[tidemark] setting ignored: %s", problem)
