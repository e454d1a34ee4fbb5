"""Pairs of memories that contradict each other, and the relation written to both. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from ..conflict.trust import BOTH, CONTRADICTS, linked
from ..languages.numbers import numbers
from ..model.knowledge import Relation
from ..model.memory import Kind, Memory, Source, Succession, Successor
from ..text.quoting import folded
from .learnt import Ending, ended
from .sameness import Proposition, eligible, may_deny, proposition_of, same_claim

NEAR = 0.4
"""Centred cosine from which two memories may be the same, or may not both be so."""

LEAST_CONTENT = 2
"""Terms of a statement whose denial is known by them alone."""

_STATES = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL})
"""Kinds that state something lasting. Events do not deny each other."""


class Opposed(StrEnum):
    """How code came upon a pair."""

    SLOT = "slot"
    DENIAL = "denial"
    NEAR = "near"


def opposed(one: Memory, other: Memory, near: float) -> Opposed | None:
    """Whether the two may not both be so; `near` is their centred cosine, 0.0 if unknown.

    They may if a person has said so.
    """
    if one.id == other.id or not (eligible(one) and eligible(other)):
        return None
    if other.id in linked(one, BOTH):
        return None
    if one.claim is not None and other.claim is not None:
        # Of two claims code knows what they have to do with each other, but not whether a sentence
        # denies the value that it names: "no longer works at Acme".
        if other.id in linked(one, CONTRADICTS):
            return Opposed.SLOT
        if not (same_claim(one, other) and may_deny(one, other)):
            return None
    about = [{folded(name) for name in each.about} for each in (one, other)]
    if one.account != other.account or about[0] != about[1]:
        return None
    if Source.BOT in (one.source, other.source) or not {one.kind, other.kind} <= _STATES:
        return None
    if _denies(proposition_of(one), proposition_of(other)):
        return Opposed.DENIAL
    return Opposed.NEAR if near >= NEAR else None


def suspicion(one: Memory, other: Memory, near: float) -> float:
    """0..1 how likely two memories at that centred cosine conflict. Source: the design, section 12.

    .45 likeness + .25 shared terms + .25 for another polarity + .15 where a taste is told: it only
    orders what is asked about. It tells CDConv's conflicting pairs no better than chance.
    """
    said, heard = proposition_of(one), proposition_of(other)
    every = said.content | heard.content
    shared = len(said.content & heard.content) / len(every) if every else 0.0
    turned = said.denials % 2 != heard.denials % 2
    score = 0.45 * near + 0.25 * shared + 0.25 * turned + 0.15 * (said.tastes or heard.tastes)
    return min(1.0, score)


def ordered(one: Memory, other: Memory) -> tuple[Memory, Memory] | None:
    """The later and the earlier of the two; None if they were said in one go, or at once."""
    if one.origin.episode and one.origin.episode == other.origin.episode:
        return None
    (a, b), (x, y) = _moment(one), _moment(other)
    if (a > x and b >= y) or (a >= x and b > y):
        return one, other
    return (other, one) if (x > a and y >= b) or (x >= a and y > b) else None


def told_later(one: Memory, other: Memory) -> tuple[Memory, Memory] | None:
    """The same, and in one go the one of a later turn, for two that a judge calls opposed."""
    if (order := ordered(one, other)) or not one.origin.episode == other.origin.episode != "":
        return order
    first, last = sorted((one, other), key=lambda each: max(each.origin.turns, default=-1))
    apart = max(first.origin.turns, default=-1) < min(last.origin.turns, default=-1)
    return (last, first) if apart else None


def _moment(memory: Memory) -> tuple[float, int]:
    """When it was said, by the clock and by the number of its first turn."""
    return memory.created_at, min(memory.origin.turns, default=-1)


def _denies(said: Proposition, heard: Proposition) -> bool:
    """Whether one says of the same terms, and the same numbers, that it is not so."""
    if len(said.content) < LEAST_CONTENT or said.content != heard.content:
        return False
    if said.denials % 2 == heard.denials % 2 or said.past or heard.past:
        return False
    alone = len(said.clauses) == len(heard.clauses) == 1
    return alone and numbers(said.text) == numbers(heard.text)


def judged(memory: Memory, predicate: str, other: str, *, denies: bool = False) -> Memory:
    """The memory with the edge, and with a claim that `denies`; done again it changes nothing."""
    memory = _denying(memory, True) if denies else memory
    return memory.with_relations([Relation(memory.id, predicate, other)])


def _denying(memory: Memory, denied: bool) -> Memory:
    claim = memory.claim
    return memory if claim is None else replace(memory, claim=replace(claim, denied=denied))


def unjudged(
    memory: Memory, predicate: str, other: str, *, had: bool, denies: bool = False
) -> Memory:
    """The memory without the edge, which it keeps if it `had` it before, and without denial."""
    memory = _denying(memory, False) if denies else memory
    if had:
        return memory
    edge = Relation(memory.id, predicate, other)
    return replace(memory, relations=tuple(each for each in memory.relations if each != edge))


def beside(memory: Memory, others: Collection[str]) -> Memory:
    """The memory with the word of a person that it holds as well as these."""
    told = sorted({*others} - {memory.id})
    return memory.with_relations(Relation(memory.id, BOTH, other) for other in told)


def not_beside(memory: Memory, others: Collection[str]) -> Memory:
    """The memory without that word."""
    left = (e for e in memory.relations if e.predicate != BOTH or e.object not in others)
    return replace(memory, relations=tuple(left))


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
