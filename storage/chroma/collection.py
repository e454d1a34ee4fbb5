"""One Chroma collection: records by id, in batches. Everything blocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.model.errors import Fault, StorageError
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
        page = self.client.batch.listed
        if page is None:
            return self.listed(where, None, 0)
        while True:
            before = self.client.writes
            found, some = list[str](), self.listed(where, page, 0)
            while some:
                found += some
                some = self.listed(where, page, len(found)) if len(some) == page else []
            # A write in between moves what comes after it from one page to another.
            if len(found) < page or before == self.client.writes:
                return list(dict.fromkeys(found))

    def listed(self, where: Mapping[str, Any] | None, limit: int | None, offset: int) -> list[str]:
        """A page of ids."""
        return self.client.read(
            lambda: self.collection.get(where=where, limit=limit, offset=offset, include=[])
        )["ids"]

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

    def documents(
        self, where: Mapping[str, Any], words: Mapping[str, Any] | None, limit: int, offset: int
    ) -> dict[str, str]:
        """The documents of a page of those that both filters let through."""
        got = self.client.read(
            lambda: self.collection.get(
                where=where, where_document=words, limit=limit, offset=offset, include=["documents"]
            )
        )
        return {id: text or "" for id, text in zip(got["ids"], got["documents"], strict=True)}

    def upsert(
        self, records: Mapping[str, Metadata], documents: Mapping[str, str] | None = None
    ) -> None:
        """Write records without a vector; metadata they had before is kept where not named.

        With `documents`, those of all of them.
        """
        for page in batches(list(records), self.client.batch.write):
            told: dict[str, Any] = {"metadatas": [records[id] for id in page]}
            if documents:
                told["documents"] = [documents[id] for id in page]
            self.client.write(
                lambda ids=page, told=told: self.collection.upsert(
                    ids=ids, embeddings=[NO_VECTOR] * len(ids), **told
                )
            )

    def update(
        self, records: Mapping[str, Metadata], documents: Mapping[str, str] | None = None
    ) -> None:
        """Change named metadata of records that exist, and the documents of some of them."""
        documents = documents or {}
        plain = [id for id in records if id not in documents]
        for page in batches(plain, self.client.batch.write):
            metadatas = [records[id] for id in page]
            self.client.write(
                lambda ids=page, metadatas=metadatas: self.collection.update(
                    ids=ids, metadatas=metadatas
                )
            )
        worded = {id: records[id] for id in records if id in documents}
        self._reword(worded, documents)

    def _reword(self, records: Mapping[str, Metadata], documents: Mapping[str, str]) -> None:
        for page in batches(list(records), self.client.batch.write):
            # Chroma would make a vector of a document that comes without one.
            told = {
                "embeddings": [NO_VECTOR] * len(page),
                "documents": [documents[id] for id in page],
            }
            if any(records[id] for id in page):
                told["metadatas"] = [records[id] for id in page]
            self.client.write(lambda ids=page, told=told: self.collection.update(ids=ids, **told))

    def reword(self, documents: Mapping[str, str]) -> None:
        """Change the documents of records that exist."""
        self._reword({id: {} for id in documents}, documents)

    def count(self) -> int:
        """How many records it has."""
        return self.client.read(self.collection.count)

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

    def has_lost_vectors(self) -> bool:
        """Whether a folder has ids here and not their vectors. Looks at the oldest.

        Chroma keeps vectors in files of their own, which it does not sync, and drops them from its
        database once they are written: a power failure soon after takes all of these files.
        """
        oldest = self.listed(None, 1, 0)
        try:
            if oldest:
                self._get(oldest, ["embeddings"])
        except StorageError as error:
            if error.fault is not Fault.OTHER:
                raise
            return True
        return False

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
        return not self.count()

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
