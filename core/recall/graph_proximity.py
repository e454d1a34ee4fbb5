"""How close a candidate is to what the question names, over what the memories share. Pure.

Algorithms, section 7.4: personalised PageRank from the question's entities. It is a boost, bounded
by `GRAPH`, on top of an unchanged score: a weighted mean of both, each normalised to the best
candidate, would change the scale that every threshold is set on and let a poor pool look like a
good one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ..graph.links import LINEAGE, mentions
from ..graph.walking import bounded, distances, shares
from ..model.memory import Memory
from ..text.display_names import entity_id
from .fusion import boosted, ordered
from .trace import Boost, Fused

GRAPH = 0.05
"""For the candidate that is nearest to what the question names, if that is rare: measured."""

MOST_NODES = 5_000
BY_HOPS: Mapping[int, float] = {0: 0.3, 1: 0.15}
"""What it counts, of 1, to mention an entity of the question, or one that is connected with it."""

_MEMORY, _ENTITY, _EVENT = "memory", "entity", "event"

type Node = tuple[str, str]
"""What it is ("memory", "entity" or "event"), and its id."""

type Pair = tuple[Node, Node]


def connected(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    named: Collection[str],
    around: Iterable[tuple[str, str]],
    *,
    telling: float = 1.0,
) -> list[Fused]:
    """The candidates with their boosts, best first, see `closeness`.

    `telling`, 0..1, is how much the named entities say: whose name is in everything is near to
    everything, and being near to them is no reason.
    """
    found = closeness(records, named, around)
    most = GRAPH * telling
    moved = [boosted(c, {Boost.GRAPH: most * found.get(c.memory, 0.0)}) for c in candidates]
    return ordered(moved)


def closeness(
    records: Mapping[str, Memory], named: Collection[str], around: Iterable[tuple[str, str]]
) -> dict[str, float]:
    """0..1 for each of the records: its share of the walk, and how few steps it is away.

    `named` are the question's entities; `around` are memories outside of the records, each with
    an entity that it mentions. The share is that of the memory, of its event and of its entities
    but for the named ones, which all that mention them have alike; in proportion to the largest.
    """
    others = (((_MEMORY, memory), (_ENTITY, entity)) for memory, entity in around)
    stated = (pair for memory in records.values() for pair in _pairs(memory))
    pairs = bounded(chain(stated, others), MOST_NODES)
    seeds = [(_ENTITY, name) for name in named]
    mass = shares(pairs, seeds)
    own = {
        id: sum(mass.get(node, 0.0) for node in _own(memory) if node not in seeds)
        for id, memory in records.items()
    }
    largest = max(own.values(), default=0.0)
    if largest <= 0.0:
        return {}
    far = distances(pairs, seeds, max(BY_HOPS), lambda node: int(node[0] == _ENTITY))
    near = {id: BY_HOPS.get(far.get((_MEMORY, id), -1), 0.0) for id in records}
    return {
        id: (1 - max(BY_HOPS.values())) * share / largest + near[id] for id, share in own.items()
    }


def _own(memory: Memory) -> list[Node]:
    event = [] if memory.event is None else [(_EVENT, memory.event.id)]
    return [(_MEMORY, memory.id), *event, *((_ENTITY, name) for name in mentions(memory))]


def _pairs(memory: Memory) -> Iterator[Pair]:
    """What a memory says belongs together: itself and what it mentions or follows, and entities."""
    itself, *others = _own(memory)
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
