"""multilingual-e5-small on this machine, in one thread of its own."""

import asyncio
import os
import threading
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np

from ...model.errors import EmbeddingUnavailable
from ...ports import EmbedderIdentity, Vector
from ...queue.worker import Report
from ...similarity.matrix_product import Floats
from ..checks import unit_vectors
from ..onnx.session import open_session, runtime_installed
from .conversion import NetworkUnfit, check_layers
from .files import NAME, ModelFileState, checksum_file, network_file, state_of, status, weights_file
from .install import WEIGHTS_SHA256
from .model import Model, Prefix, TokenBatch
from .weights import load

type _Stamp = tuple[tuple[int, int] | None, ...]

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
    """Embedder over the weights in `folder`, loaded at the first use and kept (about 200 MB).

    Texts are cut at 256 tokens. Where onnxruntime is installed and the layers are converted for
    it, it runs them, on one thread; queries have a thread of their own then. Otherwise numpy does:
    documents are handed to the thread a layer of a batch at a time, so that a query waits for one
    layer at most, and a cancelled query goes no further than the layer it is in. The vectors mean
    the same. `hint` ends the message of what is not installed; `failed` is told of a converted
    network that numpy has to stand in for. The owner ends it with `aclose`.
    """

    def __init__(
        self, folder: Path, hint: str = INSTALL_HINT, failed: Report | None = None
    ) -> None:
        self._folder = folder
        self._hint = hint
        self._failed = failed
        self._unfit: NetworkUnfit | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tidemark-embedding")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="tidemark-query")
        self._model: Model | None = None
        self._network: _Stamp = (None,)
        self._problem: tuple[_Stamp, str] | None = None
        self._closed = False

    @property
    def by_onnxruntime(self) -> bool:
        """Whether onnxruntime runs the loaded model."""
        return self._model is not None and not self._model.in_steps

    async def identity(self) -> EmbedderIdentity:
        """The same for every instance. Loads the model, so that no query has to wait for that."""
        if self._model is None:
            await self._run(self._loaded)
        elif _network_stamp(self._folder) != self._network:
            await self._run(self._load)
        return IDENTITY

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of texts to be found."""
        if not texts:
            return []
        given = tuple(texts)
        batches = await self._run(lambda: self._loaded().batches(given, Prefix.DOCUMENT))
        rows = np.empty((len(given), DIMENSION), np.float32)
        for batch in batches:
            rows[list(batch.places)] = await self._embedded(batch)
        return _checked(rows)

    async def embed_query(self, text: str) -> Vector:
        """The vector of a text to search with."""
        given_up = threading.Event()
        try:
            thread = self._queries if self.by_onnxruntime else self._thread
            return _checked(await self._run(lambda: self._query(text, given_up), thread))[0]
        finally:
            given_up.set()

    async def aclose(self) -> None:
        """Wait for the batch in work and end the threads. Idempotent; later calls raise."""
        self._closed = True
        for thread in (self._thread, self._queries):
            await asyncio.to_thread(thread.shutdown)
        self._model = None

    async def _embedded(self, batch: TokenBatch) -> Floats:
        passing = await self._run(lambda: self._loaded().begin(batch.ids))
        while (made := await self._run(passing.advance)) is None:
            pass
        return made

    def _query(self, text: str, given_up: threading.Event) -> Floats:
        model = self._loaded()
        passing = model.begin([model.tokens(text, Prefix.QUERY)])
        while (made := passing.advance()) is None:
            if given_up.is_set():
                raise EmbeddingUnavailable("nobody waits for this query any longer")
        return made

    async def _run[Result](
        self, work: Callable[[], Result], thread: ThreadPoolExecutor | None = None
    ) -> Result:
        if self._closed:
            raise EmbeddingUnavailable("the local embedder is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(thread or self._thread, work)
        except MemoryError as error:
            raise EmbeddingUnavailable("not enough memory for the local model") from error
        finally:
            unfit, self._unfit = self._unfit, None
            if unfit is not None and self._failed is not None:
                self._failed("local_model", unfit)

    def _loaded(self) -> Model:
        """The model; what is not loaded yet is so only in the one thread."""
        if self._model is None:
            stamp = _stamp(self._folder)
            # A file that was refused is not read again until it changes.
            if self._problem is not None and self._problem[0] == stamp:
                raise EmbeddingUnavailable(self._problem[1])
            try:
                return self._load()
            except EmbeddingUnavailable as error:
                self._problem = (stamp, str(error))
                raise
        return self._model

    def _load(self) -> Model:
        """Anew, also after the layers were converted for onnxruntime."""
        self._network = _network_stamp(self._folder)
        self._model, self._unfit = _model(self._folder, self._hint)
        if self._unfit is not None:
            self._network = _network_stamp(self._folder)
        return self._model


def _checked(rows: Floats) -> list[Vector]:
    return unit_vectors(rows, count=len(rows), source="the local model", dimension=DIMENSION)


def _model(folder: Path, hint: str) -> tuple[Model, NetworkUnfit | None]:
    found = status(folder)
    if found is not ModelFileState.READY:
        raise EmbeddingUnavailable(f"{weights_file(folder).name} is {found}: {hint}")
    try:
        converted = _converted(folder)
        if isinstance(converted, Model):
            return converted, None
        return Model(load(weights_file(folder))), converted
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise EmbeddingUnavailable(
            f"{weights_file(folder).name} is not the model ({error}): {hint}"
        ) from error


def _converted(folder: Path) -> Model | NetworkUnfit | None:
    """The model by onnxruntime; None where that, or a network for it, is not to be had.

    One that makes other vectors on this processor is removed: it can be converted again.
    """
    file = network_file(folder)
    state = state_of(file)
    if not runtime_installed() or state is ModelFileState.MISSING:
        return None
    if state is ModelFileState.DAMAGED:
        return NetworkUnfit(f"{file.name} is damaged")
    try:
        model = Model(load(weights_file(folder), layers=False), open_session(file))
    except EmbeddingUnavailable as error:
        return NetworkUnfit(str(error))
    try:
        check_layers(model, folder)
    except EmbeddingUnavailable as error:
        with suppress(OSError):
            file.unlink(missing_ok=True)
        return NetworkUnfit(str(error))
    return model


def _stamp(folder: Path) -> _Stamp:
    """Size and time of the files that decide whether the model loads."""
    return tuple(_size_and_time(file(folder)) for file in (weights_file, checksum_file))


def _network_stamp(folder: Path) -> _Stamp:
    return (_size_and_time(network_file(folder)),)


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
