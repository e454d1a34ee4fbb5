"""Choosing the chat model, embedder and reranker anew at each use, by the settings."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from astrbot.api.star import Context

from ..actions.context import Installation, local_installation
from ..embedding.cached import CachedEmbedder
from ..embedding.folder.embedder import AT_ONCE, LOGITS, LONGEST_PAIR, FolderEmbedder, FolderNetwork
from ..embedding.folder.layout import read_layout
from ..embedding.hashed import HashedEmbedder
from ..embedding.local.install import weights_file
from ..embedding.local.model import LocalEmbedder
from ..embedding.onnx.session import runtime_installed
from ..embedding.threads import batches
from ..endpoints.chat import EndpointChatModel
from ..endpoints.embedding import EndpointEmbedder
from ..model.errors import EmbeddingUnavailable, RerankUnavailable
from ..ports import ChatModel, Embedder, Reranker
from ..recall.rerank import sound_scores
from ..settings import EmbeddingSettings, LearningSettings, RecallSettings
from ..transfer.data_folder import DataFolder
from .providers import (
    HostChatModel,
    HostEmbedder,
    HostReranker,
    RestingReranker,
    first_embedding_provider,
    has_chat_provider,
)
from .renewal import Renewed


class FolderReranker(RestingReranker):
    """Loaded at the first use and kept; onnxruntime on one thread.

    One that is cancelled stops after the batch it is in. What is refused stays refused until the
    reranker is made anew. The owner ends it with `aclose`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the reranker in {folder.name}")
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tidemark-reranker")
        self._network: FolderNetwork | None = None
        self._problem = ""

    async def _scores(self, query: str, documents: Sequence[str]) -> list[float | None]:
        given_up, given = threading.Event(), tuple(documents)
        loop = asyncio.get_running_loop()
        try:
            judged = await loop.run_in_executor(
                self._thread, lambda: self._judged(query, given, given_up)
            )
        except (EmbeddingUnavailable, MemoryError, RuntimeError) as error:
            raise RerankUnavailable(f"{self._source}: {error}") from error
        finally:
            given_up.set()
        source, logits = self._source, enumerate(judged)
        return list(sound_scores(logits, count=len(given), source=source, logits=True).values)

    async def aclose(self) -> None:
        """Wait for the batch in work and end the thread. Idempotent; later calls raise."""
        await asyncio.to_thread(self._thread.shutdown)
        self._network = None

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


PROVIDERS_EXPECTED_WITHIN = 30.0
"""Seconds after which a host that announced no providers is taken to have none."""


class HostRerankers:
    """The reranker that the settings name: a provider of the host, or a folder's model."""

    def __init__(self, context: Context, settings: RecallSettings, models: Path) -> None:
        provider, folder = settings.rerank_provider, settings.rerank_model
        own = folder and not provider and runtime_installed()
        self._own = FolderReranker(models / folder) if own else None
        self.reranker: Reranker | None = HostReranker(context, provider) if provider else self._own

    async def aclose(self) -> None:
        """End what runs here."""
        if self._own is not None:
            await self._own.aclose()


class Readiness:
    """Whether the host's providers are loaded: at a cold start they come after the plugins."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._announced = False

    def announce(self) -> None:
        """The host says that everything is loaded."""
        self._announced = True

    @property
    def settled(self) -> bool:
        """Announced, or nothing has come for long enough."""
        return self._announced or time.monotonic() - self._since > PROVIDERS_EXPECTED_WITHIN


class HostModelSource:
    """The chat model for learning: own endpoint or the host's provider."""

    def __init__(self, context: Context, settings: LearningSettings, ready: Readiness) -> None:
        self._context = context
        self._settings = settings
        self._ready = ready
        own = settings.endpoint_url, settings.endpoint_key, settings.endpoint_model
        self._endpoint = EndpointChatModel(*own, settings.timeout_seconds)
        self._host = HostChatModel(context, settings.provider_id, settings.timeout_seconds)

    @property
    def settled(self) -> bool:
        """Whether the host has loaded the providers it has."""
        return self._ready.settled

    async def choose(self, session: str) -> ChatModel | None:
        """None if the rules shall do it."""
        settings = self._settings
        wanted = settings.extractor
        if wanted == "endpoint" or (wanted == "auto" and settings.endpoint_url):
            return self._endpoint if settings.endpoint_url else None
        if wanted == "rules":
            return None
        if settings.provider_id or await has_chat_provider(self._context, session):
            return self._host
        return None

    async def aclose(self) -> None:
        """Close the endpoint's connections."""
        await self._endpoint.aclose()


class HostEmbedderSource:
    """The embedder by preference: host, own endpoint, model folder, local model, hashed."""

    def __init__(
        self, context: Context, settings: EmbeddingSettings, ready: Readiness, models: Path
    ) -> None:
        self._context = context
        self._settings = settings
        self._ready = ready
        self._models = models
        self._made: dict[str, Embedder] = {}
        self._stack = AsyncExitStack()

    @property
    def settled(self) -> bool:
        """Final for now: no host provider is wanted, or the host has loaded its own."""
        return self._settings.source not in ("auto", "host") or self._ready.settled

    async def choose(self) -> Embedder | None:
        """None if vectors are off, or what was asked for by name is not there."""
        source = self._settings.source
        if source == "off":
            return None
        ways: Mapping[str, Callable[[], Embedder | None]] = {
            "host": self._host,
            "endpoint": self._endpoint,
            "folder": self._folder,
            "local": self._local,
            "hashed": lambda: self._kept("hashed", HashedEmbedder),
        }
        found = (ways[each]() for each in (ways if source == "auto" else [source]))
        return next((each for each in found if each is not None), None)

    async def aclose(self) -> None:
        """Close every embedder that was made."""
        await self._stack.aclose()
        self._made.clear()

    def _host(self) -> Embedder | None:
        wanted = self._settings.provider_id or first_embedding_provider(self._context)
        if not wanted:
            return None
        timeout = self._settings.timeout_seconds
        return self._kept(f"host:{wanted}", lambda: HostEmbedder(self._context, wanted, timeout))

    def _endpoint(self) -> Embedder | None:
        s = self._settings
        if not s.endpoint_url:
            return None
        own = s.endpoint_url, s.endpoint_key, s.endpoint_model, s.timeout_seconds
        return self._owned("endpoint", lambda: EndpointEmbedder(*own))

    def _folder(self) -> Embedder | None:
        wanted = self._settings.folder
        if not wanted or not runtime_installed():
            return None
        return self._owned("folder", lambda: FolderEmbedder(self._models / wanted))

    def _local(self) -> Embedder | None:
        if not weights_file(self._models).is_file():
            return None
        return self._owned("local", lambda: LocalEmbedder(self._models))

    def _owned(
        self, name: str, make: Callable[[], EndpointEmbedder | FolderEmbedder | LocalEmbedder]
    ) -> Embedder:
        def made() -> Embedder:
            embedder = make()
            self._stack.push_async_callback(embedder.aclose)
            return embedder

        return self._kept(name, made)

    def _kept(self, name: str, make: Callable[[], Embedder]) -> Embedder:
        if name not in self._made:
            self._made[name] = CachedEmbedder(make())
        return self._made[name]


async def install_packages(requirements: Sequence[str]) -> None:
    """Install what is missing, as the host does and with its errors; its own packages stay."""
    # Plugins are loaded before it is needed, and it brings pip with it.
    from astrbot.core import pip_installer

    await pip_installer.install("\n".join(requirements))


@dataclass(frozen=True, slots=True)
class Opened:
    """What stays open when the settings change."""

    data: DataFolder
    models: Renewed[LearningSettings, HostModelSource]
    embedders: Renewed[EmbeddingSettings, HostEmbedderSource]
    rerankers: Renewed[RecallSettings, HostRerankers]
    installation: Installation

    @classmethod
    async def over(
        cls,
        data: DataFolder,
        context: Context,
        ready: Readiness,
        models: Path,
        wake: Callable[[], None],
    ) -> "Opened":
        """Of this data folder; `models` holds local ones, `wake` is called when one has come."""
        return cls(
            data,
            Renewed(partial(HostModelSource, context, ready=ready)),
            Renewed(partial(HostEmbedderSource, context, ready=ready, models=models)),
            Renewed(partial(HostRerankers, context, models=models)),
            local_installation(models, wake, data.jobs, install_packages),
        )
