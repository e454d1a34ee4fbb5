"""multilingual-e5-small on this machine, in threads of its own."""

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...model.errors import EmbeddingUnavailable
from ...ports import EmbedderIdentity, Vector
from ...similarity.matrix_product import Floats
from ..checks import unit_vectors
from ..onnx.session import runtime_installed
from ..threads import EmbeddingThreads
from .files import NAME, ModelFileState, checksum_file, status, weights_file
from .install import WEIGHTS_SHA256
from .model import Model, Prefix
from .weights import load

type _Stamp = tuple[tuple[int, int] | bool | None, ...]

DIMENSION = 384
UNRELATED = 0.84
UNRELATED_LATIN = 0.77
"""Mean cosine of unrelated Chinese sentences; of unrelated English ones it is .73."""

INSTALL_HINT = "an admin installs it with /memory embedder install"

# The number changes with the prefixes, the tokenizer and the cut.
IDENTITY = EmbedderIdentity(
    "local", f"{NAME}.1-{WEIGHTS_SHA256[:8]}", DIMENSION, UNRELATED, UNRELATED_LATIN
)


class LocalEmbedder:
    """Embedder over the weights in `folder`, loaded at the first use and kept (about 150 MB).

    Texts are cut at 256 tokens. onnxruntime runs the layers, on one thread for documents and one
    for queries. `hint` ends the message of what is not installed. The owner ends it with `aclose`.
    """

    def __init__(self, folder: Path, hint: str = INSTALL_HINT) -> None:
        self._folder = folder
        self._hint = hint
        self._threads = EmbeddingThreads("tidemark-local")
        self._model: Model | None = None
        self._problem: tuple[_Stamp, str] | None = None

    async def identity(self) -> EmbedderIdentity:
        """The same for every instance. Loads the model, so that no query has to wait for that."""
        if self._model is None:
            await self._threads.document(self._loaded)
        return IDENTITY

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of texts to be found."""
        if not texts:
            return []
        given = tuple(texts)
        batches = await self._threads.document(
            lambda: self._loaded().batches(given, Prefix.DOCUMENT)
        )
        rows = np.empty((len(given), DIMENSION), np.float32)
        for batch in batches:
            rows[list(batch.places)] = await self._threads.document(
                lambda ids=batch.ids: self._loaded().vectors(ids)
            )
        return _checked(rows)

    async def embed_query(self, text: str) -> Vector:
        """The vector of a text to search with."""
        await self.identity()
        return _checked(await self._threads.query(lambda: self._query(text)))[0]

    async def aclose(self) -> None:
        """Wait for the batch in work and end the threads. Idempotent; later calls raise."""
        await self._threads.aclose()
        self._model = None

    def _query(self, text: str) -> Floats:
        model = self._loaded()
        return model.vectors([model.tokens(text, Prefix.QUERY)])

    def _loaded(self) -> Model:
        """The model; what is not loaded yet is so only in the documents' thread."""
        if self._model is None:
            stamp = _stamp(self._folder)
            # A file that was refused is not read again until it changes.
            if self._problem is not None and self._problem[0] == stamp:
                raise EmbeddingUnavailable(self._problem[1])
            try:
                self._model = _model(self._folder, self._hint)
            except EmbeddingUnavailable as error:
                self._problem = (stamp, str(error))
                raise
        return self._model


def _checked(rows: Floats) -> list[Vector]:
    return unit_vectors(rows, count=len(rows), source="the local model", dimension=DIMENSION)


def _model(folder: Path, hint: str) -> Model:
    if not runtime_installed():
        raise EmbeddingUnavailable(f"onnxruntime is not installed: {hint}")
    found = status(folder)
    if found is not ModelFileState.READY:
        raise EmbeddingUnavailable(f"{weights_file(folder).name} is {found}: {hint}")
    try:
        return Model(load(weights_file(folder)))
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise EmbeddingUnavailable(
            f"{weights_file(folder).name} is not the model ({error}): {hint}"
        ) from error


def _stamp(folder: Path) -> _Stamp:
    """What decides whether the model loads: the runtime, and size and time of the files."""
    return runtime_installed(), *map(_size_and_time, (weights_file(folder), checksum_file(folder)))


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
