"""The relation that a judge found between two memories: written to both, or taken back. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from ..conflict.settlement import Ending, ended
from ..conflict.trust import BOTH
from ..model.knowledge import Relation
from ..model.memory import Memory, Succession, Successor


def judged(memory: Memory, predicate: str, other: str, *, denies: bool = False) -> Memory:
    """The memory with the edge, and with a claim that `denies`; done again it changes nothing."""
    edge = Relation(memory.id, predicate, other)
    relations = tuple(dict.fromkeys((*memory.relations, edge)))
    memory = _denying(memory, True) if denies else memory
    return memory if relations == memory.relations else replace(memory, relations=relations)


def _denying(memory: Memory, denied: bool) -> Memory:
    claim = memory.claim
    if claim is None or claim.denied is denied:
        return memory
    return replace(memory, claim=replace(claim, denied=denied))


def unjudged(
    memory: Memory, predicate: str, other: str, *, had: bool, denies: bool = False
) -> Memory:
    """The memory without the edge, which it keeps if it `had` it before, and without denial."""
    memory = _denying(memory, False) if denies else memory
    if had:
        return memory
    edge = Relation(memory.id, predicate, other)
    relations = tuple(each for each in memory.relations if each != edge)
    return memory if relations == memory.relations else replace(memory, relations=relations)


def beside(memory: Memory, others: Collection[str]) -> Memory:
    """The memory with the word of a person that it holds as well as these."""
    said = [Relation(memory.id, BOTH, other) for other in sorted(others) if other != memory.id]
    relations = tuple(dict.fromkeys((*memory.relations, *said)))
    return memory if relations == memory.relations else replace(memory, relations=relations)


def not_beside(memory: Memory, others: Collection[str]) -> Memory:
    """The memory without that word."""
    relations = tuple(
        each for each in memory.relations if each.predicate != BOTH or each.object not in others
    )
    return memory if relations == memory.relations else replace(memory, relations=relations)


def superseded(memory: Memory, newer: Memory, at: float) -> Memory:
    """The older memory, of which `newer` is what holds; it stays in recall, behind it.

    One that something else has followed meanwhile stays as it is.
    """
    if memory.successor is not None or not memory.recallable:
        return memory
    since = newer.claim.valid_from if newer.claim is not None else newer.created_at
    return ended(memory, Ending(since, newer.id, at))


def before(memory: Memory) -> Mapping[str, Any]:
    """What is kept of the older memory, so that it can hold again."""
    vitality, claim = memory.vitality, memory.claim
    return {"sole": vitality.sole, "valid_to": None if claim is None else claim.valid_to}


def holds_again(memory: Memory, newer: str, kept: Mapping[str, Any]) -> Memory:
    """The older memory as it was before `newer` took its place, if that is what did."""
    if memory.successor != Successor(newer, Succession.UPDATES):
        return memory
    claim = memory.claim
    if claim is not None:
        claim = replace(claim, valid_to=kept["valid_to"])
    vitality = replace(memory.vitality, sole=bool(kept["sole"]))
    return replace(memory, successor=None, claim=claim, vitality=vitality)
