"""Embeddings from any OpenAI-compatible endpoint."""

import asyncio
import base64
import binascii
import json
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from ..embedding.cached import MOST_AT_ONCE, sound_text, unit_vectors
from ..model.errors import EmbeddingUnavailable, masked
from ..ports import EmbedderIdentity, Vector
from .replies import UNPACKED, UnreadableReply, bounded, reason

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_LONGEST_TEXT = 6_000
_RETRIES = 1
_LONGEST_REPLY = 4 * 2**20
_SHORT_REPLY = 64 * 2**10
"""Characters that are read without leaving the event loop."""

_AGREEING = 3
"""Replies in a row of another dimension after which it is the endpoint's."""


class EndpointEmbedder:
    """Embedder over `POST {url}/embeddings`. `timeout` is seconds for one call, retry included.

    Nothing is imported or opened before the first use; the owner ends it with `aclose`.
    """

    def __init__(self, url: str, key: str, model: str, timeout: float = 20.0) -> None:
        self._url = url.strip().rstrip("/").removesuffix("/embeddings")
        self._key = key.strip()
        self._model = model.strip()
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        self._closed = False
        self._dimension: int | None = None
        self._others: list[int] = []

    async def identity(self) -> EmbedderIdentity:
        """Host and model name the space; the dimension is what the endpoint really returned.

        Behind the same name another model may come to stand: with its dimension the space is
        another one, and what was embedded before is embedded again.
        """
        if self._dimension is None:
            await self.embed_query("dimension")
        provider = f"endpoint@{urlsplit(self._url).netloc.rpartition('@')[2]}"
        return EmbedderIdentity(provider, self._model, self._dimension or 0)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Calls of at most ten texts, one after another; nothing is returned if one fails."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), MOST_AT_ONCE):
            vectors += await self._embed(texts[start : start + MOST_AT_ONCE])
        if len({len(vector) for vector in vectors}) > 1:
            raise EmbeddingUnavailable(f"{self._url} changed its dimension between two calls")
        return vectors

    async def embed_query(self, text: str) -> Vector:
        """One call with one text."""
        return (await self._embed([text]))[0]

    async def aclose(self) -> None:
        """Close the connections. Idempotent; later calls raise EmbeddingUnavailable."""
        self._closed = True
        async with self._opening:
            client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        # Hosts refuse empty input; a dash says as little.
        inputs = [sound_text(text, _LONGEST_TEXT) or "-" for text in texts]
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._post(inputs)
        except TimeoutError as error:
            raise EmbeddingUnavailable(
                f"{self._url} did not answer within {self._timeout:g} s"
            ) from error
        if len(body) <= _SHORT_REPLY:
            vectors = _vectors(body, len(inputs), self._url)
        else:
            vectors = await asyncio.to_thread(_vectors, body, len(inputs), self._url)
        self._settle(len(vectors[0]))
        return vectors

    def _settle(self, dimension: int) -> None:
        """Note the dimension of a reply. Raises EmbeddingUnavailable if it is not the known one."""
        known = self._dimension or dimension
        if dimension == known:
            self._dimension, self._others = known, []
            return
        self._others = [*(other for other in self._others if other == dimension), dimension]
        if len(self._others) == _AGREEING:
            self._dimension, self._others = dimension, []
        raise EmbeddingUnavailable(
            f"{self._url} returned {dimension} dimensions where it returned {known} before"
        )

    async def _post(self, inputs: list[str]) -> str:
        client = await self._connected()
        from openai import OpenAIError

        try:
            # Asked for floats because some hosts refuse base64; both are read.
            reply = await client.embeddings.with_raw_response.create(
                input=inputs, model=self._model, encoding_format="float"
            )
        except (OpenAIError, UnicodeError, UnreadableReply) as error:
            # Not chained: what a server or a library says may repeat the key, and a log has it all.
            told = masked(f"{self._url}: {_words(reason(error))}", self._key)
            raise EmbeddingUnavailable(told) from None
        return reply.text

    async def _connected(self) -> "AsyncOpenAI":
        async with self._opening:
            if self._closed:
                raise EmbeddingUnavailable(f"{self._url}: this embedder is closed")
            if self._client is None:
                # The import and the certificates take long enough to stall the loop.
                self._client = await asyncio.to_thread(self._open)
            return self._client

    def _open(self) -> "AsyncOpenAI":
        from httpx import InvalidURL
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        try:
            parts = urlsplit(self._url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise ValueError("not an http(s) address")
            return AsyncOpenAI(
                base_url=self._url,
                api_key=self._key or "none",
                timeout=self._timeout,
                max_retries=_RETRIES,
                # A proxy from the environment cannot reach this machine's own network.
                http_client=DefaultAsyncHttpxClient(
                    trust_env=not _is_near(parts.hostname), event_hooks=bounded(_LONGEST_REPLY)
                ),
                default_headers=UNPACKED,
            )
        except (InvalidURL, ValueError) as error:
            raise EmbeddingUnavailable(f"{self._url!r}: {error}") from error


def _is_near(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def _vectors(body: str, count: int, source: str) -> list[Vector]:
    return unit_vectors(_rows(body, source), count=count, source=source)


def _rows(body: str, source: str) -> list[object]:
    """The vectors of a reply in the order of the inputs, still unchecked."""
    try:
        items = list(json.loads(body)["data"])
        order = [item.get("index") for item in items]
        rows = [_decoded(item["embedding"]) for item in items]
        # A host that numbers nothing answers in order; half a numbering is no order at all.
        numbered = any(index is not None for index in order)
        places = sorted(range(len(rows)), key=order.__getitem__) if numbered else range(len(rows))
        if numbered and [order[place] for place in places] != list(range(len(rows))):
            raise ValueError("the vectors are not numbered 0, 1, 2...")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise EmbeddingUnavailable(f"{source} answered no embeddings: {body[:120]!r}") from error
    return [rows[place] for place in places]


def _decoded(embedding: object) -> object:
    """A base64 string of little-endian float32 as numbers; anything else as it is."""
    if not isinstance(embedding, str):
        return embedding
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    except binascii.Error as error:
        raise ValueError("not base64") from error
