"""The causal leg: what the best hits came from, where a question asks why."""

from collections.abc import Mapping, Sequence

from ...model.memory import Kind
from ...ports import Ancestor
from ..trace import Hit, Leg
from .leg import LEADING, Found, LegInputs

ROOTS = 2
"""First hits whose causes are looked up."""

DEPTH = 5
FALL = 0.8
"""What is left of a memory's relevance in what it came from."""


async def causal_leg(inputs: LegInputs) -> Found:
    """The ancestors of the first hits by meaning, or by words if there are none.

    A raw turn states no relations; those of what was learnt from it count.
    """
    roots = await _learnt(inputs, first_hits(inputs.found))
    if not roots:
        return []
    scopes = inputs.understood.question.scopes
    told = await inputs.sources.store.ancestors(list(roots), scopes, depth=DEPTH)
    return traced(roots, told)


def first_hits(found: Mapping[Leg, Found]) -> dict[str, float]:
    """The memories to begin with, and their relevance; what is irrelevant has no causes to tell."""
    hits = found.get(Leg.SEMANTIC) or found.get(Leg.TEXT) or []
    best = {memory: hit.relevance for memory, hit in hits[:ROOTS]}
    return {memory: relevance for memory, relevance in best.items() if relevance >= LEADING}


def traced(roots: Mapping[str, float], told: Sequence[Ancestor]) -> Found:
    """Each ancestor with `FALL` of the relevance of the one it led to, best first, ties by id.

    `told` is breadth first, so that who is named as `of` has come before.
    """
    relevance = dict(roots)
    for each in told:
        relevance[each.memory] = FALL * relevance[each.of]
    best = sorted(told, key=lambda each: (-relevance[each.memory], each.memory))
    return [
        (each.memory, Hit(Leg.CAUSAL, rank, score, score, via=each.of))
        for rank, each in enumerate(best, start=1)
        for score in [relevance[each.memory]]
    ]


async def _learnt(inputs: LegInputs, roots: Mapping[str, float]) -> dict[str, float]:
    store, scopes = inputs.sources.store, inputs.understood.question.scopes
    said = [m for m in await store.find(list(roots), scopes) if m.kind is Kind.EVIDENCE]
    learnt = await store.distilled([turn for m in said for turn in m.origin.turns], scopes)
    result = dict(roots)
    for memory in said:
        for heir in (id for turn in memory.origin.turns for id in learnt.get(turn, ())):
            result[heir] = max(result.get(heir, 0.0), roots[memory.id])
    return result
