"""One Chroma collection: records by id, in batches. Everything blocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.model.views import VIEWS, WHOLE
from ...core.ports import Vector, Views
from .client import Client, batches
from .mapping import Metadata

_VIEW = "\x1f"
"""Between the id of a memory and the name of a view of it; no memory's own id has one."""

NO_VECTOR = [1.0]
"""Of records without a vector of their own: Chroma wants one of every record."""


@dataclass(frozen=True, slots=True)
class StoredCollection:
    """A collection of one client."""

    collection: Any
    client: Client

    def ids(self, where: Mapping[str, Any] | None = None) -> list[str]:
        """Every id, or those of the filter, in no particular order."""
        found = self.client.read(lambda: self.collection.get(where=where, include=[]))
        return found["ids"]

    def known(self, ids: Iterable[str]) -> set[str]:
        """Which of the ids exist."""
        return {id for page in self._pages(ids) for id in self._get(page, [])["ids"]}

    def get(self, ids: Iterable[str]) -> dict[str, Metadata]:
        """The metadata of those that exist."""
        found: dict[str, Metadata] = {}
        for page in self._pages(ids):
            got = self._get(page, ["metadatas"])
            found.update(
                (id, md or {}) for id, md in zip(got["ids"], got["metadatas"], strict=True)
            )
        return found

    def upsert(self, records: Mapping[str, Metadata]) -> None:
        """Write records without a vector; metadata they had before is kept where not named."""
        for page in batches(list(records), self.client.batch.write):
            vectors, metadatas = [NO_VECTOR] * len(page), [records[id] for id in page]
            self.client.write(
                lambda ids=page, vectors=vectors, metadatas=metadatas: self.collection.upsert(
                    ids=ids, embeddings=vectors, metadatas=metadatas
                )
            )

    def update(self, records: Mapping[str, Metadata]) -> None:
        """Change named metadata of records that exist."""
        for page in batches(list(records), self.client.batch.write):
            metadatas = [records[id] for id in page]
            self.client.write(
                lambda ids=page, metadatas=metadatas: self.collection.update(
                    ids=ids, metadatas=metadatas
                )
            )

    def place_views(self, views: Mapping[str, Views]) -> None:
        """Write the further views of memories in the place of those they had."""
        told = {view_id(id, name): view for id, own in views.items() for name, view in own.items()}
        self.delete(id for id in view_ids(views) if id not in told)
        self.place(told)

    def place(self, vectors: Mapping[str, Vector]) -> None:
        """Write vectors."""
        for page in batches(list(vectors), self.client.batch.vectors):
            rows = [vectors[id] for id in page]
            self.client.write(
                lambda ids=page, rows=rows: self.collection.upsert(ids=ids, embeddings=rows)
            )

    def vectors(self, ids: Iterable[str]) -> dict[str, Vector]:
        """The vectors of those that exist."""
        found: dict[str, Vector] = {}
        for page in self._pages(ids):
            got = self._get(page, ["embeddings"])
            rows = np.asarray(got["embeddings"], dtype=np.float32)
            found.update(zip(got["ids"], rows, strict=True))
        return found

    def delete(self, ids: Iterable[str]) -> None:
        """Delete those that exist."""
        for page in batches(sound(ids), self.client.batch.write):
            self.client.write(lambda ids=page: self.collection.delete(ids=ids))

    def nearest(self, query: Vector, limit: int) -> list[tuple[str, float]]:
        """At most `limit` ids with their cosines, best first."""
        found = self.client.read(
            lambda: self.collection.query(
                query_embeddings=[query], n_results=limit, include=["distances"]
            )
        )
        [ids], [distances] = found["ids"], found["distances"]
        return [(id, 1.0 - float(far)) for id, far in zip(ids, distances, strict=True)]

    def is_empty(self) -> bool:
        """Whether it has no record."""
        return not self.client.read(self.collection.count)

    def _get(self, ids: Sequence[str], include: list[str]) -> Any:
        return self.client.read(lambda: self.collection.get(ids=list(ids), include=include))

    def _pages(self, ids: Iterable[str]) -> list[Sequence[str]]:
        return batches(sound(ids), self.client.batch.read)


def view_id(memory: str, name: str) -> str:
    """The id of a further view of a memory, beside its own; that of the whole is the memory's."""
    return f"{memory}{_VIEW}{name}" if name else memory


def view_ids(memories: Iterable[str]) -> list[str]:
    """The ids of every further view that these memories may have."""
    return [view_id(memory, name) for memory in memories for name in VIEWS]


def of_view(id: str) -> tuple[str, str]:
    """The memory and the name of the view that an id stands for."""
    memory, mark, name = id.rpartition(_VIEW)
    return (memory, name) if mark and name in VIEWS else (id, WHOLE)


def sound(ids: Iterable[str]) -> list[str]:
    """The distinct ids that a record may have: not empty, no lone surrogates."""
    return [id for id in dict.fromkeys(ids) if id and _is_unicode(id)]


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
