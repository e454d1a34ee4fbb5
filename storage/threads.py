"""A thread that owns what it uses: opened, used and closed there, in that order.

A handle that is closed under the thread that uses it takes the process with it. How its end is
waited for: `core/records/cancellation.py`.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

from ..core.records.cancellation import in_thread


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
