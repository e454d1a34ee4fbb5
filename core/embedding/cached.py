"""Query vectors remembered; checks on what an embedding provider is given and returns."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ..model.errors import EmbeddingUnavailable
from ..ports import Embedder, EmbedderIdentity, Vector

type _Key = tuple[str, bytes]


class CachedEmbedder:
    """An embedder with its `size` most recently asked query vectors kept.

    Identical queries asked at the same time cost one call; if that call fails or is cancelled,
    the next in line makes its own. The vectors returned for queries are read-only.
    """

    def __init__(self, inner: Embedder, size: int = 256) -> None:
        if size < 1:
            raise ValueError(f"size must be at least 1, not {size}")
        self._inner = inner
        self._size = size
        self._vectors: OrderedDict[_Key, Vector] = OrderedDict()
        self._asking: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()

    def clear(self) -> None:
        """Forget every vector."""
        self._vectors.clear()

    async def identity(self) -> EmbedderIdentity:
        """The inner embedder's."""
        return await self._inner.identity()

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Passed on: documents are embedded once and stored elsewhere."""
        return await self._inner.embed_documents(texts)

    async def embed_query(self, text: str) -> Vector:
        """From memory if this text was asked in this vector space, else from the inner one."""
        space = (await self._inner.identity()).fingerprint
        key = (space, blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
        lock = self._asking.setdefault(key, asyncio.Lock())
        async with lock:
            known = self._vectors.get(key)
            if known is None:
                known = (await self._inner.embed_query(text)).copy()
                known.setflags(write=False)
            self._keep(key, known)
            return known

    def _keep(self, key: _Key, vector: Vector) -> None:
        self._vectors[key] = vector
        self._vectors.move_to_end(key)
        while len(self._vectors) > self._size:
            self._vectors.popitem(last=False)


MOST_AT_ONCE = 10
"""Texts of one call: the smallest limit of a service that is widely used. More are refused."""


def sound_text(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, without lone surrogates, NUL and outer blanks."""
    kept = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return kept.replace("\0", " ").strip()


def unit_vectors(
    raw: object, *, count: int, source: str, dimension: int | None = None
) -> list[Vector]:
    """`raw`, a provider's rows of numbers, as `count` float32 vectors of unit length.

    Raises EmbeddingUnavailable, naming `source`, if the rows are not exactly `count` finite
    non-zero vectors of one dimension, which must be `dimension` if that is given.
    """
    if count == 0:
        return []
    rows = _matrix(raw, count, source)
    if dimension is not None and rows.shape[1] != dimension:
        raise EmbeddingUnavailable(
            f"{source} returned {rows.shape[1]} dimensions where it returned {dimension} before"
        )
    if not np.isfinite(rows).all():
        raise EmbeddingUnavailable(f"{source} returned a vector that is not finite")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not largest.all():
        raise EmbeddingUnavailable(f"{source} returned a zero vector")
    # Dividing by the largest entry first keeps the squares of extreme entries in range.
    scaled = rows / largest
    unit = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return list(unit.astype(np.float32))


def _matrix(raw: object, count: int, source: str) -> NDArray[np.float64]:
    try:
        rows = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingUnavailable(
            f"{source} returned something else than vectors of one dimension"
        ) from error
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise EmbeddingUnavailable(f"{source} returned numbers of shape {rows.shape}, not vectors")
    if rows.shape[0] != count:
        raise EmbeddingUnavailable(f"{source} returned {rows.shape[0]} vectors for {count} texts")
    return rows
