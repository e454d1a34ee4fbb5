"""An embedder whose network runs on this machine: its threads, and the batches they are given."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.errors import EmbeddingUnavailable
from ..ports import EmbedderIdentity, Vector
from .cached import unit_vectors


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


class Network[T: Sized](Protocol):
    """Makes tokens, and vectors of them. Every method may run in any thread."""

    def tokens(self, text: str, *, query: bool) -> T:
        """Of a text to search with, or of one to be found."""
        ...

    def vectors(self, texts: Sequence[T], /) -> NDArray[Any]:
        """One for each text. Raises EmbeddingUnavailable."""
        ...


class LoadedEmbedder[T: Sized, N: Network[Any]](ABC):
    """Loaded at the first use and kept; runs on one thread for documents and one for queries.

    `at_once` tokens, with their padding, are a batch: what bounds the memory that it takes. What
    is refused stays refused while the `stamp` is the same. The owner ends it with `aclose`.
    """

    at_once: int
    source: str
    """Of what the vectors are, in messages."""

    def __init__(self, name: str) -> None:
        self._threads = EmbeddingThreads(name)
        self._ready: tuple[N, EmbedderIdentity] | None = None
        self._problem: tuple[object, str] | None = None

    @abstractmethod
    def load(self) -> tuple[N, EmbedderIdentity]:
        """The network, and what it makes. Raises EmbeddingUnavailable."""

    def stamp(self) -> object:
        """What decides whether it loads, if that may change."""
        return None

    @property
    def network(self) -> N | None:
        """Once it is loaded."""
        return None if self._ready is None else self._ready[0]

    async def identity(self) -> EmbedderIdentity:
        """What it makes. Loads it, so that no query has to wait for that."""
        return (self._ready or await self._threads.document(self._loaded))[1]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of texts to be found: shortest first, in batches of similar length."""
        given = tuple(texts)
        network, _ = await self._threads.document(self._loaded)
        tokens: list[T] = await self._threads.document(
            lambda: [network.tokens(text, query=False) for text in given]
        )
        made: dict[int, Vector] = {}
        for places in batches([len(each) for each in tokens], self.at_once):
            some = [tokens[place] for place in places]
            found = await self._threads.document(lambda some=some: self._vectors(some))
            made.update(zip(places, found, strict=True))
        return [made[place] for place in range(len(given))]

    async def embed_query(self, text: str) -> Vector:
        """The vector of a text to search with, beside documents that are embedded."""
        await self.identity()
        return (await self._threads.query(lambda: self._query(text)))[0]

    async def aclose(self) -> None:
        """Wait for the batch in work and end the threads. Idempotent; later calls raise."""
        await self._threads.aclose()
        self._ready = None

    def _query(self, text: str) -> list[Vector]:
        network, _ = self._loaded()
        return self._vectors([network.tokens(text, query=True)])

    def _vectors(self, tokens: Sequence[T]) -> list[Vector]:
        network, identity = self._loaded()
        return unit_vectors(
            network.vectors(tokens),
            count=len(tokens),
            source=self.source,
            dimension=identity.dimension,
        )

    def _loaded(self) -> tuple[N, EmbedderIdentity]:
        """What is not loaded yet is so only in the documents' thread."""
        if self._ready is None:
            stamp = self.stamp()
            if self._problem is not None and self._problem[0] == stamp:
                raise EmbeddingUnavailable(self._problem[1])
            try:
                self._ready = self.load()
            except EmbeddingUnavailable as error:
                self._problem = (stamp, str(error))
                raise
        return self._ready
