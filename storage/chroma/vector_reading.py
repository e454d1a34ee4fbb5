"""What is read from the collections of vectors. Everything blocks, nothing is changed."""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...core.model.errors import OUTAGES, StorageError
from ...core.model.memory import Kind
from ...core.model.views import WHOLE
from ...core.ports import Embedded, Scored, Vector
from .. import ranking
from .collection import StoredCollection, of_view, view_id
from .mapping import EMBEDDER, STATE, State, TaggedScope, kind_of, views_in
from .namespace import Namespace, vectors_label
from .reading import in_states, records

MARGIN = 1.5
"""How many more vectors are asked for than wanted: some belong to what is in the bin."""

COMPARED = 500
"""Up to this many vectors are read and compared here, where only those are wanted."""

WIDEST = 4_096
"""How far a search looks for further vectors that tie with the last one."""


def vectors(namespace: Namespace, ids: Sequence[str]) -> dict[str, Embedded]:
    """The vectors of the memories that have one."""
    wanted: dict[tuple[str, str], dict[str, list[str]]] = {}
    for id, (place, metadata) in records(namespace, ids).items():
        there = wanted.setdefault((place.scope, metadata.get(EMBEDDER, "")), {})
        there[id] = views_in(metadata)
    found: dict[str, Embedded] = {}
    for (scope, name), each in wanted.items():
        for label, collection in filter(None, [namespace.all_vectors(scope).get(name)]):
            if namespace.vectors_lost(label):
                continue
            try:
                rows = _rows(collection, each)
            except StorageError as error:
                if error.fault in OUTAGES or not namespace.look_again(label):
                    raise
                continue
            found |= {
                id: Embedded(
                    label.fingerprint, own[WHOLE], {view: own[view] for view in own if view}
                )
                for id, own in rows.items()
                if WHOLE in own
            }
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


def nearest(
    namespace: Namespace,
    scope: str,
    query: Vector,
    fingerprint: str,
    limit: int,
    among: Collection[str] | None = None,
    *,
    kinds: Collection[Kind] | None = None,
) -> list[Scored]:
    """The recallable memories of a scope nearest to a unit vector, ties at the end by id.

    A vector may outlast what it was made from; the record decides whether it counts. With
    `among`, the nearest of these. With `kinds`, those of these kinds; on a server perhaps fewer
    than there are, since it tells no more than its nearest.
    """
    label = vectors_label(scope, fingerprint, query.size)
    if namespace.vectors(scope, fingerprint, query.size) is None or namespace.vectors_lost(label):
        return []
    try:
        return _nearest(namespace, scope, query, fingerprint, limit, among, kinds)
    except StorageError as error:
        if error.fault in OUTAGES or not namespace.look_again(label):
            raise
        return []


def _nearest(
    namespace: Namespace,
    scope: str,
    query: Vector,
    fingerprint: str,
    limit: int,
    among: Collection[str] | None,
    kinds: Collection[Kind] | None,
) -> list[Scored]:
    collection = namespace.vectors(scope, fingerprint, query.size)
    recorded = namespace.records(scope)
    if collection is None or recorded is None:
        return []
    place, name = namespace.place(scope), namespace.vectors_name(scope, fingerprint, query.size)
    if among is not None and len(among) <= COMPARED:
        views = _valid_views(recorded, place, name, list(among))
        return ranking.best(_compared(collection, query, views), limit)
    valid: dict[str, bool] = {}
    most = collection.client.batch.listed or sys.maxsize
    width = min(most, int(limit * MARGIN) + 1)
    while True:
        seen = [(*of_view(id), c) for id, c in collection.nearest(query, width)]
        every = [Scored(id, ranking.cosine_score(c), view=view) for id, view, c in seen]
        near = ranking.by_best_view(every)
        inside = [hit for hit in near if among is None or hit.id in among]
        new = [hit.id for hit in inside if hit.id not in valid]
        valid |= _valid(recorded, place, name, new, kinds)
        hits = ranking.best((hit for hit in inside if valid[hit.id]), limit)
        complete = len(hits) == limit and every[-1].score < hits[-1].score
        if complete or len(every) < width or (width >= min(WIDEST, most) and len(hits) == limit):
            return hits
        if width == most and kinds is not None:
            return hits
        if width == most:
            # A server tells no more than that; what it has is compared one by one.
            wanted = among or recorded.ids(in_states(place, [State.RECALLABLE]))
            views = _valid_views(recorded, place, name, list(wanted))
            return ranking.best(_compared(collection, query, views), limit)
        width = min(most, max(2 * width, width * limit // max(1, len(hits))))


def _compared(
    collection: StoredCollection, query: Vector, views: Mapping[str, Iterable[str]]
) -> list[Scored]:
    """Each of these that has a vector there, by the nearest of these views."""
    return ranking.by_best_view(
        Scored(id, ranking.cosine_score(float(row @ query)), view=name)
        for id, own in _rows(collection, views).items()
        for name, row in own.items()
    )


def _valid(
    collection: StoredCollection,
    place: TaggedScope,
    embedder: str,
    ids: list[str],
    kinds: Collection[Kind] | None,
) -> dict[str, bool]:
    valid = _valid_views(collection, place, embedder, ids, kinds)
    return {id: id in valid for id in ids}


def _valid_views(
    collection: StoredCollection,
    place: TaggedScope,
    embedder: str,
    ids: list[str],
    kinds: Collection[Kind] | None = None,
) -> dict[str, list[str]]:
    """Of those that a search there may find, the names of the further views."""
    recallable = place.state(State.RECALLABLE)
    return {
        id: views_in(found)
        for id, found in collection.get(ids).items()
        if found.get(STATE) == recallable and found.get(EMBEDDER) == embedder
        if kinds is None or kind_of(found) in kinds
    }
