"""What is changed in the collections of an installation. Everything blocks; one writer at a time.

Chroma has no transaction over several calls. The calls are ordered so that whatever one leaves
undone is invisible and is repaired by doing it again: the directory before the record, the record
before its vector; to delete, the vector, the record, the directory.
"""

import heapq
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...core.graph.links import mentions
from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Kind, Memory, Status
from ...core.ports import Amendment, Change, Condition, DecayCount, Filter, Vector, Views
from ...core.records.searched_text import indexed_text
from .. import ranking
from . import mapping, reading
from .client import batches
from .collection import view_ids
from .decay_deltas import DecayDelta, DecayPass
from .documents import document
from .mapping import EMBEDDER, LIFE, VIEWS, Metadata, TaggedScope
from .namespace import Namespace
from .reading import PAGE, Region, Stored
from .text import IndexEntry, Indexes, ScopeIndex


@dataclass(slots=True)
class Aged:
    """What a pass did; `spent` are outlines of what went to the bin, by scope, as they were."""

    weakened: int = 0
    spent: dict[str, list[Memory]] = field(default_factory=dict[str, list[Memory]])

    @property
    def count(self) -> DecayCount:
        """The same in numbers."""
        return DecayCount(self.weakened, sum(map(len, self.spent.values())))


def age(namespace: Namespace, scopes: Sequence[str], applied: Change) -> Aged:
    """Apply a plan to live memories: spent ones record by record, the others as deltas."""
    aged = Aged()
    regions = reading.regions(namespace, Filter(scopes=frozenset(scopes)))
    namespace.deltas.write([_age_region(namespace, region, applied, aged) for region in regions])
    return aged


def _age_region(namespace: Namespace, region: Region, applied: Change, aged: Aged) -> DecayPass:
    deltas: dict[str, DecayDelta] = {}
    binned: dict[str, Metadata] = {}
    spent = aged.spent.setdefault(region.place.scope, [])
    for before, stamp in _outlines(namespace, region):
        after = applied(before)
        if after is before:
            continue
        weakened = after.vitality != before.vitality
        aged.weakened += weakened
        if after.standing != before.standing:
            binned[after.id] = mapping.life_of(after, region.place, mapping.new_stamp())
            spent.append(before)
        elif weakened:
            deltas[after.id] = DecayDelta(
                stamp, after.vitality.strength, after.vitality.last_decay_at
            )
    region.collection.update(binned)
    return DecayPass(region.place.tag, deltas, frozenset(region.ids))


def _outlines(namespace: Namespace, region: Region) -> Iterator[tuple[Memory, int]]:
    for page in batches(region.ids, PAGE):
        for id, metadata in region.collection.get(page).items():
            try:
                yield mapping.stamped_outline(id, region.place, metadata)
            except UnreadableRecord:
                namespace.doubt(region.place.scope, id)


@dataclass(slots=True)
class Backlog:
    """Of one fingerprint, over every scope. Belongs to the writer's thread."""

    fingerprint: str
    recallable: int = 0
    _lacking: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def embedded(self) -> int:
        """Recallable memories with a vector of the fingerprint."""
        return self.recallable - len(self._lacking)

    def follow(self, memory: Memory, fingerprint: str, *, was: bool, now: bool) -> None:
        """A memory whose vector is of `fingerprint` ("" for none) was and is recallable or not."""
        self.recallable += now - was
        if now and fingerprint != self.fingerprint:
            self._lacking[memory.id] = memory.created_at
        else:
            self._lacking.pop(memory.id, None)

    def newest(self, limit: int) -> list[str]:
        """Ids of the newest that lack a vector, newest first."""
        return heapq.nsmallest(
            max(0, limit), self._lacking, key=lambda id: (-self._lacking[id], id)
        )


@dataclass(frozen=True, slots=True)
class _Revision:
    """A memory before and after, and what becomes of its vector."""

    stored: Stored
    after: Memory

    @property
    def before(self) -> Memory:
        return self.stored.memory

    @property
    def detached(self) -> bool:
        """A vector is of the text as it was; the archive keeps none."""
        retold = indexed_text(self.before) != indexed_text(self.after)
        shelved = self.after.standing.status is Status.ARCHIVED
        return self.stored.embedder != "" and (retold or shelved)

    @property
    def reworded(self) -> bool:
        """Whether it needs another document. What is set aside may have none of this version."""
        restored = self.after.recallable and not self.before.recallable
        was, now = _entry(self.before), _entry(self.after)
        return restored or (was.text, was.kind, was.turns) != (now.text, now.kind, now.turns)

    def metadata(self) -> dict[str, Any]:
        """What differs in the record."""
        was, now = (mapping.written(m, self.stored.place, 0) for m in (self.before, self.after))
        changed = _differing(now, was)
        if LIFE in changed:
            changed[LIFE] = mapping.life(self.after, mapping.new_stamp())
        return changed | ({EMBEDDER: ""} if self.detached else {})


INDEXED = 300
"""Records read into an index at a time: a writer waits for so many at most."""


@dataclass(slots=True)
class IndexFill:
    """An index that is being filled, and the pages still to be read."""

    scope: str
    index: ScopeIndex
    pages: list[tuple[Region, Sequence[str]]]
    wording: bool
    """Whether the documents of the scope are made, too."""

    complete: bool = False


class RecordWriter:
    """Changes records, and keeps what is in memory in step with them."""

    def __init__(self, namespace: Namespace, indexes: Indexes) -> None:
        self._namespace = namespace
        self._indexes = indexes
        self._backlog: Backlog | None = None

    def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        """Add those whose id is new; returns their ids."""
        first = {memory.id: memory for memory in reversed(memories)}
        found = reading.records(self._namespace, first)
        known = {
            id: each
            for id, each in found.items()
            if each[1].get(mapping.STATE) != each[0].set_aside
        }
        new = _by_scope(memory for id, memory in first.items() if id not in known)
        with self._following(new):
            self._namespace.directory.upsert(
                {memory.id: {"scope": scope} for scope, each in new.items() for memory in each}
            )
            for scope, each in new.items():
                place, collection = self._namespace.place(scope), self._namespace.records_for(scope)
                # Pieces of a longer text would stay in what is written over.
                collection.delete(memory.id for memory in each if memory.id in found)
                collection.upsert(
                    {memory.id: _complete(memory, place) for memory in each},
                    self._documents(scope, each),
                )
                self._reindex(scope, (), each)
                self._follow((memory, "", False, memory.recallable) for memory in each)
        return frozenset(first.keys() - known.keys())

    def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        """Replace what `change` changes, one update per scope."""
        revisions = _revisions(reading.stored(self._namespace, ids), change)
        by_scope: defaultdict[str, list[_Revision]] = defaultdict(list)
        for revision in revisions:
            by_scope[revision.after.scope].append(revision)
        with self._following(by_scope):
            for scope, each in by_scope.items():
                collection = self._namespace.records_for(scope)
                collection.update(
                    {revision.after.id: revision.metadata() for revision in each},
                    self._documents(scope, (r.after for r in each if r.reworded)),
                )
                self._reindex(scope, (r.before for r in each), (r.after for r in each))
                self._follow(self._facts(revision) for revision in each)
            for scope, each in by_scope.items():
                self._detach(scope, [revision for revision in each if revision.detached])
        return [Amendment(revision.before, revision.after) for revision in revisions]

    def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        """Delete for good; returns the ids that existed, of those for which `only` holds."""
        if only is not None:
            stored = reading.stored(self._namespace, ids)
            ids = [each.memory.id for each in stored if only(each.memory)]
        found = reading.records(self._namespace, ids)
        by_scope = reading.by_scope(self._namespace, ids)
        with self._following(by_scope):
            for scope, each in by_scope.items():
                self._delete(scope, each)
                gone = (self._gone(id, *found[id]) for id in each if id in found)
                self._follow(facts for facts in gone if facts is not None)
            self._namespace.directory.delete(ids)
        return frozenset(found)

    def recount(self) -> None:
        """Have what lacks a vector counted anew when it is next asked for."""
        self._backlog = None

    def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        """Attach vectors, at unit length, to the memories that exist; returns how many."""
        units, further = ranking.all_units(vectors, views)
        by_scope: defaultdict[str, dict[str, Metadata]] = defaultdict(dict)
        for id, (place, metadata) in reading.records(self._namespace, units).items():
            by_scope[place.scope][id] = metadata
        with self._following(()):
            for scope, found in by_scope.items():
                own = {id: further.get(id, {}) for id in found}
                self._attach(scope, fingerprint, {id: units[id] for id in found}, own, found)
        return sum(map(len, by_scope.values()))

    def decay(self, scopes: Sequence[str], applied: Change) -> DecayCount:
        """Apply a plan of decay to the scopes' live memories."""
        with self._following(scopes):
            aged = age(self._namespace, scopes, applied)
            for scope, spent in aged.spent.items():
                self._reindex(scope, spent, ())
                self._follow((memory, "", memory.recallable, False) for memory in spent)
        return aged.count

    def begin_index(self, scope: str) -> "IndexFill":
        """A text index of a scope that is not in memory, to be filled page by page."""
        index = self._indexes.grow(scope)
        recallable = Filter(scopes=frozenset({scope}), recallable=True)
        regions = reading.regions(self._namespace, recallable)
        pages = [(each, page) for each in regions for page in batches(each.ids, INDEXED)]
        return IndexFill(scope, index, pages, self._namespace.lacks_documents(scope))

    def go_on(self, fill: "IndexFill") -> bool:
        """Read one page more; False once there is none, or if it has to be begun anew."""
        if not self._indexes.grows(fill.scope, fill.index):
            return False
        if not fill.pages:
            if fill.wording:
                self._namespace.documents_complete(fill.scope)
            self._indexes.keep(fill.scope, fill.index)
            fill.complete = True
            return False
        region, page = fill.pages.pop()
        memories = (
            reading.decoded_or_noted(self._namespace, id, region.place, metadata)
            for id, metadata in region.collection.get(page).items()
        )
        entries = [_entry(each) for each in memories if each is not None and each.recallable]
        if fill.wording:
            region.collection.reword({entry.id: document(entry) for entry in entries})
        fill.index.change((), entries)
        return True

    def unembedded(self, fingerprint: str, limit: int) -> list[Memory]:
        """The newest recallable memories without a vector of the fingerprint."""
        ids = self._counted(fingerprint).newest(limit)
        return [each.memory for each in reading.stored(self._namespace, ids)]

    def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        """Recallable memories with a vector of the fingerprint, and all recallable ones."""
        backlog = self._counted(fingerprint)
        return backlog.embedded, backlog.recallable

    @contextmanager
    def _following(self, scopes: Collection[str]) -> Iterator[None]:
        """Drops what is held in memory if the changes inside are not carried out completely."""
        try:
            yield
        except BaseException:
            self._indexes.drop(scopes)
            self._namespace.deltas.drop(self._namespace.place(scope).tag for scope in scopes)
            self._backlog = None
            raise

    def _reindex(self, scope: str, before: Iterable[Memory], after: Iterable[Memory]) -> None:
        followed = self._indexes.followed(scope)
        if not followed:
            return
        was = {memory.id: _entry(memory) for memory in before if memory.recallable}
        now = {memory.id: _entry(memory) for memory in after if memory.recallable}
        come = [entry for id, entry in now.items() if was.get(id) != entry]
        for index in followed:
            index.change(was.keys() - now.keys(), come)

    def _documents(self, scope: str, memories: Iterable[Memory]) -> dict[str, str]:
        """Their documents, where the scope has any."""
        if not self._namespace.has_documents(scope):
            return {}
        return {memory.id: document(_entry(memory)) for memory in memories}

    def _follow(self, facts: Iterable[tuple[Memory, str, bool, bool]]) -> None:
        """Each a memory, the fingerprint of its vector, whether it was and is recallable."""
        if self._backlog is not None:
            for memory, fingerprint, was, now in facts:
                self._backlog.follow(memory, fingerprint, was=was, now=now)

    def _facts(self, revision: _Revision) -> tuple[Memory, str, bool, bool]:
        scope, name = revision.after.scope, revision.stored.embedder
        fingerprint = "" if revision.detached else self._fingerprint(scope, name)
        return revision.after, fingerprint, revision.before.recallable, revision.after.recallable

    def _gone(
        self, id: str, place: TaggedScope, metadata: Metadata
    ) -> tuple[Memory, str, bool, bool] | None:
        try:
            memory = mapping.outline(id, place, metadata)
        except UnreadableRecord:
            return None
        counted = metadata.get(mapping.STATE) != place.set_aside
        return memory, "", memory.recallable and counted, False

    def _fingerprint(self, scope: str, name: str) -> str:
        found = self._namespace.all_vectors(scope).get(name)
        return found[0].fingerprint if found else ""

    def _delete(self, scope: str, ids: list[str]) -> None:
        for _, collection in self._namespace.all_vectors(scope).values():
            collection.delete([*ids, *view_ids(ids)])
        records = self._namespace.records(scope)
        if records is None:
            return
        records.delete(ids)
        for index in self._indexes.followed(scope):
            index.change(ids, ())
        if records.is_empty():
            self._namespace.drop(scope)
            self._indexes.drop([scope])

    def _detach(self, scope: str, revisions: list[_Revision]) -> None:
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for revision in revisions:
            by_name[revision.stored.embedder].append(revision.after.id)
        collections = self._namespace.all_vectors(scope)
        for name, ids in by_name.items():
            if name in collections:
                collections[name][1].delete([*view_ids(ids), *ids])

    def _attach(
        self,
        scope: str,
        fingerprint: str,
        units: Mapping[str, Vector],
        views: Mapping[str, Views],
        found: Mapping[str, Metadata],
    ) -> None:
        dimension = next(iter(units.values())).size
        name, collection = self._namespace.vectors_for(scope, fingerprint, dimension)
        collection.place_views(views)
        collection.place(units)
        self._namespace.records_for(scope).update(
            {id: {EMBEDDER: name, VIEWS: json.dumps([*views[id]])} for id in units}
        )
        for other, (label, old) in self._namespace.all_vectors(scope).items():
            former = [id for id in units if found[id].get(EMBEDDER) == other]
            if former and other != name:
                old.delete([*view_ids(former), *former])
                self._namespace.drop_if_empty(label)
        place = self._namespace.place(scope)
        outlines = (self._outline(id, place, metadata) for id, metadata in found.items())
        self._follow((m, fingerprint, m.recallable, m.recallable) for m in outlines if m)

    def _counted(self, fingerprint: str) -> Backlog:
        if self._backlog is None or self._backlog.fingerprint != fingerprint:
            backlog = Backlog(fingerprint)
            for region in reading.regions(self._namespace, Filter(recallable=True)):
                backlog.recallable += len(region.ids)
                lacking = set(region.ids) - self._embedded(region.place.scope, fingerprint)
                for page in batches(sorted(lacking), PAGE):
                    for id, metadata in region.collection.get(page).items():
                        memory = self._outline(id, region.place, metadata)
                        if memory is not None:
                            backlog.follow(memory, "", was=True, now=True)
            self._backlog = backlog
        return self._backlog

    def _outline(self, id: str, place: TaggedScope, metadata: Metadata) -> Memory | None:
        try:
            return mapping.outline(id, place, metadata)
        except UnreadableRecord:
            self._namespace.doubt(place.scope, id)
            return None

    def _embedded(self, scope: str, fingerprint: str) -> set[str]:
        records = self._namespace.records_for(scope)
        names = [
            name
            for name, (label, _) in self._namespace.all_vectors(scope).items()
            if label.fingerprint == fingerprint
        ]
        return {id for name in names for id in records.ids({EMBEDDER: name})}


def _by_scope(memories: Iterable[Memory]) -> dict[str, list[Memory]]:
    by_scope: dict[str, list[Memory]] = {}
    for memory in memories:
        by_scope.setdefault(memory.scope, []).append(memory)
    return by_scope


def _complete(memory: Memory, place: TaggedScope) -> dict[str, Any]:
    return mapping.written(memory, place, mapping.new_stamp()) | {EMBEDDER: ""}


def _differing(now: Metadata, was: Metadata) -> dict[str, Any]:
    """What is new; a piece of text that is needed no more becomes empty."""
    changed = {key: value for key, value in now.items() if was.get(key) != value}
    return changed | {key: "" for key in was if key not in now}


def _entry(memory: Memory) -> IndexEntry:
    turns = () if memory.kind is Kind.EVIDENCE else memory.origin.turns
    return IndexEntry(
        memory.id,
        indexed_text(memory),
        turns,
        memory.kind,
        memory.created_at,
        memory.happened_at,
        mentions(memory),
        memory.due_at,
    )


def _revisions(found: Sequence[Stored], change: Change) -> list[_Revision]:
    revisions = [_Revision(each, change(each.memory)) for each in found]
    for each in revisions:
        if (each.before.id, each.before.scope) != (each.after.id, each.after.scope):
            raise ValueError(f"a change must keep id and scope of {each.before.id}")
    return [each for each in revisions if each.before != each.after]
