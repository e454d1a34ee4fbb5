"""The host's chat and embedding providers, resolved by id at each use."""

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from astrbot.api import FunctionTool, ToolSet
from astrbot.api.star import Context
from astrbot.core.exceptions import ProviderNotFoundError
from astrbot.core.provider.entities import LLMResponse
from astrbot.core.provider.provider import EmbeddingProvider, Provider, RerankProvider

from ..embedding.cached import MOST_AT_ONCE, sound_text, unit_vectors
from ..endpoints.replies import Breaker, is_time_out, status_of
from ..model.errors import (
    EmbeddingUnavailable,
    ModelTimedOut,
    ModelUnavailable,
    RerankResting,
    RerankUnavailable,
)
from ..ports import Completion, EmbedderIdentity, Prompt, Vector
from ..recall.rerank import sound_scores

LONGEST_TEXT = 6_000

_RETRIES = "request_max_retries"
_ONCE = {_RETRIES: 1} if _RETRIES in signature(Provider.text_chat).parameters else {}
"""The host's providers send what timed out again; it is asked again later, from the queue."""


_WAYS = ((True, False), (False, False), (True, True), (False, True))
"""By the call of a tool or in text, whole or as a stream, from what is best to what is left: some
models take no tool, or none that must be called, and some answer in streams alone."""

_REFUSED = frozenset((400, 404, 405, 415, 422, 501))
"""Statuses of a request that is not taken as it is."""


class HostChatModel:
    """A chat provider of the host: the one with `provider_id`, else the session's own.

    A reply is asked for as the arguments of one tool that must be called, whose parameters are the
    schema: the host's providers drop a `response_format`. Which of the `_WAYS` a provider takes is
    learnt once.
    """

    def __init__(self, context: Context, provider_id: str, timeout: float) -> None:
        self._context = context
        self._provider_id = provider_id
        self._timeout = timeout
        self._ways: dict[str, int] = {}

    async def complete(self, prompt: Prompt, *, session: str) -> Completion:
        """One call without hooks or history; another one in the next way if that is refused."""
        tool = FunctionTool(prompt.name, "Takes the whole reply", dict(prompt.schema))
        asked = {"prompt": prompt.user, "system_prompt": prompt.system}
        by_tool = {"tools": ToolSet([tool]), "tool_choice": "required"}
        return await self._answer(session, asked, by_tool)

    async def describe(self, picture: str, prompt: str, *, session: str) -> str:
        """What it says of a picture, which is a file. Raises ModelUnavailable."""
        asked = {"prompt": prompt, "image_urls": [picture]}
        return (await self._answer(session, asked, {})).text

    async def _answer(
        self, session: str, asked: Mapping[str, Any], by_tool: Mapping[str, Any]
    ) -> Completion:
        try:
            async with asyncio.timeout(self._timeout):
                known = self._provider_id
                provider = known or await self._context.get_current_chat_provider_id(session)
                return await self._in_some_way(provider, asked, by_tool)
        except Exception as error:
            kind = ModelTimedOut if is_time_out(error) else ModelUnavailable
            raise kind(f"{type(error).__name__}: {error}") from error

    async def _in_some_way(
        self, provider: str, asked: Mapping[str, Any], by_tool: Mapping[str, Any]
    ) -> Completion:
        refusals, offered = list[Exception](), by_tool and self._has_tools(provider)
        for way in range(self._ways.get(provider, 0), len(_WAYS)):
            tool, streamed = _WAYS[way]
            if tool and not offered:
                continue
            options = {**asked, **by_tool} if tool else asked
            try:
                completion = _completion(await self._reply(provider, streamed, options))
            except Exception as error:
                if not _is_refusal(error, tool=tool):
                    raise
                refusals.append(error)
            else:
                self._ways[provider] = way
                return completion
        # A prompt that is refused in every way says nothing of the ways.
        raise refusals[0]

    def _has_tools(self, provider: str) -> bool:
        """What its owner has set: a model that has none is offered none by the host, either."""
        config = getattr(self._context.get_provider_by_id(provider), "provider_config", {})
        has = config.get("modalities")
        return not has or "tool_use" in has

    async def _reply(
        self, provider: str, streamed: bool, options: Mapping[str, Any]
    ) -> LLMResponse:
        if not streamed:
            return await self._context.llm_generate(chat_provider_id=provider, **_ONCE, **options)
        found = self._context.get_provider_by_id(provider)
        if not isinstance(found, Provider):
            raise ProviderNotFoundError(f"no chat provider with id {provider!r}")
        named = {"func_tool" if name == "tools" else name: each for name, each in options.items()}
        whole, said = None, ""
        async for part in found.text_chat_stream(**_ONCE, **named):
            if part.is_chunk:
                said += part.completion_text or ""
            else:
                whole = part
        return whole or LLMResponse("assistant", said)


def _completion(reply: LLMResponse) -> Completion:
    """What the tool was called with, else the text. Raises ModelUnavailable if there is neither."""
    text = _arguments(reply) or reply.completion_text
    if reply.role == "err" or not text:
        raise ModelUnavailable(f"the provider answered with role {reply.role}: no text")
    return Completion(text, reply.usage.total if reply.usage else 0)


def _arguments(reply: LLMResponse) -> str:
    """The arguments as one JSON text: some models call the tool once for each item."""
    whole: dict[str, Any] = {}
    for call in reply.tools_call_args:
        for name, value in call.items() if isinstance(call, dict) else ():
            several = isinstance(whole.get(name), list) and isinstance(value, list)
            whole[name] = [*whole[name], *value] if several else value
    if whole or not reply.tools_call_args:
        return json.dumps(whole, ensure_ascii=False) if whole else ""
    # The host drops arguments that are not quite JSON; they stand in what it received.
    received: Any = reply.raw_completion
    try:
        return str(received.choices[0].message.tool_calls[0].function.arguments)
    except (AttributeError, IndexError, TypeError):
        return ""


def _is_refusal(error: Exception, *, tool: bool) -> bool:
    """Whether asking in another way may help: it is not taken as it is, or a model that must call a
    tool has no answer."""
    unanswered = isinstance(error, ModelUnavailable) or "Empty" in type(error).__name__
    unknown = isinstance(error, NotImplementedError | TypeError)
    return (tool and unanswered) or unknown or status_of(error) in _REFUSED


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


class RestingReranker(ABC):
    """A reranker that is left alone for a while when `_scores`, its own part, fails.

    Whoever calls sets the time limit; being cut off is a failure.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._breaker = Breaker()

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

    @abstractmethod
    async def _scores(self, query: str, documents: Sequence[str]) -> list[float | None]: ...


class HostReranker(RestingReranker):
    """The rerank provider of the host with `provider_id`. One call for all documents."""

    def __init__(self, context: Context, provider_id: str) -> None:
        super().__init__(f"rerank provider {provider_id}")
        self._context = context
        self._provider_id = provider_id
        self._logits_from: RerankProvider | None = None

    async def _scores(self, query: str, documents: Sequence[str]) -> list[float | None]:
        provider = self._context.get_provider_by_id(self._provider_id)
        if not isinstance(provider, RerankProvider):
            raise RerankUnavailable(f"no rerank provider with id {self._provider_id!r}")
        asked = sound_text(query, LONGEST_TEXT) or " "
        sound = [sound_text(text, LONGEST_TEXT) or " " for text in documents]
        try:
            pairs = [(r.index, r.relevance_score) for r in await provider.rerank(asked, sound)]
        except Exception as error:
            raise RerankUnavailable(f"{self._source}: {type(error).__name__}: {error}") from error
        # Logits may happen to lie in 0..1; a provider that has once given others always gives them.
        logits = self._logits_from is provider
        scores = sound_scores(pairs, count=len(sound), source=self._source, logits=logits)
        if scores.logits:
            self._logits_from = provider
        return list(scores.values)


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
