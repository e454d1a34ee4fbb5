"""Query vectors remembered, so that asking the same again costs nothing."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from weakref import WeakValueDictionary

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
