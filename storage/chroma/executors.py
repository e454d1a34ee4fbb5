"""The threads that wait for Chroma in place of the event loop: one that writes, a few that read."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from ...core.model.errors import StorageError
from ...core.records.cancellation import uninterrupted
from ..threads import OwnThread

READERS = 4


class Executors:
    """Runs blocking work. Released by `close`."""

    def __init__(self) -> None:
        self._writer = OwnThread("tidemark chroma writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="tidemark chroma reader")
        self._lock = asyncio.Lock()
        self._loads: set[asyncio.Task[object]] = set()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    async def open[T](self, work: Callable[[ExitStack], T]) -> T:
        """Work on the writer's thread; what it puts on the stack is closed there, as the last."""
        opened = self._writer.opened
        try:
            result = await uninterrupted(self._writer.run(lambda: work(opened)))
        except BaseException:
            await self.close()
            raise
        opened.callback(self._readers.shutdown)
        return result

    async def write[T](self, work: Callable[[], T]) -> T:
        """One change after the other; one that has begun goes on to its end if cancelled."""
        async with self._lock:
            self._refuse_if_closed()
            return await uninterrupted(self._writer.run(work))

    async def load[T](self, work: Callable[[], T]) -> T:
        """Work that must see no change half done. A cancelled caller leaves it running."""
        task = asyncio.create_task(self.write(work))
        self._loads.add(task)
        task.add_done_callback(self._loaded)
        return await asyncio.shield(task)

    async def read[T](self, work: Callable[[], T]) -> T:
        """Work beside the writer. A cancelled caller does not wait for its end."""
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def close(self) -> None:
        """Wait for running work, then close what was opened. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await uninterrupted(self._writer.end())

    def _loaded(self, task: asyncio.Task[object]) -> None:
        self._loads.discard(task)
        if not task.cancelled():
            # Its caller may be gone; the next one meets the same error.
            task.exception()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageError("the Chroma store is closed")
