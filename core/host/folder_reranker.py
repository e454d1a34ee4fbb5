"""A reranker over a model folder of the owner's, in the layout of a cross-encoder."""

import asyncio
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..embedding.batching import batches
from ..embedding.folder.embedder import AT_ONCE
from ..embedding.folder.layout import read_layout
from ..embedding.folder.network import LOGITS, LONGEST_PAIR, FolderNetwork
from ..endpoints.circuit_breaker import Breaker
from ..model.errors import EmbeddingUnavailable, RerankResting, RerankUnavailable
from ..recall.rerank_scores import sound_scores


class FolderReranker:
    """Loaded at the first use and kept; onnxruntime on one thread.

    Whoever calls sets the time limit: one that is cancelled stops after the batch it is in, and
    counts as a failure; after some in a row nothing is asked for a while. What is refused stays
    refused until the reranker is made anew. The owner ends it with `aclose`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tidemark-reranker")
        self._network: FolderNetwork | None = None
        self._problem = ""
        self._breaker = Breaker()

    async def rerank(self, query: str, documents: Sequence[str]) -> list[float | None]:
        """Scores 0..1 in the order of the documents: logits through the logistic function."""
        if not documents:
            return []
        if not self._breaker.admits(time.monotonic()):
            raise RerankResting(f"{self._source} has failed again and again")
        given_up, given = threading.Event(), tuple(documents)
        loop = asyncio.get_running_loop()
        try:
            judged = await loop.run_in_executor(
                self._thread, lambda: self._judged(query, given, given_up)
            )
            scores = sound_scores(
                enumerate(judged), count=len(given), source=self._source, logits=True
            )
        except (EmbeddingUnavailable, MemoryError, RuntimeError) as error:
            self._breaker.failed(time.monotonic())
            raise RerankUnavailable(f"{self._source}: {error}") from error
        except (RerankUnavailable, asyncio.CancelledError):
            self._breaker.failed(time.monotonic())
            raise
        finally:
            given_up.set()
        self._breaker.succeeded()
        return list(scores.values)

    async def aclose(self) -> None:
        """Wait for the batch in work and end the thread. Idempotent; later calls raise."""
        await asyncio.to_thread(self._thread.shutdown)
        self._network = None

    @property
    def _source(self) -> str:
        return f"the reranker in {self._folder.name}"

    def _judged(
        self, query: str, documents: Sequence[str], given_up: threading.Event
    ) -> list[float]:
        network = self._loaded()
        pairs = [network.pair(query, text) for text in documents]
        found = [0.0] * len(pairs)
        for places in batches([len(each.ids) for each in pairs], AT_ONCE):
            if given_up.is_set():
                raise EmbeddingUnavailable("nobody waits for this any longer")
            logits = network.logits([pairs[place] for place in places])
            for place, logit in zip(places, logits, strict=True):
                found[place] = logit
        return found

    def _loaded(self) -> FolderNetwork:
        if self._problem:
            raise EmbeddingUnavailable(self._problem)
        if self._network is None:
            try:
                self._network = FolderNetwork(read_layout(self._folder), LOGITS, LONGEST_PAIR)
            except EmbeddingUnavailable as error:
                self._problem = str(error)
                raise
        return self._network
