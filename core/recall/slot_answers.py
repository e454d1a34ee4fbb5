"""What the slot leg found is shown, whatever else is: a fact decides it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.memory import Kind, Memory
from .selection import within
from .trace import Drop, Fused, Leg

WEAK = frozenset({Drop.IRRELEVANT, Drop.LIMIT, Drop.QUOTA, Drop.DUPLICATE})
"""Reasons that say how well something fits, not whether it may be shown."""


def answered(judged: Sequence[Fused], records: Mapping[str, Memory], limit: int) -> list[Fused]:
    """With the claims asked for first, and no more than `limit` in all.

    A raw turn gives way to such a claim if it was shown in the place of it.
    """
    answers = sorted(
        (each for each in judged if _rank(each) and _may_be_shown(each, records)), key=_rank
    )[:limit]
    if not answers:
        return list(judged)
    told = {each.memory for each in answers}
    repeated = [records[each.memory] for each in answers if each.drop is Drop.DUPLICATE]
    turns = frozenset[int]().union(*(memory.origin.turns for memory in repeated))
    result = [replace(each, drop=None) for each in answers]
    for each in judged:
        if each.memory not in told:
            repeats = each.drop is None and _is_turn_of(records[each.memory], turns)
            result.append(each.dropped(Drop.DISTILLED) if repeats else each)
    return list(within(result, limit))


def _rank(candidate: Fused) -> int:
    """Its place among what the slot leg found, from 1; 0 where that did not find it."""
    return next((hit.rank for hit in candidate.hits if hit.leg is Leg.SLOT), 0)


def _may_be_shown(candidate: Fused, records: Mapping[str, Memory]) -> bool:
    memory = records.get(candidate.memory)
    # What a claim brought up, its raw turn say, bears its hits.
    if memory is None or memory.claim is None or not memory.recallable:
        return False
    return candidate.drop is None or candidate.drop in WEAK


def _is_turn_of(memory: Memory, turns: frozenset[int]) -> bool:
    return memory.kind is Kind.EVIDENCE and not turns.isdisjoint(memory.origin.turns)
