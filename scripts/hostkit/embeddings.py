"""The embedding half of the model server: what it was asked, and how it misbehaves."""

import asyncio
import base64
import itertools
import json
import struct
import zlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from aiohttp import web

from .root import ModelSource

DIMENSION = 64
PROVIDER_ID = "embedder"


class EmbeddingFault(StrEnum):
    """What is wrong with the vectors a provider returns."""

    NONE = "none"
    DOWN = "down"
    NOT_A_NUMBER = "not a number"
    ZERO = "zero"
    ONE_TOO_FEW = "one too few"
    OTHER_DIMENSION = "other dimension"


class Embeddings:
    """`texts` holds every embedded text. `delay` is in seconds, before any answer.

    `waiting` is how many requests have no answer yet.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fault = EmbeddingFault.NONE
        self.delay = 0.0
        self.waiting = 0

    async def answer(self, http: web.Request) -> web.Response:
        """Vectors for one request, packed or plain as the client asks."""
        body = await http.json()
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.texts.extend(texts)
        fault = self.fault
        self.waiting += 1
        try:
            await asyncio.sleep(self.delay)
        finally:
            self.waiting -= 1
        if fault is EmbeddingFault.DOWN:
            return web.json_response({"error": {"message": "scripted"}}, status=503)
        packed = body.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": i, "embedding": _pack(v) if packed else v}
            for i, v in enumerate(_vectors(texts, fault))
        ]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        document = {"object": "list", "model": body.get("model"), "data": data, "usage": usage}
        # JSON has no NaN, but Python's reader and writer know it; some servers send it.
        return web.Response(text=json.dumps(document), content_type="application/json")


def embedding(text: str) -> list[float]:
    """Signed counts of hashed character bigrams: similar spelling, similar vector. Not unit."""
    vector = [0.0] * DIMENSION
    padded = f" {text.lower()} "
    for pair in map("".join, itertools.pairwise(padded)):
        code = zlib.crc32(pair.encode("utf-8", "replace"))
        vector[code % DIMENSION] += 1.0 if code >> 16 & 1 else -1.0
    return vector if any(vector) else [1.0] * DIMENSION


def embedding_provider(model: ModelSource, *, name: str = "hashed-bigrams") -> dict[str, Any]:
    """An entry of the host's `provider` list that uses the model server's embeddings."""
    return {
        "id": PROVIDER_ID,
        "type": "openai_embedding",
        "provider": "openai",
        "provider_type": "embedding",
        "enable": True,
        "embedding_api_key": "none",
        "embedding_api_base": model.url,
        "embedding_model": name,
        "embedding_dimensions": DIMENSION,
        "timeout": 20,
        "proxy": "",
    }


def _vectors(texts: Sequence[str], fault: EmbeddingFault) -> list[list[float]]:
    vectors = [embedding(text) for text in texts]
    match fault:
        case EmbeddingFault.NOT_A_NUMBER:
            return [[float("nan")] * DIMENSION for _ in vectors]
        case EmbeddingFault.ZERO:
            return [[0.0] * DIMENSION for _ in vectors]
        case EmbeddingFault.ONE_TOO_FEW:
            return vectors[:-1]
        case EmbeddingFault.OTHER_DIMENSION:
            return [vector[: DIMENSION // 2] for vector in vectors]
        case EmbeddingFault.NONE | EmbeddingFault.DOWN:
            return vectors


def _pack(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")
