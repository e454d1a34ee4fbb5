"""How close a candidate is to what the question names, over what the memories share. Pure.

Algorithms, section 7.4: personalised PageRank from the question's entities.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..graph.links import LINEAGE, mentions
from ..graph.walking import bounded, distances, shares
from ..languages.entity_matching import names_in
from ..model.memory import Memory
from ..text.display_names import entity_id

MOST_NODES = 5_000
BY_HOPS: Mapping[int, float] = {0: 0.3, 1: 0.15}
"""What it counts, of 1, to mention an entity of the question, or one that is connected with it."""

_MEMORY, _ENTITY, _EVENT = "memory", "entity", "event"

type Node = tuple[str, str]
"""What it is ("memory", "entity" or "event"), and its id."""

type Pair = tuple[Node, Node]


def near_named(
    text: str, records: Mapping[str, Memory], same: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Closeness of each record to what a text names; nothing where it names nothing of theirs.

    `same` are the other names of whoever goes by a name.
    """
    told = {id: mentions(memory) for id, memory in records.items()}
    known = {name for names in told.values() for name in names}
    stated = names_in(text, known.union(*(same.get(name, ()) for name in known)))
    others = (other for name in stated for other in same.get(name, ()))
    named = [name for name in dict.fromkeys((*stated, *others)) if name in known]
    return closeness(records, named, told) if named else {}


def closeness(
    records: Mapping[str, Memory],
    named: Collection[str],
    told: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, float]:
    """0..1 for each of the records: its share of the walk, and how few steps it is away.

    `named` are the question's entities, `told` what each record `mentions`, if
    that is known. The share is that of the memory, of its event and of its
    entities but for the named ones, which all that mention them have alike; in proportion to the
    largest.
    """
    own_nodes = {
        id: _own(memory, mentions(memory) if told is None else told[id])
        for id, memory in records.items()
    }
    stated = (pair for id, memory in records.items() for pair in _pairs(memory, own_nodes[id]))
    pairs = bounded(stated, MOST_NODES)
    seeds = [(_ENTITY, name) for name in named]
    mass = shares(pairs, seeds)
    own = {
        id: sum(mass.get(node, 0.0) for node in nodes if node not in seeds)
        for id, nodes in own_nodes.items()
    }
    largest = max(own.values(), default=0.0)
    if largest <= 0.0:
        return {}
    far = distances(pairs, seeds, max(BY_HOPS), lambda node: int(node[0] == _ENTITY))
    near = {id: BY_HOPS.get(far.get((_MEMORY, id), -1), 0.0) for id in records}
    return {
        id: (1 - max(BY_HOPS.values())) * share / largest + near[id] for id, share in own.items()
    }


def _own(memory: Memory, told: Sequence[str]) -> list[Node]:
    event = [] if memory.event is None else [(_EVENT, memory.event.id)]
    return [(_MEMORY, memory.id), *event, *((_ENTITY, name) for name in told)]


def _pairs(memory: Memory, own: Sequence[Node]) -> Iterator[Pair]:
    """What a memory says belongs together: itself and what it mentions or follows, and entities."""
    itself, *others = own
    yield from ((itself, other) for other in others)
    if memory.successor is not None:
        yield itself, (_MEMORY, memory.successor.memory)
    names = {entity.id: entity.name for entity in memory.entities}
    for relation in memory.relations:
        if relation.subject != memory.id:
            one, other = (names.get(end, end) for end in (relation.subject, relation.object))
            yield (_ENTITY, entity_id(one)), (_ENTITY, entity_id(other))
        elif relation.predicate in LINEAGE:
            yield itself, (_MEMORY, relation.object)
