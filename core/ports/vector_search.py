"""Part of the memory store: vectors, and finding memories by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.memory import Kind, Memory
from .models import Vector
from .text_search import Scored


@dataclass(frozen=True, slots=True)
class Embedded:
    """A memory's vector, at unit length, and the fingerprint of what it came from."""

    fingerprint: str
    vector: Vector


class VectorSearch(Protocol):
    """Reading vectors, and searching them."""

    async def search_vector(
        self,
        query: Vector,
        fingerprint: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        """Cosine, negative ones as 0, over vectors of exactly this fingerprint.

        With `kinds`, the best among memories of these.
        """
        ...

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        """The vectors of those of these memories that have one, in any status."""
        ...

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        """Recallable memories with no vector of this fingerprint, newest first."""
        ...

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        """(recallable memories with a vector of this fingerprint, recallable memories)."""
        ...


class VectorWriter(Protocol):
    """Attaching vectors to records."""

    async def set_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> int:
        """Attach one vector per memory, replacing any; unknown ids are skipped. Returns count.

        Unit length is ensured here. One vector per memory: the newest fingerprint wins.
        """
        ...


class MemoryVectors(VectorSearch, VectorWriter, Protocol):
    """Reading and writing vectors."""
