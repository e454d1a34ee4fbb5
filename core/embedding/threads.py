"""The threads in which a model on this machine embeds, and the batches they are given."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

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


type Whole = NDArray[np.int64]


def batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Places of texts, shortest first: at most `most` tokens with their padding, or one text."""
    found: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if found and (len(found[-1]) + 1) * lengths[place] <= most:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def padded(rows: Sequence[Sequence[int]], filling: int) -> tuple[Whole, Whole]:
    """Rows [texts, longest] of one length, and 1 where they are not filled up."""
    longest = max(map(len, rows))
    filled = np.full((len(rows), longest), filling, np.int64)
    mask = np.zeros(filled.shape, np.int64)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return filled, mask
