"""Our collections on one Chroma: their names, whose they are, what each is for.

Per installation one `directory` (id to scope) and one of `fades` (decay deltas); per scope one of
`records`; per scope, embedder and dimension one of `vectors`, since Chroma fixes a collection's
dimension. A name is a hash; the collection's metadata say what it is, and so whether it is ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from ...core.languages.terms import INDEX_VERSION
from ...core.model.errors import Fault, SchemaTooNew, StorageError
from .client import Client
from .collection import StoredCollection
from .decay_deltas import DecayDeltas, Records
from .mapping import TaggedScope
from .quotas import COLLECTION_VALUE_BYTES, PAGE, joined, pieces

PROGRAM = "astrbot_plugin_tidemark"
FORMAT = 3
"""Of collections made now: 2 has decay deltas, 3 may have documents. Older ones stay so."""

PREFIX = "tidemark"
OWNER = "journal"
"""In the metadata of the directory: the journal that the memories belong to."""

TAG = 16

# Only vectors are ever searched.
_SEARCHED = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 300}
_UNSEARCHED = {"space": "cosine", "ef_construction": 2, "max_neighbors": 2}


class CollectionRole(StrEnum):
    """What a collection is for."""

    DIRECTORY = "directory"
    DELTAS = "fades"
    RECORDS = "records"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Label:
    """What a collection is."""

    role: CollectionRole
    scope: str = ""
    fingerprint: str = ""
    dimension: int = 1


WORDS = "words"
"""In the metadata of records: of which version of the index all their documents are."""

_DIRECTORY = Label(CollectionRole.DIRECTORY)
_FADES = Label(CollectionRole.DELTAS)


def vectors_label(scope: str, fingerprint: str, dimension: int) -> Label:
    """The vectors of a scope that one embedder made."""
    return Label(CollectionRole.VECTORS, scope, fingerprint, dimension)


def label_name(installation: str, label: Label) -> str:
    """The name of an installation's collection."""
    parts = (installation, label.scope, label.fingerprint, str(label.dimension))
    digest = blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
    return f"{PREFIX}-{label.role}-{digest}"


class Namespace:
    """The collections of one installation. Used by one writer; readers see whole changes."""

    def __init__(self, client: Client, installation: str) -> None:
        self._client = client
        self._installation = installation
        self._stored_collections: dict[Label, StoredCollection] = {}
        self._doubts: dict[str, str] = {}
        self._lost: set[Label] = set()
        self._whole: dict[Label, int] = {}
        """Vectors found to be there, and by which of the folder's processes."""
        self.deltas = DecayDeltas(
            found=lambda: self._stored_collections.get(_FADES), made=lambda: self._opened(_FADES)
        )
        self._directory = self._opened(_DIRECTORY)
        metadata: Mapping[str, Any] = self._directory.collection.metadata or {}
        self._owner: str | None = metadata.get(OWNER)

    @property
    def directory(self) -> StoredCollection:
        """Every id with its scope; written before the record, deleted after it."""
        return self._directory

    def doubt(self, scope: str, id: str) -> None:
        """Note that a record could not be read. From any thread."""
        self._doubts[id] = scope

    def doubted(self) -> dict[str, str]:
        """The scopes of the records that could not be read, by id, since this was last asked."""
        doubts, self._doubts = self._doubts, {}
        return doubts

    def owner(self) -> str | None:
        """The journal that the memories belong to, if it has been named."""
        return self._owner

    def belong_to(self, journal: str) -> None:
        """Name that journal."""
        collection = self._directory.collection
        named = {**collection.metadata, OWNER: journal}
        self._client.write(lambda: collection.modify(metadata=named))
        self._owner = journal

    def scopes(self) -> list[str]:
        """Every scope that has records."""
        return sorted(
            label.scope
            for label in list(self._stored_collections)
            if label.role is CollectionRole.RECORDS
        )

    def place(self, scope: str) -> TaggedScope:
        """The scope with its tag."""
        return TaggedScope(scope, self.name(Label(CollectionRole.RECORDS, scope))[-TAG:])

    def records(self, scope: str) -> StoredCollection | None:
        """The records of a scope, if it has any."""
        return self._stored_collections.get(Label(CollectionRole.RECORDS, scope))

    def records_for(self, scope: str) -> StoredCollection:
        """The records of a scope, made if there are none."""
        return self._opened(Label(CollectionRole.RECORDS, scope))

    def has_documents(self, scope: str) -> bool:
        """Whether what is written to the scope needs its document."""
        return self._client.searches_text or self._words(scope) is not None

    def searches_text(self, scope: str) -> bool:
        """Whether the documents of the scope are complete, and a server can search them."""
        return self._client.searches_text and self._words(scope) == INDEX_VERSION

    def lacks_documents(self, scope: str) -> bool:
        """Whether some are missing, or of another version, where a server could search them."""
        return self._client.searches_text and not self.searches_text(scope)

    def documents_complete(self, scope: str) -> None:
        """Note that every recallable record of the scope has its document."""
        if (stored := self.records(scope)) is not None:
            noted = {**stored.collection.metadata, "format": FORMAT, WORDS: INDEX_VERSION}
            self._client.write(lambda: stored.collection.modify(metadata=noted))

    def _words(self, scope: str) -> int | None:
        stored = self.records(scope)
        return None if stored is None else (stored.collection.metadata or {}).get(WORDS)

    def vectors(self, scope: str, fingerprint: str, dimension: int) -> StoredCollection | None:
        """The vectors that a query of this sort is compared with."""
        return self._stored_collections.get(vectors_label(scope, fingerprint, dimension))

    def vectors_for(
        self, scope: str, fingerprint: str, dimension: int
    ) -> tuple[str, StoredCollection]:
        """The same, made if there are none, with its name."""
        label = vectors_label(scope, fingerprint, dimension)
        return self.name(label), self._opened(label)

    def vectors_name(self, scope: str, fingerprint: str, dimension: int) -> str:
        """What a record says whose vector is there."""
        return self.name(vectors_label(scope, fingerprint, dimension))

    def all_vectors(self, scope: str) -> dict[str, tuple[Label, StoredCollection]]:
        """Every collection of vectors of a scope, by name."""
        return {
            self.name(label): (label, collection)
            for label, collection in list(self._stored_collections.items())
            if label.role is CollectionRole.VECTORS and label.scope == scope
        }

    def vectors_lost(self, label: Label) -> bool:
        """Whether Chroma has lost these vectors, noted for `lost`. From any thread.

        Asked of each collection of a folder once for every process that had it open; how a server
        keeps them is its own matter.
        """
        if self._client.breaker is not None:
            return False
        starts = self._client.api.starts
        if self._whole.get(label) == starts:
            return False
        stored = self._stored_collections.get(label)
        if stored is None or not stored.has_lost_vectors():
            self._whole[label] = starts
            return False
        self._lost.add(label)
        return True

    def look_again(self, label: Label) -> bool:
        """`vectors_lost` of a collection that could not be read: it may have broken since."""
        self._whole.pop(label, None)
        return self.vectors_lost(label)

    def lost(self) -> set[Label]:
        """The vectors that were found to be lost since this was last asked."""
        lost, self._lost = self._lost, set()
        return lost

    def drop_lost(self, label: Label) -> None:
        """Delete vectors, if they are still there and still lost."""
        if self.vectors_lost(label):
            self._lost.discard(label)
            self._delete(label)

    def drop(self, scope: str) -> None:
        """Delete everything of a scope: its vectors, then its records."""
        doomed = [label for label in self._stored_collections if label.scope == scope]
        for label in sorted(doomed, key=lambda label: label.role, reverse=True):
            self._delete(label)
        self.deltas.delete(self.place(scope).tag)

    def drop_if_empty(self, label: Label) -> None:
        """Delete a collection that nothing is in any more."""
        if self._stored_collections[label].is_empty():
            self._delete(label)

    def load(self) -> None:
        """Take note of every collection of ours. Raises SchemaTooNew for one of a newer format."""
        self._stored_collections |= self._listed()
        if self.scopes() and self._directory.is_empty():
            self._fill_directory()

    def load_again(self) -> set[Label]:
        """The same after a collection was found to be gone; what is gone since.

        What is derived is made anew: the directory here, the rest by whoever needs it. Raises
        StorageError if no records are left: an emptied server is no new beginning.
        """
        listed = self._listed()
        if not any(label.role is CollectionRole.RECORDS for label in listed):
            raise StorageError("the Chroma server has lost all memories", fault=Fault.LOST)
        gone = self._stored_collections.keys() - listed.keys()
        self._stored_collections = listed
        if _FADES in gone:
            self.deltas.forget()
        if _DIRECTORY in gone:
            self._directory = self._opened(_DIRECTORY)
            self._fill_directory()
            if self._owner is not None:
                self.belong_to(self._owner)
        return gone

    def _fill_directory(self) -> None:
        """From the records: somebody else has deleted it."""
        for scope in self.scopes():
            if (records := self.records(scope)) is not None:
                self._directory.upsert({id: {"scope": scope} for id in records.ids()})

    def _listed(self) -> dict[Label, StoredCollection]:
        every = ((self._label(each), each) for each in self._client.collections(PAGE))
        return {label: self._stored(label, each) for label, each in every if label is not None}

    def name(self, label: Label) -> str:
        """The name of a collection."""
        return label_name(self._installation, label)

    def _delete(self, label: Label) -> None:
        name = self.name(label)
        # Forgotten first: should the answer get lost, nobody asks for what is no longer there.
        del self._stored_collections[label]
        self._client.write(lambda: self._client.api.delete_collection(name))

    def _label(self, collection: Any) -> Label | None:
        """What a listed collection is; None if it is not ours."""
        metadata: Mapping[str, Any] = collection.metadata or {}
        owner = (metadata.get("program"), metadata.get("installation"))
        if owner != (PROGRAM, self._installation):
            return None
        if metadata.get("format") not in range(1, FORMAT + 1):
            text = f"{collection.name} was written by a newer version ({metadata.get('format')})"
            raise SchemaTooNew(text, file=collection.name, fault=Fault.NEWER)
        label = Label(
            CollectionRole(metadata["role"]),
            joined("scope", metadata),
            metadata["fingerprint"],
            metadata["dimension"],
        )
        return label if self.name(label) == collection.name else None

    def _opened(self, label: Label) -> StoredCollection:
        if label not in self._stored_collections:
            name = self.name(label)
            collection = self._client.write(lambda: self._make(name, label))
            if self._label(collection) != label:
                text = f"the collection {name} was made by somebody else"
                raise StorageError(text, file=name, fault=Fault.FOREIGN)
            self._stored_collections[label] = self._stored(label, collection)
        return self._stored_collections[label]

    def _stored(self, label: Label, collection: Any) -> StoredCollection:
        if label.role is CollectionRole.RECORDS:
            return Records(collection, self._client, self.place(label.scope).tag, self.deltas)
        return StoredCollection(collection, self._client)

    def _make(self, name: str, label: Label) -> Any:
        searched = label.role is CollectionRole.VECTORS
        worded = label.role is CollectionRole.RECORDS and self._client.searches_text
        return self._client.api.get_or_create_collection(
            name,
            embedding_function=None,
            configuration={"hnsw": _SEARCHED if searched else _UNSEARCHED},
            metadata={
                "program": PROGRAM,
                "format": FORMAT,
                "installation": self._installation,
                "role": label.role.value,
                "fingerprint": label.fingerprint,
                "dimension": label.dimension,
                **({WORDS: INDEX_VERSION} if worded else {}),
                **pieces("scope", label.scope, COLLECTION_VALUE_BYTES),
            },
        )
