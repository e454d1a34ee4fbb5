"""What is changed in the collections of an installation. Everything blocks; one writer at a time.

Chroma has no transaction over several calls. The calls are ordered so that whatever one leaves
undone is invisible and is repaired by doing it again: the scope's name before the record, the
record before its vector; to delete, the vector, the record, the name.
"""

import heapq
import json
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ...core.model.memory import Memory, Status
from ...core.ports import Amendment, Change, Condition, DecayCount, Filter, Vector, Views
from ...core.records.news import is_news
from ...core.records.serialisation import indexed_text
from .. import ranking
from ..changes import Changes
from ..codec import problem_of
from . import record
from .client import batches
from .index import IndexEntry, Indexes, Load, entry_of
from .namespace import CollectionRole, Label, Namespace, with_views
from .reading import PAGE, Stored, by_scope, memories, stored
from .record import EMBEDDER, STATE, VIEWS, Metadata, State, TaggedScope

logger = logging.getLogger(__name__)


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
        return bool(self.stored.metadata.get(EMBEDDER)) and (retold or shelved)

    def metadata(self) -> dict[str, Any]:
        """What differs in the record."""
        now = record.written(self.after, self.stored.place)
        bare = {EMBEDDER: ""} if self.detached else {}
        was = self.stored.metadata
        return {key: value for key, value in now.items() if was.get(key) != value} | bare


class Backlog:
    """The recallable memories without a vector of one fingerprint."""

    def __init__(self, namespace: Namespace, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._namespace = namespace
        self._recallable: set[str] = set()
        self._lacking: dict[str, float] = {}
        self._changed: set[str] = set()
        for place, ids in by_scope(namespace, Filter(recallable=True)):
            self._recallable.update(ids)
            self._changed.update(ids)
            for embedder, label in namespace.labels(place).items():
                if label.fingerprint == fingerprint:
                    self._changed.difference_update(namespace.records.ids({EMBEDDER: embedder}))

    def changed(self, ids: Iterable[str]) -> None:
        """Have a look at these before the next answer."""
        self._changed.update(ids)

    def counted(self) -> tuple[int, int]:
        """Recallable memories with a vector of the fingerprint, and all recallable ones."""
        self._look()
        return len(self._recallable) - len(self._lacking), len(self._recallable)

    def newest(self, limit: int) -> list[str]:
        """Ids of the newest that lack a vector, newest first."""
        self._look()
        key = self._lacking.__getitem__
        return heapq.nsmallest(max(0, limit), self._lacking, key=lambda id: (-key(id), id))

    def _look(self) -> None:
        ids = list(self._changed)
        read = (stored(self._namespace, some) for some in batches(ids, PAGE))
        found = {each.memory.id: each for some in read for each in some}
        for id in ids:
            self._lacking.pop(id, None)
            if (each := found.get(id)) is None or not each.memory.recallable:
                self._recallable.discard(id)
                continue
            self._recallable.add(id)
            label = self._namespace.labels(each.place).get(each.metadata.get(EMBEDDER, ""))
            if label is None or label.fingerprint != self.fingerprint:
                self._lacking[id] = each.memory.created_at
        self._changed.clear()


class RecordWriter:
    """Changes records, and keeps what is in memory in step with them."""

    def __init__(self, namespace: Namespace, load: Load) -> None:
        self._namespace = namespace
        self._backlog: Backlog | None = None
        self.changes = Changes[str]()
        self.indexes = Indexes(load, self._recallable, self._entries)

    def put(self, new: Sequence[Memory]) -> frozenset[str]:
        """Add those whose id is new; returns their ids."""
        first = {memory.id: memory for memory in reversed(new)}
        found = self._namespace.records.get(first)
        place_of = self._namespace.place_of
        known = {id for id, m in found.items() if m.get(STATE) != place_of(m).set_aside}
        added = [memory for id, memory in first.items() if id not in known]
        with self._following({memory.scope for memory in added}):
            self._namespace.name_scopes({memory.scope for memory in added})
            self._namespace.records.upsert(
                {
                    m.id: record.written(m, self._namespace.place(m.scope)) | {EMBEDDER: ""}
                    for m in added
                }
            )
            for memory in added:
                self._reindex(None, memory)
            self._changed(memory.id for memory in added)
        self.changes.note(memory.scope for memory in added)
        return frozenset(memory.id for memory in added)

    def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        """Replace what `change` changes, in one update."""
        revisions = [_Revision(each, change(each.memory)) for each in stored(self._namespace, ids)]
        for each in revisions:
            if (each.before.id, each.before.scope) != (each.after.id, each.after.scope):
                raise ValueError(f"a change must keep id and scope of {each.before.id}")
        self._revise([each for each in revisions if each.before != each.after])
        return [Amendment(r.before, r.after) for r in revisions if r.before != r.after]

    def decay(self, scopes: Sequence[str], applied: Change) -> DecayCount:
        """Apply a plan of decay to the scopes' live memories."""
        weakened = binned = 0
        for _, ids in by_scope(self._namespace, Filter(scopes=frozenset(scopes))):
            for some in batches(ids, PAGE):
                every = (_Revision(r, applied(r.memory)) for r in stored(self._namespace, some))
                changed = [each for each in every if each.after is not each.before]
                weakened += sum(r.after.vitality != r.before.vitality for r in changed)
                binned += sum(r.after.standing != r.before.standing for r in changed)
                self._revise([each for each in changed if each.after != each.before])
        return DecayCount(weakened, binned)

    def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        """Delete for good; returns the ids that existed, of those for which `only` holds."""
        if only is not None:
            ids = [each.id for each in memories(self._namespace, ids) if only(each)]
        doomed: defaultdict[TaggedScope, list[str]] = defaultdict(list)
        for id, metadata in self._namespace.records.get(ids).items():
            doomed[self._namespace.place_of(metadata)].append(id)
        with self._following({place.scope for place in doomed}):
            for place, each in doomed.items():
                for label in self._namespace.labels(place).values():
                    self._namespace.vectors_for(label).delete(with_views(each))
                self._namespace.records.delete(each)
                self.indexes.change(place.scope, each, ())
                self._changed(each)
            self.drop_bare(doomed)
        if only is None:
            # What leaves the bin had left before.
            self.changes.note(place.scope for place in doomed)
        return frozenset(id for each in doomed.values() for id in each)

    def drop_bare(self, places: Iterable[TaggedScope]) -> None:
        """Delete all of those scopes that have no record any more."""
        bare = [place.scope for place in places if self._namespace.drop_if_bare(place)]
        self.indexes.drop(bare)

    def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        """Attach vectors, at unit length, to the memories that exist; returns how many."""
        units, further = ranking.all_units(vectors, views)
        there: defaultdict[TaggedScope, dict[str, Metadata]] = defaultdict(dict)
        for id, metadata in self._namespace.records.get(units).items():
            there[self._namespace.place_of(metadata)][id] = metadata
        with self._following(()):
            for place, found in there.items():
                dimension = next(iter(units.values())).size
                label = Label(CollectionRole.VECTORS, place.tag, fingerprint, dimension)
                collection = self._namespace.vectors_for(label)
                own = {id: further.get(id, {}) for id in found}
                collection.place_views(own)
                collection.place({id: units[id] for id in found})
                self._attach(place, label, own, found)
        self.changes.note(place.scope for place in there)
        return sum(map(len, there.values()))

    def unembedded(self, fingerprint: str, limit: int) -> list[Memory]:
        """The newest recallable memories without a vector of the fingerprint."""
        return memories(self._namespace, self._counted(fingerprint).newest(limit))

    def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        """Recallable memories with a vector of the fingerprint, and all recallable ones."""
        return self._counted(fingerprint).counted()

    def look_again(self) -> None:
        """After a collection was found to be gone. Raises StorageError."""
        self._namespace.load_again()
        self._backlog = None

    def set_aside(self, doubts: Collection[str], lost: Collection[Label]) -> None:
        """Mark unreadable records, and have lost vectors made again."""
        for label in lost:
            self._forget(label)
        marks: dict[str, Metadata] = {}
        for id, metadata in self._namespace.records.get(doubts).items():
            place = self._namespace.place_of(metadata)
            if problem_of(record.decoded, id, place, metadata):
                marks[id] = {STATE: place.set_aside}
                self.indexes.change(place.scope, [id], ())
        self._namespace.records.update(marks)
        self._backlog = None

    def _forget(self, label: Label) -> None:
        """The records first, so that a kill in between is noticed."""
        if self._namespace.vectors_lost(label):
            ids = self._namespace.records.ids({EMBEDDER: label.embedder})
            self._namespace.records.update({id: {EMBEDDER: ""} for id in ids})
            self._namespace.drop(label)
            logger.warning("Chroma has lost %d vectors, which are made again", len(ids))

    @contextmanager
    def _following(self, scopes: Collection[str]) -> Iterator[None]:
        """Drops what is held in memory if the changes inside are not carried out completely."""
        try:
            yield
        except BaseException:
            self.indexes.drop(scopes)
            self._backlog = None
            raise

    def _revise(self, revisions: Sequence[_Revision]) -> None:
        with self._following({each.after.scope for each in revisions}):
            self._namespace.records.update({r.after.id: r.metadata() for r in revisions})
            for each in revisions:
                self._reindex(each.before, each.after)
            detached = [each for each in revisions if each.detached]
            for each in detached:
                labels = self._namespace.labels(each.stored.place)
                if label := labels.get(each.stored.metadata[EMBEDDER]):
                    self._namespace.vectors_for(label).delete(with_views([each.after.id]))
            moved = [r for r in revisions if r.before.recallable != r.after.recallable]
            self._changed(each.after.id for each in (*detached, *moved))
        self.changes.note(r.after.scope for r in revisions if is_news(r.before, r.after))

    def _reindex(self, before: Memory | None, after: Memory) -> None:
        """Keep the index of a scope in step with a memory: it does not know of vitality."""
        if before is not None and replace(before, vitality=after.vitality) == after:
            return
        if after.recallable:
            self.indexes.change(after.scope, (), [entry_of(after)])
        elif before is not None and before.recallable:
            self.indexes.change(after.scope, [after.id], ())

    def _attach(
        self,
        place: TaggedScope,
        label: Label,
        views: Mapping[str, Views],
        found: Mapping[str, Metadata],
    ) -> None:
        """Have records say where their vectors are now, and delete those they had."""
        names = {id: json.dumps([*own]) for id, own in views.items()}
        self._namespace.records.update(
            {id: {EMBEDDER: label.embedder, VIEWS: own} for id, own in names.items()}
        )
        for embedder, other in self._namespace.labels(place).items():
            former = [id for id in found if found[id].get(EMBEDDER) == embedder]
            if former and other != label:
                old = self._namespace.vectors_for(other)
                old.delete(with_views(former))
                if old.is_empty():
                    self._namespace.drop(other)
        self._changed(found)

    def _changed(self, ids: Iterable[str]) -> None:
        if self._backlog is not None:
            self._backlog.changed(ids)

    def _counted(self, fingerprint: str) -> Backlog:
        if self._backlog is None or self._backlog.fingerprint != fingerprint:
            self._backlog = Backlog(self._namespace, fingerprint)
        return self._backlog

    def _recallable(self, scope: str) -> list[str]:
        place = self._namespace.place(scope)
        return self._namespace.records.ids({STATE: place.state(State.RECALLABLE)})

    def _entries(self, ids: list[str]) -> list[IndexEntry]:
        found = memories(self._namespace, ids)
        return [entry_of(memory) for memory in found if memory.recallable]
