"""An embedder over a model folder of the owner's."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...model.errors import EmbeddingUnavailable
from ...ports import EmbedderIdentity, Vector
from ..batching import batches
from ..calibrator import PAIRS
from ..checks import unit_vectors
from ..threads import EmbeddingThreads
from .layout import read_layout
from .network import FolderNetwork
from .tokens import Encoded

PROVIDER = "folder"
SAME_VECTOR = 0.9999
AT_ONCE = 512
"""Tokens of a batch, with their padding: what bounds the memory that a batch takes."""

_PROBES = tuple(memory for pairs in PAIRS.values() for _, memory in pairs[:2])


class FolderEmbedder:
    """Loaded at the first use and kept; onnxruntime on one thread, queries on one of their own.

    What is refused stays refused until the embedder is made anew. The owner ends it with `aclose`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads = EmbeddingThreads("tidemark-folder")
        self._network: FolderNetwork | None = None
        self._identity: EmbedderIdentity | None = None
        self._problem = ""

    async def identity(self) -> EmbedderIdentity:
        """Name and digest of the folder's files. Loads them, and tests the network."""
        if self._identity is None:
            await self._threads.document(self._loaded)
        assert self._identity is not None
        return self._identity

    @property
    def network(self) -> FolderNetwork | None:
        """Once it is loaded."""
        return self._network

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Shortest first, in batches of similar length."""
        given = tuple(texts)
        encoded = await self._threads.document(lambda: self._encoded(given))
        made: list[Vector | None] = [None] * len(given)
        for places in batches([len(each.ids) for each in encoded], AT_ONCE):
            some = [encoded[place] for place in places]
            found = await self._threads.document(
                lambda some=some: self._vectors(self._loaded(), some)
            )
            for place, vector in zip(places, found, strict=True):
                made[place] = vector
        return [vector for vector in made if vector is not None]

    async def embed_query(self, text: str) -> Vector:
        """While documents are embedded, beside them."""
        await self.identity()
        return (await self._threads.query(lambda: self._query(text)))[0]

    async def aclose(self) -> None:
        """Wait for the batch in work and end the threads. Idempotent; later calls raise."""
        await self._threads.aclose()
        self._network = None

    def _encoded(self, texts: Sequence[str]) -> list[Encoded]:
        network = self._loaded()
        return [network.tokens(text, query=False) for text in texts]

    def _query(self, text: str) -> list[Vector]:
        network = self._loaded()
        return self._vectors(network, [network.tokens(text, query=True)])

    def _vectors(self, network: FolderNetwork, texts: Sequence[Encoded]) -> list[Vector]:
        known = self._identity
        return unit_vectors(
            network.vectors(texts),
            count=len(texts),
            source=f"the model in {self._folder.name}",
            dimension=known.dimension if known else None,
        )

    def _loaded(self) -> FolderNetwork:
        if self._problem:
            raise EmbeddingUnavailable(self._problem)
        if self._network is None or self._identity is None:
            try:
                self._network = FolderNetwork(read_layout(self._folder))
                self._identity = self._tested(self._network)
            except EmbeddingUnavailable as error:
                self._network, self._problem = None, str(error)
                raise
        return self._network

    def _tested(self, network: FolderNetwork) -> EmbedderIdentity:
        """Different texts have different vectors, and a batch gives what each gives alone."""
        probes = [network.tokens(text, query=False) for text in _PROBES]
        together = self._vectors(network, probes)
        alone = [self._vectors(network, [each])[0] for each in probes]
        rows = np.stack(together)
        if float((rows @ rows.T).min()) > SAME_VECTOR:
            raise EmbeddingUnavailable("the network makes the same vector of different texts")
        if min(float(a @ b) for a, b in zip(together, alone, strict=True)) < 0.99:
            raise EmbeddingUnavailable("the network makes another vector of a text in a batch")
        layout = network.layout
        return EmbedderIdentity(PROVIDER, f"{layout.name}-{layout.digest}", len(together[0]))
