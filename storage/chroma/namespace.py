"""The collections of one installation on a Chroma: named, listed, read and written in batches.

One has the `records` of every scope, one names the `scopes`; and per scope, embedder and dimension
there is one of `vectors`, since Chroma fixes a collection's dimension. A name is a hash; the
collection's metadata say what it is, and so whether it is ours. Everything blocks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Any

import numpy as np

from ...core.model.errors import OUTAGES, Fault, SchemaTooNew, StorageError
from ...core.model.memory import VIEWS, WHOLE
from ...core.ports import Vector, Views
from .client import Client, batches
from .record import ANY, STATE, Metadata, TaggedScope, scope_in, tag_in

PROGRAM = "astrbot_plugin_tidemark"
FORMAT = 1

PREFIX = "tidemark"
OWNER = "journal"
"""In the metadata of the records: the journal that the memories belong to."""

# Only vectors are ever searched.
SEARCHED = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 300}
UNSEARCHED = {"space": "cosine", "ef_construction": 2, "max_neighbors": 2}

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
        return self.some_ids(where, None)

    def some_ids(self, where: Mapping[str, Any] | None, limit: int | None) -> list[str]:
        """At most so many ids."""
        return self.client.read(lambda: self.collection.get(where=where, limit=limit, include=[]))[
            "ids"
        ]

    def get(self, ids: Iterable[str]) -> dict[str, Metadata]:
        """The metadata of those that exist."""
        found: dict[str, Metadata] = {}
        for page in self._pages(ids):
            got = self._get(page, ["metadatas"])
            every = zip(got["ids"], got["metadatas"], strict=True)
            found.update((id, metadata or {}) for id, metadata in every)
        return found

    def upsert(self, records: Mapping[str, Metadata]) -> None:
        """Write records without a vector; metadata they had before is kept where not named."""
        self._write(
            records,
            lambda ids, some: self.collection.upsert(
                ids=ids, embeddings=[NO_VECTOR] * len(ids), metadatas=some
            ),
        )

    def update(self, records: Mapping[str, Metadata]) -> None:
        """Change named metadata of records that exist."""
        self._write(records, lambda ids, some: self.collection.update(ids=ids, metadatas=some))

    def place(self, vectors: Mapping[str, Vector]) -> None:
        """Write vectors."""
        self._write(vectors, lambda ids, some: self.collection.upsert(ids=ids, embeddings=some))

    def place_views(self, views: Mapping[str, Views]) -> None:
        """Write the further views of memories in the place of those they had."""
        told = {view_id(id, name): view for id, own in views.items() for name, view in own.items()}
        self.delete(id for id in with_views(views) if id not in told and id not in views)
        self.place(told)

    def vectors(self, ids: Iterable[str]) -> dict[str, Vector]:
        """The vectors of those that exist."""
        found: dict[str, Vector] = {}
        for page in self._pages(ids):
            got = self._get(page, ["embeddings"])
            rows = np.asarray(got["embeddings"], dtype=np.float32)
            found.update(zip(got["ids"], rows, strict=True))
        return found

    def nearest(self, query: Vector, limit: int) -> list[tuple[str, float]]:
        """At most `limit` ids with their cosines, best first."""
        found = self.client.read(
            lambda: self.collection.query(
                query_embeddings=[query], n_results=limit, include=["distances"]
            )
        )
        [ids], [distances] = found["ids"], found["distances"]
        return [(id, 1.0 - float(far)) for id, far in zip(ids, distances, strict=True)]

    def delete(self, ids: Iterable[str]) -> None:
        """Delete those that exist."""
        for page in self._pages(ids):
            self.client.write(lambda ids=page: self.collection.delete(ids=ids))

    def is_empty(self) -> bool:
        """Whether it has no record."""
        return not self.client.read(self.collection.count)

    def has_lost_vectors(self) -> bool:
        """Whether a folder has ids here and not their vectors. Looks at the oldest.

        Chroma keeps vectors in files of their own, which it does not sync, and drops them from its
        database once they are written: a power failure soon after takes all of these files.
        """
        oldest = self.some_ids(None, 1)
        try:
            if oldest:
                self._get(oldest, ["embeddings"])
        except StorageError as error:
            if error.fault is not Fault.OTHER:
                raise
            return True
        return False

    def _write[V](
        self, values: Mapping[str, V], call: Callable[[list[str], list[V]], object]
    ) -> None:
        for ids in batches(list(values), self.client.page):
            self.client.write(lambda ids=ids: call(ids, [values[id] for id in ids]))

    def _get(self, ids: Sequence[str], include: list[str]) -> Any:
        return self.client.read(lambda: self.collection.get(ids=ids, include=include))

    def _pages(self, ids: Iterable[str]) -> list[list[str]]:
        """The distinct ids that a record may have: not empty, no lone surrogates."""
        return batches([id for id in dict.fromkeys(ids) if _is_sound(id)], self.client.page)


def view_id(memory: str, name: str) -> str:
    """The id of a further view of a memory, beside its own; that of the whole is the memory's."""
    return f"{memory}{_VIEW}{name}" if name else memory


def with_views(memories: Iterable[str]) -> list[str]:
    """The ids of the memories, each after those of every further view that it may have."""
    return [view_id(memory, name) for memory in memories for name in (*VIEWS, WHOLE)]


def of_view(id: str) -> tuple[str, str]:
    """The memory and the name of the view that an id stands for."""
    memory, mark, name = id.rpartition(_VIEW)
    return (memory, name) if mark and name in VIEWS else (id, WHOLE)


def _is_sound(id: str) -> bool:
    try:
        return bool(id.encode())
    except UnicodeEncodeError:
        return False


class CollectionRole(StrEnum):
    """What a collection is for."""

    RECORDS = "records"
    SCOPES = "scopes"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Label:
    """What a collection is; for vectors of which scope, by its tag, and embedder."""

    role: CollectionRole
    tag: str = ""
    fingerprint: str = ""
    dimension: int = 1

    @property
    def embedder(self) -> str:
        """What a record says whose vector is there."""
        return f"{self.tag}:{self.dimension}:{self.fingerprint}"


RECORDS, SCOPES = Label(CollectionRole.RECORDS), Label(CollectionRole.SCOPES)


class Namespace:
    """The collections of one installation. Used by one writer; readers see whole changes."""

    def __init__(self, client: Client, installation: str) -> None:
        self.client = client
        self._installation = installation
        self._vectors: dict[Label, StoredCollection] = {}
        self._scopes: dict[str, str] = {}
        self._doubts: set[str] = set()
        self._lost: set[Label] = set()
        self._whole: dict[Label, int] = {}
        """Vectors found to be there, and by which of the folder's processes."""
        self.records = self._opened(RECORDS)
        """The record of every memory."""
        self._named = self._opened(SCOPES)
        """Every scope by its tag; written before its first record, deleted after its last."""
        self.owner: str | None = (self.records.collection.metadata or {}).get(OWNER)
        """The journal that the memories belong to, if it has been named."""

    def belong_to(self, journal: str) -> None:
        """Name that journal."""
        named = {**self.records.collection.metadata, OWNER: journal}
        self.client.write(lambda: self.records.collection.modify(metadata=named))
        self.owner = journal

    def place(self, scope: str) -> TaggedScope:
        """The scope with its tag."""
        return TaggedScope(scope, digest(8, self._installation, scope))

    def place_of(self, metadata: Metadata) -> TaggedScope:
        """Where a record belongs."""
        tag = tag_in(metadata)
        return TaggedScope(self._scopes.get(tag, ""), tag)

    def places(self, scopes: Iterable[str] | None = None) -> list[TaggedScope]:
        """The scopes that have records, of these or of all."""
        every = self._scopes.values() if scopes is None else {*scopes} & {*self._scopes.values()}
        return [self.place(scope) for scope in sorted(every)]

    def name_scopes(self, scopes: Iterable[str]) -> None:
        """Write down scopes that are about to have records."""
        new = [place for place in map(self.place, scopes) if place.tag not in self._scopes]
        self._named.upsert({place.tag: {"scope": place.scope} for place in new})
        self._scopes |= {place.tag: place.scope for place in new}

    def is_bare(self, place: TaggedScope) -> bool:
        """Whether a scope has no record."""
        aside = {STATE: place.set_aside}
        return not any(self.records.some_ids(each, 1) for each in (place.narrowed(ANY), aside))

    def drop_if_bare(self, place: TaggedScope) -> bool:
        """Delete all of a scope that has no record any more."""
        if place.tag not in self._scopes or not self.is_bare(place):
            return False
        for label in [each for each in self._vectors if each.tag == place.tag]:
            self.drop(label)
        self._named.delete([place.tag])
        del self._scopes[place.tag]
        return True

    def vectors(self, label: Label) -> StoredCollection | None:
        """Vectors that a query is compared with; None if there are none, or they are lost."""
        return None if self.vectors_lost(label) else self._vectors.get(label)

    def vectors_for(self, label: Label) -> StoredCollection:
        """The same, made if there are none."""
        if label not in self._vectors:
            self._vectors[label] = self._opened(label)
        return self._vectors[label]

    def labels(self, place: TaggedScope) -> dict[str, Label]:
        """What a scope has vectors of, by `Label.embedder`."""
        return {each.embedder: each for each in list(self._vectors) if each.tag == place.tag}

    def drop(self, label: Label) -> None:
        """Delete vectors."""
        # Forgotten first: should the answer get lost, nobody asks for what is no longer there.
        del self._vectors[label]
        self._lost.discard(label)
        self.client.write(lambda: self.client.api.delete_collection(self.name(label)))

    def vectors_lost(self, label: Label) -> bool:
        """Whether Chroma has lost these vectors, noted for `lost`. From any thread.

        Asked of each collection of a folder once for every process that had it open; how a server
        keeps them is its own matter.
        """
        stored = self._vectors.get(label)
        if self.client.breaker is not None or stored is None:
            return False
        starts = self.client.api.starts
        if self._whole.get(label) == starts:
            return False
        if not stored.has_lost_vectors():
            self._whole[label] = starts
            return False
        self._lost.add(label)
        return True

    def broke(self, label: Label, error: StorageError) -> bool:
        """Whether vectors that could not be read are lost: they may have broken since."""
        self._whole.pop(label, None)
        return error.fault not in OUTAGES and self.vectors_lost(label)

    def doubt(self, id: str) -> None:
        """Note that a record could not be read. From any thread."""
        self._doubts.add(id)

    def found(self) -> tuple[set[str], set[Label]]:
        """Records that could not be read and vectors that are lost, since this was last asked."""
        doubts, self._doubts = self._doubts, set()
        lost, self._lost = self._lost, set()
        return doubts, lost

    def load(self) -> None:
        """Take note of what there is. Raises SchemaTooNew for a collection of a newer format."""
        listed = self._listed()
        self._vectors = {each: listed[each] for each in listed.keys() - {RECORDS, SCOPES}}
        self._scopes = {
            tag: row["scope"] for tag, row in self._named.get(self._named.ids()).items()
        }
        if not self._scopes:
            self._name_anew()

    def load_again(self) -> None:
        """The same after a collection was found to be gone; its part is made anew.

        Raises StorageError if the records are: an emptied server is no new beginning.
        """
        listed = self._listed()
        if RECORDS not in listed:
            raise StorageError("the Chroma server has lost all memories", fault=Fault.LOST)
        if SCOPES not in listed:
            self._named = self._opened(SCOPES)
            self._named.upsert({tag: {"scope": scope} for tag, scope in self._scopes.items()})
        self.load()

    def _name_anew(self) -> None:
        """From the records: somebody else has deleted the names of the scopes."""
        for page in batches(self.records.ids(), self.client.page):
            for metadata in self.records.get(page).values():
                tag = tag_in(metadata)
                try:
                    scope = scope_in(metadata)
                except StorageError:
                    continue
                if self.place(scope).tag == tag:
                    self._scopes[tag] = scope
        self._named.upsert({tag: {"scope": scope} for tag, scope in self._scopes.items()})

    def _listed(self) -> dict[Label, StoredCollection]:
        found: dict[Label, StoredCollection] = {}
        for each in self.client.collections():
            if (label := self._label(each)) is not None:
                found[label] = StoredCollection(each, self.client)
        return found

    def name(self, label: Label) -> str:
        """The name of a collection."""
        parts = (self._installation, label.tag, label.fingerprint, str(label.dimension))
        return f"{PREFIX}-{label.role}-{digest(16, *parts)}"

    def _label(self, collection: Any) -> Label | None:
        """What a listed collection is; None if it is not ours."""
        metadata: Mapping[str, Any] = collection.metadata or {}
        owner = (metadata.get("program"), metadata.get("installation"))
        if owner != (PROGRAM, self._installation):
            return None
        if metadata.get("format") != FORMAT:
            text = f"{collection.name} was written by a newer version ({metadata.get('format')})"
            raise SchemaTooNew(text, file=collection.name, fault=Fault.NEWER)
        told = (metadata[each] for each in ("tag", "fingerprint", "dimension"))
        label = Label(CollectionRole(metadata["role"]), *told)
        return label if self.name(label) == collection.name else None

    def _opened(self, label: Label) -> StoredCollection:
        name = self.name(label)
        searched = label.role is CollectionRole.VECTORS
        collection = self.client.write(
            lambda: self.client.api.get_or_create_collection(
                name,
                embedding_function=None,
                configuration={"hnsw": SEARCHED if searched else UNSEARCHED},
                metadata={
                    "program": PROGRAM,
                    "format": FORMAT,
                    "installation": self._installation,
                    "role": label.role.value,
                    "tag": label.tag,
                    "fingerprint": label.fingerprint,
                    "dimension": label.dimension,
                },
            )
        )
        if self._label(collection) != label:
            text = f"the collection {name} was made by somebody else"
            raise StorageError(text, file=name, fault=Fault.FOREIGN)
        return StoredCollection(collection, self.client)


def digest(size: int, *parts: str) -> str:
    """What stands for the parts in a name, of so many bytes."""
    return blake2b("\0".join(parts).encode(), digest_size=size).hexdigest()
