"""Claims that the slot leg found are always shown: they answer the question by a fact. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.memory import Kind, Memory
from .selection import within
from .trace import Drop, Fused, Leg

WEAK = frozenset({Drop.IRRELEVANT, Drop.LIMIT, Drop.QUOTA, Drop.DUPLICATE})
"""Reasons that say how well something fits, not whether it may be shown."""


def answered(
    judged: Sequence[Fused], records: Mapping[str, Memory], limit: int, share: float = 0.0
) -> list[Fused]:
    """With the claims asked for first, and no more than `limit` in all.

    A raw turn gives way to such a claim if it was shown in the place of it. Whatever else is shown
    has a `share` of even odds of being needed: what was asked is answered without it.
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
            reason = None if each.drop else _needless(each, records[each.memory], turns, share)
            result.append(each.dropped(reason) if reason else each)
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


def _needless(candidate: Fused, memory: Memory, turns: frozenset[int], share: float) -> Drop | None:
    if _is_turn_of(memory, turns):
        return Drop.DISTILLED
    unlikely = candidate.needed is not None and math.exp(min(candidate.needed, 0.0)) < share
    return Drop.IRRELEVANT if unlikely else None


def _is_turn_of(memory: Memory, turns: frozenset[int]) -> bool:
    return memory.kind is Kind.EVIDENCE and not turns.isdisjoint(memory.origin.turns)
