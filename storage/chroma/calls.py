"""The threads that wait for Chroma in place of the event loop: one that writes, a few that read."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from ...core.model.errors import StorageError
from ...core.records.cancellation import uninterrupted
from ..connections import OwnThread
from .faults import CollectionGone
from .namespace import Namespace
from .writing import RecordWriter

logger = logging.getLogger(__name__)

READERS = 4


class Calls:
    """Runs blocking work. What it could not read is set aside before it returns.

    Until `begin` it opens; released by `close`.
    """

    def __init__(self) -> None:
        self._writer = OwnThread("tidemark chroma writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="tidemark chroma reader")
        self._lock = asyncio.Lock()
        self._loads: set[asyncio.Task[object]] = set()
        self._records: tuple[Namespace, RecordWriter] | None = None
        self.closed = False
        """Whether `close` was called."""

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

    def begin(self, namespace: Namespace, records: RecordWriter) -> None:
        """From now on what cannot be read is set aside, and what is gone looked for again."""
        self._records = (namespace, records)

    async def read[T](self, work: Callable[[], T]) -> T:
        """Work beside the writer. A cancelled caller does not wait for its end."""
        return await self._done(lambda: self.look(work))

    async def look[T](self, work: Callable[[], T]) -> T:
        """The same of what is no record."""
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def write[T](self, work: Callable[[], T]) -> T:
        """One change after the other; one that has begun goes on to its end if cancelled.

        `work` may be done again after it has failed half-way.
        """
        return await self._done(lambda: self._written(work))

    async def load[T](self, work: Callable[[], T]) -> T:
        """Work that must see no change half done. A cancelled caller leaves it running."""
        task = asyncio.create_task(self.write(work))
        self._loads.add(task)
        task.add_done_callback(self._loaded)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for running work, then close what was opened. Idempotent."""
        if not self.closed:
            self.closed = True
            await uninterrupted(self._writer.end())

    async def _written[T](self, work: Callable[[], T]) -> T:
        async with self._lock:
            self._refuse_if_closed()
            return await uninterrupted(self._writer.run(work))

    async def _done[T](self, run: Callable[[], Awaitable[T]]) -> T:
        """What comes of the work; done again if a collection was gone that can be done without."""
        if self._records is None:
            return await run()
        namespace, records = self._records
        try:
            result = await run()
        except CollectionGone as error:
            logger.warning("%s", error)
            await self._written(records.look_again)
            result = await run()
        doubts, lost = namespace.found()
        if doubts or lost:
            try:
                await self._written(lambda: records.set_aside(doubts, lost))
            except StorageError as error:
                logger.warning("what cannot be read stays where it is: %s", error)
        return result

    def _loaded(self, task: asyncio.Task[object]) -> None:
        self._loads.discard(task)
        if not task.cancelled():
            # Its caller may be gone; the next one meets the same error.
            task.exception()

    def _refuse_if_closed(self) -> None:
        if self.closed:
            raise StorageError("the Chroma store is closed")
