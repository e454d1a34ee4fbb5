"""Answers that stores give by looking at memories: filters, orders, ancestors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..core.model.intentions import IntentionStatus
from ..core.model.knowledge import Relation
from ..core.model.memory import Memory
from ..core.ports import Ancestor, Filter, Order
from ..core.records.tags import has_tag

SORT_KEYS: dict[Order, Callable[[Memory], tuple[Any, ...]]] = {
    Order.NEWEST: lambda memory: (-memory.created_at, memory.id),
    Order.OLDEST: lambda memory: (memory.created_at, memory.id),
    Order.LATEST: lambda memory: (-memory.happened_at, memory.id),
    Order.STRONGEST: lambda memory: (-memory.vitality.strength, memory.id),
}


def matches(memory: Memory, where: Filter) -> bool:
    """Whether the filter lets the memory through."""
    return (
        (where.scopes is None or memory.scope in where.scopes)
        and (where.status is None or memory.standing.status is where.status)
        and (where.kinds is None or memory.kind in where.kinds)
        and (where.recallable is None or memory.recallable is where.recallable)
        and (where.exempt is None or memory.exempt is where.exempt)
        and (where.score is None or _within(memory.vitality.useful_score, where.score))
        and (where.slots is None or _in_slots(memory, where.slots))
        and (where.holds is None or memory.holds is where.holds)
        and (where.intentions is None or _stands(memory, where.intentions))
        and (where.due is None or _is_due(memory, where.due))
        and (where.tag is None or has_tag(memory, where.tag))
        and (where.created_before is None or memory.created_at < where.created_before)
        and (where.happened is None or _spans(where.happened, memory.happened_at))
    )


def _in_slots(memory: Memory, slots: frozenset[str]) -> bool:
    return memory.claim is not None and memory.claim.slot in slots


def _stands(memory: Memory, intentions: frozenset[IntentionStatus]) -> bool:
    return memory.intention is not None and memory.intention.status in intentions


def _is_due(memory: Memory, interval: tuple[float, float]) -> bool:
    return memory.due_at is not None and _spans(interval, memory.due_at)


def _within(score: float, bounds: tuple[float, float]) -> bool:
    lowest, end = bounds
    return lowest <= score < end


def _spans(interval: tuple[float, float], moment: float) -> bool:
    first, last = interval
    return first <= moment <= last


type Provenance = Mapping[str, Sequence[Relation]]
"""By the id of each memory that exists: the relations that say what it came from."""


def walk(
    ids: Sequence[str], depth: int, read: Callable[[Sequence[str]], Provenance]
) -> list[Ancestor]:
    """Breadth first from `ids`; `read` is asked once per step, for ids not asked for before."""
    level = list(dict.fromkeys(ids))
    met = set(level)
    provenance = read(level)
    found: list[Ancestor] = []
    for distance in range(1, depth + 1):
        parents = {each.memory: each for each in _parents(level, provenance, distance, met)}
        if not parents:
            break
        met |= parents.keys()
        provenance = read(list(parents))
        level = [id for id in parents if id in provenance]
        found += [parents[id] for id in level]
    return found


def _parents(
    level: Sequence[str], provenance: Provenance, distance: int, met: set[str]
) -> Iterator[Ancestor]:
    named: set[str] = set()
    for id in level:
        for relation in provenance.get(id, ()):
            if relation.object not in met and relation.object not in named:
                named.add(relation.object)
                yield Ancestor(relation.object, id, relation.predicate, distance)
