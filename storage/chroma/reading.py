"""What is read from the collections of an installation. Everything blocks, nothing is changed."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.graph.links import provenance
from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Kind, Memory, Status
from ...core.model.views import WHOLE
from ...core.ports import Ancestor, Embedded, Filter, Order, Scored, Unreadable, Vector
from .. import ranking
from ..lineage import Provenance, walk
from ..matching import SORT_KEYS, matches
from .client import batches
from .collection import StoredCollection, of_view, view_id
from .mapping import (
    DELTA,
    EMBEDDER,
    SINCE,
    SLOT,
    STATE,
    Metadata,
    State,
    TaggedScope,
    decoded,
    happened_at,
    kind_of,
    outline,
    states,
    views_in,
)
from .namespace import Namespace, vectors_label

FEW_SCOPES = 8
"""Up to this many scopes are each asked for an id; with more, the directory is asked."""

PAGE = 1_000
MARGIN = 1.5
"""How many more vectors are asked for than wanted: some belong to what is in the bin."""

COMPARED = 500
"""Up to this many vectors are read and compared here, where only those are wanted."""

WIDEST = 4_096
"""How far a search looks for further vectors that tie with the last one."""

type Where = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory, where it is, and the collection its vector is in ("" for none)."""

    memory: Memory
    place: TaggedScope
    embedder: str


@dataclass(frozen=True, slots=True)
class Region:
    """Records of one scope that a filter may let through."""

    place: TaggedScope
    collection: StoredCollection
    ids: Sequence[str]


def records(
    namespace: Namespace, ids: Iterable[str], scopes: Collection[str] | None = None
) -> dict[str, tuple[TaggedScope, Metadata]]:
    """The raw records with these ids within `scopes` (None: any)."""
    found: dict[str, tuple[TaggedScope, Metadata]] = {}
    for scope, wanted in _asked(namespace, list(ids), scopes).items():
        if (collection := namespace.records(scope)) is not None and wanted:
            place = namespace.place(scope)
            found |= {id: (place, metadata) for id, metadata in collection.get(wanted).items()}
    return found


def stored(
    namespace: Namespace, ids: Sequence[str], scopes: Collection[str] | None = None
) -> list[Stored]:
    """The memories with these ids within `scopes`, in the order of `ids`."""
    found = records(namespace, ids, scopes)
    each = (_stored(namespace, id, *found[id]) for id in dict.fromkeys(ids) if id in found)
    return [memory for memory in each if memory is not None]


def decoded_or_noted(
    namespace: Namespace, id: str, place: TaggedScope, metadata: Metadata
) -> Memory | None:
    """The memory of a record; None, and noted, if it is none."""
    try:
        return decoded(id, place, metadata)
    except UnreadableRecord:
        namespace.doubt(place.scope, id)
        return None


def _stored(namespace: Namespace, id: str, place: TaggedScope, metadata: Metadata) -> Stored | None:
    if metadata.get(STATE) == place.set_aside:
        return None
    memory = decoded_or_noted(namespace, id, place, metadata)
    return None if memory is None else Stored(memory, place, metadata.get(EMBEDDER, ""))


def unreadable(namespace: Namespace) -> list[Unreadable]:
    """What has been set aside, by id."""
    found: list[Unreadable] = []
    for scope in namespace.scopes():
        if (collection := namespace.records(scope)) is not None:
            place = namespace.place(scope)
            each = collection.get(collection.ids({STATE: place.set_aside}))
            found += [_raw(id, place, metadata) for id, metadata in each.items()]
    return sorted(found, key=lambda record: record.id)


def _raw(id: str, place: TaggedScope, metadata: Metadata) -> Unreadable:
    raw = {name: value for name, value in metadata.items() if name != DELTA}
    try:
        decoded(id, place, metadata)
    except UnreadableRecord as error:
        # The error's own text is left out: it quotes the memory.
        cause = error.__cause__
        problem = str(getattr(cause, "field", "")) or type(cause).__name__
        return Unreadable(id, place.scope, problem, raw)
    return Unreadable(id, place.scope, "", raw)


def by_scope(namespace: Namespace, ids: Iterable[str]) -> dict[str, list[str]]:
    """Which scope each id belongs to; its record may be about to be written, or just deleted."""
    found: dict[str, list[str]] = {}
    lost: list[str] = []
    for id, entry in namespace.directory.get(ids).items():
        if isinstance(scope := entry.get("scope"), str):
            found.setdefault(scope, []).append(id)
        else:
            lost.append(id)
    # An entry that has lost its scope: the record is looked for everywhere.
    for scope in namespace.scopes() if lost else ():
        if (collection := namespace.records(scope)) is not None and (
            there := collection.known(lost)
        ):
            found.setdefault(scope, []).extend(sorted(there))
    return found


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
            rows = _rows(collection, each)
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


def regions(namespace: Namespace, where: Filter) -> Iterator[Region]:
    """Scope by scope, what a filter lets through as far as Chroma can tell."""
    every = namespace.scopes()
    for scope in every if where.scopes is None else sorted(where.scopes.intersection(every)):
        place, collection = namespace.place(scope), namespace.records(scope)
        # An empty list of values is no filter to Chroma.
        if where.slots == frozenset():
            continue
        if collection is not None and (wanted := states(where)):
            ids = collection.ids(_asked_for(place, wanted, where.slots))
            if len(wanted) == len(State) and (
                aside := set(collection.ids({STATE: place.set_aside}))
            ):
                ids = [id for id in ids if id not in aside]
            yield Region(place, collection, ids)


def outlines(namespace: Namespace, where: Filter, *, dated: bool = False) -> Iterator[Memory]:
    """Every match without its body, scope by scope; if `dated`, with the time of its event."""
    dated = dated or where.happened is not None
    for region in regions(namespace, where):
        for page in batches(region.ids, PAGE):
            for id, metadata in region.collection.get(page).items():
                try:
                    memory = outline(id, region.place, metadata)
                    if dated:
                        memory = replace(memory, happened_at=happened_at(metadata))
                except UnreadableRecord:
                    namespace.doubt(region.place.scope, id)
                    continue
                if matches(memory, where):
                    yield memory


def page(
    namespace: Namespace, where: Filter, order: Order, limit: int, offset: int
) -> list[Memory]:
    """One page of a listing. Reads every match: Chroma cannot sort."""
    key = SORT_KEYS[order]
    every = outlines(namespace, where, dated=order is Order.LATEST)
    ranked = sorted((*key(memory), memory.scope) for memory in every)
    chosen = ranked[offset : offset + limit]
    scopes = {scope for *_, scope in chosen}
    found = stored(namespace, [id for *_, id, _ in chosen], scopes)
    return [each.memory for each in found]


def page_of(
    namespace: Namespace, ids: Sequence[str], where: Filter, order: Order, limit: int, offset: int
) -> list[Memory]:
    """The same among these ids, of which the filter lets some through."""
    found = (each.memory for each in stored(namespace, ids, where.scopes))
    every = sorted((m for m in found if matches(m, where)), key=SORT_KEYS[order])
    return every[offset : offset + limit]


def count(namespace: Namespace, where: Filter) -> int:
    """How many match."""
    told = Filter(where.scopes, where.status, recallable=where.recallable, slots=where.slots)
    if where == told:
        return sum(len(region.ids) for region in regions(namespace, where))
    return sum(1 for _ in outlines(namespace, where))


def matching_ids(namespace: Namespace, where: Filter) -> list[str]:
    """Ids that a filter may let through, in id order."""
    return sorted(id for region in regions(namespace, where) for id in region.ids)


def binned_at(namespace: Namespace, now: float, after: str, limit: int) -> list[Memory]:
    """What was put into the bin at exactly `now`, by id."""
    ids: list[str] = []
    for scope in namespace.scopes():
        if (collection := namespace.records(scope)) is not None:
            ids += collection.ids({SINCE: namespace.place(scope).binned_at(now)})
    chosen = sorted(id for id in ids if id > after)[: max(0, limit)]
    return [each.memory for each in stored(namespace, chosen)]


def purge_due(namespace: Namespace, now: float, limit: int) -> list[str]:
    """Ids of binned memories whose time has passed, the longest due first."""
    due = sorted(
        (memory.standing.purge_at, memory.id)
        for memory in outlines(namespace, Filter(status=Status.BINNED))
        if memory.standing.purge_at is not None and memory.standing.purge_at <= now
    )
    return [id for _, id in due[: max(0, limit)]]


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
    collection = namespace.vectors(scope, fingerprint, query.size)
    records = namespace.records(scope)
    if collection is None or records is None:
        return []
    if namespace.vectors_lost(vectors_label(scope, fingerprint, query.size)):
        return []
    place, name = namespace.place(scope), namespace.vectors_name(scope, fingerprint, query.size)
    if among is not None and len(among) <= COMPARED:
        views = _valid_views(records, place, name, list(among))
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
        valid |= _valid(records, place, name, new, kinds)
        hits = ranking.best((hit for hit in inside if valid[hit.id]), limit)
        complete = len(hits) == limit and every[-1].score < hits[-1].score
        if complete or len(every) < width or (width >= min(WIDEST, most) and len(hits) == limit):
            return hits
        if width == most and kinds is not None:
            return hits
        if width == most:
            # A server tells no more than that; what it has is compared one by one.
            wanted = among or records.ids(_in_states(place, [State.RECALLABLE]))
            views = _valid_views(records, place, name, list(wanted))
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


def ancestors(
    namespace: Namespace, ids: Sequence[str], scopes: Collection[str], depth: int
) -> list[Ancestor]:
    """What memories came from, one read per step."""

    def read(level: Sequence[str]) -> Provenance:
        found = (each.memory for each in stored(namespace, level, scopes))
        return {memory.id: provenance(memory.id, memory.relations) for memory in found}

    return walk(ids, depth, read)


def _asked(
    namespace: Namespace, ids: list[str], scopes: Collection[str] | None
) -> dict[str, list[str]]:
    """Which scopes to ask for which ids."""
    if scopes is not None and len(scopes) <= FEW_SCOPES:
        return dict.fromkeys(scopes, ids)
    found = by_scope(namespace, ids)
    return {scope: each for scope, each in found.items() if scopes is None or scope in scopes}


def _asked_for(
    place: TaggedScope, wanted: Collection[State], slots: Collection[str] | None
) -> Where | None:
    narrowed = _in_states(place, wanted)
    if slots is None:
        return narrowed
    there: Where = {SLOT: {"$in": [place.slot(slot) for slot in sorted(slots)]}}
    return there if narrowed is None else {"$and": [narrowed, there]}


def _in_states(place: TaggedScope, wanted: Collection[State]) -> Where | None:
    if len(wanted) == len(State):
        return None
    values = [place.state(state) for state in wanted]
    return {STATE: values[0]} if len(values) == 1 else {STATE: {"$in": values}}


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
