"""How far a memory is trusted: source, age, and what supports or contradicts it. Pure."""

from ..model.memory import RELIABILITY, Memory

CORROBORATES = "corroborates"
CONTRADICTS = "contradicts"
"""Predicates of the relation that a memory states between itself and another memory."""

SUPPORTS = "supports"
"""The same, of pairs that a judge has looked at in sleep."""

BOTH = "both"
"""The same, of pairs of which a person has said that both hold."""

OLD = 90.0
"""Days after which age no longer matters."""

MOST = 5
"""Memories for, and against, that count."""

_DAY = 86_400.0


def trust_of(memory: Memory, now: float) -> float:
    """0..1 at the Unix time `now`; see `trust`. A memory from the future is new.

    What its person has confirmed is corroborated once more.
    """
    age = max(0.0, now - memory.created_at) / _DAY
    return trust(
        RELIABILITY[memory.source], age, corroborations(memory), len(contradicting(memory))
    )


def corroborations(memory: Memory) -> int:
    """How often it was said again, supported or confirmed."""
    backed = linked(memory, CORROBORATES) | linked(memory, SUPPORTS)
    return len(backed) + (memory.feedback.accurate is True)


def contradicting(memory: Memory) -> frozenset[str]:
    """Ids of the memories that cannot be so beside it: claims of its slot, or what was judged.

    Not those of which a person said that both hold.
    """
    return linked(memory, CONTRADICTS) - linked(memory, BOTH)


def trust(source: float, age: float, corroborations: int, contradictions: int) -> float:
    """0..1: half the source's reliability (0..1), a bonus for fewer than `OLD` days of age (>= 0)
    and for corroborations, less a malus for contradictions. Algorithms, section 7.5.
    """
    fresh = 1.0 - min(age, OLD) / OLD
    backed, opposed = min(corroborations, MOST) / MOST, min(contradictions, MOST) / MOST
    return min(1.0, max(0.0, 0.5 * source + 0.15 * fresh + 0.15 * backed - 0.2 * opposed))


def linked(memory: Memory, predicate: str) -> frozenset[str]:
    """Ids of other memories to which this one states the relation; each counts once."""
    return frozenset(
        relation.object
        for relation in memory.relations
        if relation.subject == memory.id != relation.object and relation.predicate == predicate
    )
