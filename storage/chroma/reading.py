"""What is read from the collections of an installation. Everything blocks, nothing is changed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.graph.links import provenance
from ...core.model.errors import UnreadableRecord
from ...core.model.memory import Memory, Status
from ...core.ports import Ancestor, Filter, Order, Unreadable
from ..lineage import Provenance, walk
from ..matching import SORT_KEYS, matches
from .client import batches
from .collection import StoredCollection
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
    outline,
    states,
)
from .namespace import Namespace

FEW_SCOPES = 8
"""Up to this many scopes are each asked for an id; with more, the directory is asked."""

PAGE = 1_000
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
    narrowed = in_states(place, wanted)
    if slots is None:
        return narrowed
    there: Where = {SLOT: {"$in": [place.slot(slot) for slot in sorted(slots)]}}
    return there if narrowed is None else {"$and": [narrowed, there]}


def in_states(place: TaggedScope, wanted: Collection[State]) -> Where | None:
    """The filter for records of these states; None for all."""
    if len(wanted) == len(State):
        return None
    values = [place.state(state) for state in wanted]
    return {STATE: values[0]} if len(values) == 1 else {STATE: {"$in": values}}
