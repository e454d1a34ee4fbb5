"""Vectors of documents kept in a file between runs: a slow embedder's work is done once."""

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ..core.ports import Embedder, EmbedderIdentity, Vector


class KeptVectors:
    """Another embedder whose document vectors are read from, and written to, `folder`.

    Queries are embedded anew each time, to measure how long that takes, unless kept too.
    """

    def __init__(self, inner: Embedder, folder: Path, *, queries: bool = False) -> None:
        self._inner = inner
        self._folder = folder
        self._queries = queries
        self._known: dict[str, Vector] | None = None

    async def identity(self) -> EmbedderIdentity:
        """The inner one's."""
        return await self._inner.identity()

    async def embed_query(self, text: str) -> Vector:
        """Passed on, unless it is kept."""
        if not self._queries:
            return await self._inner.embed_query(text)
        known, name = await self._vectors(), _key(f"query\n{text}")
        if name not in known:
            known[name] = await self._inner.embed_query(text)
        return known[name]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Those that are known from the file, the others from the inner embedder."""
        known = await self._vectors()
        names = [_key(text) for text in texts]
        fresh = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
        made = await self._inner.embed_documents(list(fresh.values()))
        known.update(zip(fresh, made, strict=True))
        return [known[name] for name in names]

    async def save(self) -> None:
        """Write what is known, with what others have written meanwhile."""
        known, file = await self._vectors(), await self._file()
        if not known:
            return
        if file.is_file():
            known = _read(file) | known
        self._folder.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f"{file.stem}.{os.getpid()}.npz")
        np.savez(fresh, names=list(known), vectors=np.stack(list(known.values())))
        fresh.replace(file)

    async def _vectors(self) -> dict[str, Vector]:
        if self._known is None:
            file = await self._file()
            self._known = _read(file) if file.is_file() else {}
        return self._known

    async def _file(self) -> Path:
        space = (await self._inner.identity()).fingerprint
        return self._folder / f"{blake2b(space.encode(), digest_size=8).hexdigest()}.npz"


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _read(file: Path) -> dict[str, Vector]:
    with np.load(file) as kept:
        return dict(zip(kept["names"].tolist(), kept["vectors"], strict=True))
