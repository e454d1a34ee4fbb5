"""Part of the memory store: vectors, and finding memories by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..model.memory import Kind, Memory
from .models import Vector
from .text_search import Scored

type Views = Mapping[str, Vector]
"""Vectors of the views of a memory beside the whole, by name."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A memory's vector, at unit length, and the fingerprint of what it came from.

    `views` are the vectors of its further views by name (`core/model/views.py`), none if it has
    only the one.
    """

    fingerprint: str
    vector: Vector
    views: Views = field(default_factory=dict[str, Vector])


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

        A memory counts once, by its nearest view, which the hit names. With `kinds`, the best
        among memories of these.
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

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        """Attach a vector to each memory, with its `views`; unknown ids are skipped.

        Returns the count of memories. What a memory had before, further views too, is replaced as
        a whole: the newest fingerprint wins. Unit length is ensured here. ValueError for vectors
        that differ in dimension and for views of unknown names.
        """
        ...


class MemoryVectors(VectorSearch, VectorWriter, Protocol):
    """Reading and writing vectors."""
