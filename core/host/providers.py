"""The host's chat and embedding providers, resolved by id at each use."""

import asyncio
import time
from collections.abc import Sequence
from inspect import signature
from typing import Any

from astrbot.api.star import Context
from astrbot.core.exceptions import ProviderNotFoundError
from astrbot.core.provider.entities import RerankResult
from astrbot.core.provider.provider import EmbeddingProvider, Provider, RerankProvider

from ..embedding.checks import MOST_AT_ONCE, sound_text, unit_vectors
from ..endpoints.circuit_breaker import Breaker
from ..model.errors import EmbeddingUnavailable, ModelUnavailable, RerankResting, RerankUnavailable
from ..ports import Completion, EmbedderIdentity, Prompt, Vector
from ..recall.rerank_scores import sound_scores

LONGEST_TEXT = 6_000

_RETRIES = "request_max_retries"
_ONCE = {_RETRIES: 1} if _RETRIES in signature(Provider.text_chat).parameters else {}
"""The host's providers send what timed out again; it is asked again later, from the queue."""


class HostChatModel:
    """A chat provider of the host: the one with `provider_id`, else the session's own."""

    def __init__(self, context: Context, provider_id: str, timeout: float) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """One call without hooks or history. Raises ModelUnavailable."""
        return await self._answer(session, prompt=prompt.user, system_prompt=prompt.system)

    async def describe(self, picture: str, prompt: str, *, session: str) -> str:
        """What it says of a picture, which is a file. Raises ModelUnavailable."""
        return (await self._answer(session, prompt=prompt, image_urls=[picture])).text

    async def _answer(self, session: str, **asked: Any) -> Completion:
        try:
            async with asyncio.timeout(self._timeout):
                provider = self._provider_id or await self._of(session)
                reply = await self._context.llm_generate(
                    chat_provider_id=provider, **_ONCE, **asked
                )
        except Exception as error:
            raise ModelUnavailable(f"{type(error).__name__}: {error}") from error
        if reply.role != "assistant" or not reply.completion_text:
            raise ModelUnavailable(f"the provider answered with role {reply.role}: no text")
        return Completion(reply.completion_text, reply.usage.total if reply.usage else 0)

    async def _of(self, session: str) -> str:
        return await self._context.get_current_chat_provider_id(session)


class HostEmbedder:
    """An embedding provider of the host. The dimension is what it really returns."""

    def __init__(self, context: Context, provider_id: str, timeout: float) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout
        self._known: tuple[EmbeddingProvider, int] | None = None

    async def identity(self) -> EmbedderIdentity:
        """Provider id and model name the space; probes the dimension when either was edited."""
        provider = self._provider()
        dimension = self._dimension(provider)
        if dimension is None:
            dimension = len((await self._embed(["dimension"]))[0])
        return EmbedderIdentity(f"host@{self._provider_id}", _model_of(provider), dimension)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Calls of at most `MOST_AT_ONCE` texts, one after another."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), MOST_AT_ONCE):
            vectors += await self._embed(texts[start : start + MOST_AT_ONCE])
        return vectors

    async def embed_query(self, text: str) -> Vector:
        """One call with one text."""
        return (await self._embed([text]))[0]

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        provider = self._provider()
        sound = [sound_text(text, LONGEST_TEXT) or " " for text in texts]
        source = f"embedding provider {self._provider_id}"
        try:
            async with asyncio.timeout(self._timeout):
                raw = await provider.get_embeddings(sound)
        except TimeoutError as error:
            raise EmbeddingUnavailable(f"{source}: no answer in {self._timeout:g} s") from error
        except Exception as error:
            raise EmbeddingUnavailable(f"{source}: {type(error).__name__}: {error}") from error
        dimension = self._dimension(provider)
        vectors = unit_vectors(raw, count=len(texts), source=source, dimension=dimension)
        if vectors:
            self._known = (provider, len(vectors[0]))
        return vectors

    def _provider(self) -> EmbeddingProvider:
        provider = self._context.get_provider_by_id(self._provider_id)
        if not isinstance(provider, EmbeddingProvider):
            raise EmbeddingUnavailable(f"no embedding provider with id {self._provider_id!r}")
        return provider

    def _dimension(self, provider: EmbeddingProvider) -> int | None:
        # The host makes a new provider of an edited one; it may return another dimension.
        return self._known[1] if self._known and self._known[0] is provider else None


def _model_of(provider: EmbeddingProvider) -> str:
    config: dict[str, Any] = provider.provider_config
    return str(config.get("embedding_model") or config.get("model") or "")


class HostReranker:
    """The rerank provider of the host with `provider_id`, left alone for a while when it fails.

    One call for all documents. Whoever calls sets the time limit; being cut off is a failure.
    """

    def __init__(self, context: Context, provider_id: str) -> None:
        self._context = context
        self._provider_id = provider_id
        self._breaker = Breaker()
        self._logits_from: RerankProvider | None = None

    async def rerank(self, query: str, documents: Sequence[str]) -> list[float | None]:
        """Scores 0..1 in the order of the documents, see `sound_scores`."""
        if not documents:
            return []
        if not self._breaker.admits(time.monotonic()):
            raise RerankResting(f"{self._source} has failed again and again")
        try:
            scores = await self._scores(query, documents)
        except (RerankUnavailable, asyncio.CancelledError):
            self._breaker.failed(time.monotonic())
            raise
        self._breaker.succeeded()
        return scores

    @property
    def _source(self) -> str:
        return f"rerank provider {self._provider_id}"

    async def _scores(self, query: str, documents: Sequence[str]) -> list[float | None]:
        provider = self._context.get_provider_by_id(self._provider_id)
        if not isinstance(provider, RerankProvider):
            raise RerankUnavailable(f"no rerank provider with id {self._provider_id!r}")
        asked = sound_text(query, LONGEST_TEXT) or " "
        sound = [sound_text(text, LONGEST_TEXT) or " " for text in documents]
        try:
            pairs = _pairs(await provider.rerank(asked, sound))
        except Exception as error:
            raise RerankUnavailable(f"{self._source}: {type(error).__name__}: {error}") from error
        # Logits may happen to lie in 0..1; a provider that has once given others always gives them.
        logits = self._logits_from is provider
        scores = sound_scores(pairs, count=len(sound), source=self._source, logits=logits)
        if scores.logits:
            self._logits_from = provider
        return list(scores.values)


def _pairs(results: Sequence[RerankResult]) -> list[tuple[object, object]]:
    return [(result.index, result.relevance_score) for result in results]


def first_embedding_provider(context: Context) -> str:
    """Id of the host's first embedding provider that is still in force, "" if there is none."""
    ids = in_force(context, context.get_all_embedding_providers(), EmbeddingProvider)
    return ids[0] if ids else ""


def in_force(
    context: Context, providers: Sequence[EmbeddingProvider | RerankProvider], kind: type
) -> list[str]:
    """The ids of those that are still in force, in their order."""
    # An edited provider's closed instance stays in the list; only the map is current.
    ids = dict.fromkeys(provider.meta().id for provider in list(providers))
    return [id for id in ids if isinstance(context.get_provider_by_id(id), kind)]


async def has_chat_provider(context: Context, session: str) -> bool:
    """Whether the host has a chat model for the session."""
    try:
        return bool(await context.get_current_chat_provider_id(session))
    except ProviderNotFoundError:
        return False
