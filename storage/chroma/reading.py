"""What is read from the collections of an installation. Everything blocks, nothing is changed."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...core.graph.communities import provenance
from ...core.model.errors import StorageError, UnreadableRecord
from ...core.model.memory import WHOLE, Memory, Status
from ...core.ports import (
    Ancestor,
    Embedded,
    Filter,
    Order,
    Scored,
    Tally,
    Tiers,
    Unreadable,
    Vector,
)
from .. import ranking
from ..codec import problem_of
from ..ranking import SORT_KEYS, Provenance, matches, walk
from .client import batches
from .namespace import CollectionRole, Label, Namespace, StoredCollection, of_view, view_id
from .record import EMBEDDER, STATE, Metadata, State, TaggedScope, decoded, views_in

PAGE = 1_000
"""Memories that are looked at one by one rather than with all others."""

MARGIN = 1.5
"""How many more vectors are asked for than wanted: some belong to what is in the bin."""

COMPARED = 500
"""Up to this many vectors are read and compared here, where only those are wanted."""

WIDEST = 4_096
"""How far a search looks for further vectors that tie with the last one."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory, where it is, and its record."""

    memory: Memory
    place: TaggedScope
    metadata: Metadata


def stored(
    namespace: Namespace, ids: Iterable[str], scopes: Collection[str] | None = None
) -> list[Stored]:
    """The memories with these ids within `scopes` (None: any), in the order of `ids`."""
    wanted = list(dict.fromkeys(ids))
    found = namespace.records.get(wanted)
    each = (_stored(namespace, id, found[id]) for id in wanted if id in found)
    return [one for one in each if one and (scopes is None or one.place.scope in scopes)]


def _stored(namespace: Namespace, id: str, metadata: Metadata) -> Stored | None:
    """None, and noted, if the record cannot be read."""
    place = namespace.place_of(metadata)
    if metadata.get(STATE) == place.set_aside:
        return None
    try:
        return Stored(decoded(id, place, metadata), place, metadata)
    except UnreadableRecord:
        namespace.doubt(id)
        return None


def memories(
    namespace: Namespace, ids: Iterable[str], scopes: Collection[str] | None = None
) -> list[Memory]:
    return [each.memory for each in stored(namespace, ids, scopes)]


def unreadable(namespace: Namespace) -> list[Unreadable]:
    found: list[Unreadable] = []
    for place in namespace.places():
        aside = namespace.records.get(namespace.records.ids({STATE: place.set_aside}))
        for id, metadata in aside.items():
            problem = problem_of(decoded, id, place, metadata)
            found.append(Unreadable(id, place.scope, problem, dict(metadata)))
    return sorted(found, key=lambda record: record.id)


def by_scope(namespace: Namespace, where: Filter) -> Iterator[tuple[TaggedScope, list[str]]]:
    """Scope by scope, the ids that a filter may let through as far as Chroma can tell."""
    for place in namespace.places(where.scopes):
        if (narrowed := place.narrowed(where)) is not None:
            yield place, namespace.records.ids(narrowed)


def possible(namespace: Namespace, where: Filter) -> list[str]:
    """Ids that a filter may let through, in id order."""
    return sorted(id for _, ids in by_scope(namespace, where) for id in ids)


def matching(namespace: Namespace, where: Filter) -> Iterator[Memory]:
    """Every match, scope by scope."""
    for _, ids in by_scope(namespace, where):
        for some in batches(ids, PAGE):
            yield from (each for each in memories(namespace, some) if matches(each, where))


def page(
    namespace: Namespace, where: Filter, order: Order, limit: int, offset: int
) -> list[Memory]:
    """One page of a listing. Reads every match: Chroma cannot sort."""
    key = SORT_KEYS[order]
    chosen = sorted(key(memory) for memory in matching(namespace, where))[offset : offset + limit]
    return memories(namespace, [id for *_, id in chosen])


def page_of(
    namespace: Namespace, ids: Sequence[str], where: Filter, order: Order, limit: int, offset: int
) -> list[Memory]:
    """The same among these ids, of which the filter lets some through."""
    found = (each for each in memories(namespace, ids, where.scopes) if matches(each, where))
    return sorted(found, key=SORT_KEYS[order])[offset : offset + limit]


def count(namespace: Namespace, where: Filter) -> int:
    told = Filter(where.scopes, where.status, recallable=where.recallable, slots=where.slots)
    if where == told:
        return sum(len(ids) for _, ids in by_scope(namespace, where))
    return sum(1 for _ in matching(namespace, where))


def tally(namespace: Namespace, tiers: Tiers, scopes: frozenset[str] | None = None) -> Tally:
    every = list(matching(namespace, Filter(scopes=scopes, status=None)))
    live = [memory for memory in every if memory.standing.status is Status.LIVE]
    by_tier = Counter(tiers.tier(memory.vitality.useful_score) for memory in live)
    return Tally(
        Counter(memory.standing.status for memory in every),
        Counter(memory.kind for memory in live),
        (by_tier[0], by_tier[1], by_tier[2]),
    )


def purge_due(namespace: Namespace, now: float, *, limit: int = 500) -> list[str]:
    due = sorted(
        (memory.standing.purge_at, memory.id)
        for memory in matching(namespace, Filter(status=Status.BINNED))
        if memory.standing.purge_at is not None and memory.standing.purge_at <= now
    )
    return [id for _, id in due[: max(0, limit)]]


def ancestors(
    namespace: Namespace, ids: Sequence[str], scopes: Collection[str], *, depth: int = 5
) -> list[Ancestor]:
    def read(level: Sequence[str]) -> Provenance:
        found = memories(namespace, level, scopes)
        return {memory.id: provenance(memory.id, memory.relations) for memory in found}

    return walk(ids, depth, read)


def vectors(namespace: Namespace, ids: Sequence[str]) -> dict[str, Embedded]:
    wanted: dict[Label, dict[str, list[str]]] = {}
    for id, metadata in namespace.records.get(ids).items():
        label = namespace.labels(namespace.place_of(metadata)).get(metadata.get(EMBEDDER, ""))
        if label is not None:
            wanted.setdefault(label, {})[id] = views_in(metadata)
    found: dict[str, Embedded] = {}
    for label, views in wanted.items():
        try:
            collection = namespace.vectors(label)
            rows = {} if collection is None else _rows(collection, views)
        except StorageError as error:
            if not namespace.broke(label, error):
                raise
            continue
        for id, own in rows.items():
            if WHOLE in own:
                further = {name: row for name, row in own.items() if name}
                found[id] = Embedded(label.fingerprint, own[WHOLE], further)
    return found


def _rows(
    collection: StoredCollection, views: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, Vector]]:
    """The vectors of these memories, of the whole and of these views, by name."""
    ids = [view_id(id, name) for id, names in views.items() for name in (WHOLE, *names)]
    rows: dict[str, dict[str, Vector]] = {}
    for id, row in collection.vectors(ids).items():
        memory, name = of_view(id)
        rows.setdefault(memory, {})[name] = row
    return rows


@dataclass(frozen=True, slots=True)
class NearestVectors:
    """A search for the recallable memories of a scope nearest to a unit vector.

    Ties at the end are by id. With `among`, the nearest of these. A vector may outlast what it was
    made from; the record decides whether it counts.
    """

    namespace: Namespace
    place: TaggedScope
    query: Vector
    fingerprint: str
    limit: int
    among: Collection[str] | None = None

    def search(self) -> list[Scored]:
        """The best, best first; none if the vectors are lost."""
        label = Label(CollectionRole.VECTORS, self.place.tag, self.fingerprint, self.query.size)
        try:
            collection = self.namespace.vectors(label)
            if collection is None:
                return []
            if self.among is not None and len(self.among) <= COMPARED:
                return self._compared(collection, label.embedder, list(self.among))
            return self._widened(collection, label.embedder)
        except StorageError as error:
            if not self.namespace.broke(label, error):
                raise
            return []

    def _widened(self, collection: StoredCollection, embedder: str) -> list[Scored]:
        """Of more and more of the nearest, until they are enough."""
        known: set[str] = set()
        valid: dict[str, list[str]] = {}
        first = width = int(self.limit * MARGIN) + 1
        while True:
            near = [(*of_view(id), c) for id, c in collection.nearest(self.query, width)]
            every = [Scored(id, ranking.cosine_score(c), view=view) for id, view, c in near]
            new = [each.id for each in every if each.id not in known]
            known.update(new)
            valid |= self._valid(embedder, new)
            hits = [hit for hit in ranking.by_best_view(every) if hit.id in valid]
            hits = ranking.best(hits, self.limit)
            full = len(hits) == self.limit
            exhausted = len(every) < width
            if full and (exhausted or width >= WIDEST or every[-1].score < hits[-1].score):
                return hits
            if exhausted and width > first:
                # Its graph may not lead to what lies behind many that do not count.
                recallable = {STATE: self.place.state(State.RECALLABLE)}
                wanted = self.among or self.namespace.records.ids(recallable)
                return self._compared(collection, embedder, list(wanted))
            if exhausted:
                return hits
            width = max(2 * width, width * self.limit // max(1, len(hits)))

    def _compared(
        self, collection: StoredCollection, embedder: str, ids: list[str]
    ) -> list[Scored]:
        """Each of these that has a vector there, by its nearest view."""
        every = ranking.by_best_view(
            Scored(id, ranking.cosine_score(float(row @ self.query)), view=name)
            for id, own in _rows(collection, self._valid(embedder, ids)).items()
            for name, row in own.items()
        )
        return ranking.best(every, self.limit)

    def _valid(self, embedder: str, ids: list[str]) -> dict[str, list[str]]:
        """Of those that a search there may find, the names of the further views."""
        recallable = self.place.state(State.RECALLABLE)
        asked = ids if self.among is None else [id for id in ids if id in self.among]
        return {
            id: views_in(found)
            for id, found in self.namespace.records.get(asked).items()
            if found.get(STATE) == recallable and found.get(EMBEDDER) == embedder
        }
