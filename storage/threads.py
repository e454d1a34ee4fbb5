"""Threads that own what they use: it is opened, used and closed there, in that order.

A handle that is closed under the thread that uses it takes the process with it. The end of the
event loop cancels every task, also one that does nothing but wait for a thread: what must be
waited for is therefore a future of the thread, never a task.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

HURRY_SECONDS = 0.005
"""How often a cancelled step is hastened until it ends."""


class OwnThread:
    """One thread and what was opened in it. Whoever made it ends it."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._closing: Future[None] | None = None
        self.opened = ExitStack()
        """Closed in the thread, at its end: for work in the thread to add to."""

    def run[T](self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Do `work` in the thread, after all it was given before."""
        return asyncio.get_running_loop().run_in_executor(self._executor, work)

    def end(self) -> asyncio.Future[None]:
        """Close what was opened, after all work; done when the thread is over. Idempotent."""
        if self._closing is None:
            self._closing = self._executor.submit(self.opened.close)
            self._executor.shutdown(wait=False)
        return in_thread(self._ended, self._closing)

    def _ended(self, closing: Future[None]) -> None:
        self._executor.shutdown()
        closing.result()


def in_thread[**P, T](work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    """`asyncio.to_thread` as a future: begun at once, not ended by the end of the event loop."""
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
