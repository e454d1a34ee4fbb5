"""The threads in which a model on this machine embeds."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..model.errors import EmbeddingUnavailable


class EmbeddingThreads:
    """One thread for documents, one for queries, which need not wait for documents."""

    def __init__(self, name: str) -> None:
        self._documents = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-documents")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-query")
        self._closed = False

    async def document[T](self, work: Callable[[], T]) -> T:
        """Do it behind the documents that wait. Raises EmbeddingUnavailable."""
        return await self._run(self._documents, work)

    async def query[T](self, work: Callable[[], T]) -> T:
        """Do it beside the documents. Raises EmbeddingUnavailable."""
        return await self._run(self._queries, work)

    async def aclose(self) -> None:
        """Wait for what is in work. Idempotent; later calls raise."""
        self._closed = True
        for thread in (self._documents, self._queries):
            await asyncio.to_thread(thread.shutdown)

    async def _run[T](self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._closed:
            raise EmbeddingUnavailable("the embedder is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        except MemoryError as error:
            raise EmbeddingUnavailable("not enough memory for the model") from error
