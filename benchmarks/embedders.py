"""The embedder that a command line asks for, its vectors kept in a file between runs."""

import os
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ..core.embedding.hashed import HashedEmbedder
from ..core.embedding.local.install import ModelFileState, status
from ..core.embedding.local.model import LocalEmbedder
from ..core.ports import Embedder, EmbedderIdentity, Vector
from .datasets.reading import NoData


class KeptVectors:
    """Another embedder whose vectors are read from, and written to, `folder`."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self._folder = folder
        self._known: dict[str, Vector] | None = None

    async def identity(self) -> EmbedderIdentity:
        """The inner one's."""
        return await self._inner.identity()

    async def embed_query(self, text: str) -> Vector:
        """That from the file, or the inner embedder's."""
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


@asynccontextmanager
async def embedder_of(options: Namespace) -> AsyncIterator[Embedder | None]:
    """None for none; vectors that are kept are saved at the end. Raises NoData without weights."""
    match options.embedder:
        case "none":
            yield None
        case "hashed":
            yield HashedEmbedder()
        case _:
            local = local_in(options.models)
            try:
                kept = None if options.vectors is None else KeptVectors(local, options.vectors)
                try:
                    yield kept or local
                finally:
                    await saved(kept)
            finally:
                await local.aclose()


def local_in(models: Path) -> LocalEmbedder:
    """The local embedder of a folder. Raises NoData without weights."""
    if status(models) is not ModelFileState.READY:
        raise NoData(f"the local embedder is not installed in {models}")
    return LocalEmbedder(models)


async def saved(embedder: Embedder | None) -> None:
    """Write the vectors, if it keeps any: an interrupted run goes on with them."""
    if isinstance(embedder, KeptVectors):
        await embedder.save()


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _read(file: Path) -> dict[str, Vector]:
    with np.load(file) as kept:
        return dict(zip(kept["names"].tolist(), kept["vectors"], strict=True))
