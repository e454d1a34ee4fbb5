"""If a question asks why, the causes of a shown memory are put directly after it. Pure.

What counts as a cause was said by somebody; it need not resemble the question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..graph.links import CAUSED_BY
from ..model.memory import Memory
from .selection import within
from .trace import Drop, Fused, Leg

WEAK = frozenset({Drop.IRRELEVANT, Drop.LIMIT, Drop.QUOTA, Drop.DUPLICATE})
"""Reasons that say how well something fits, not whether it may be shown."""


def with_causes(judged: Sequence[Fused], records: Mapping[str, Memory], limit: int) -> list[Fused]:
    """With the causes of each that is shown, and theirs, behind it; no more than `limit` in all.

    `judged` holds them as the causal leg has found them.
    """
    causes = {each.memory: each for each in judged if _may_be_told(each)}
    if not causes:
        return list(judged)
    done: set[str] = set()
    result: list[Fused] = []
    for each in judged:
        chain = [each, *_chain(each.memory, causes, records, {each.memory})]
        for one in chain if each.drop is None else chain[:1]:
            if one.memory not in done:
                done.add(one.memory)
                result.append(one)
    return list(within(result, limit))


def _may_be_told(candidate: Fused) -> bool:
    found = any(hit.leg is Leg.CAUSAL for hit in candidate.hits)
    return found and (candidate.drop is None or candidate.drop in WEAK)


def _chain(
    effect: str, causes: Mapping[str, Fused], records: Mapping[str, Memory], seen: set[str]
) -> Iterator[Fused]:
    """The nearest cause first; a circle ends where it began."""
    memory = records.get(effect)
    for link in () if memory is None else memory.relations:
        named = link.subject == effect and link.predicate == CAUSED_BY
        if named and link.object in causes and link.object not in seen:
            seen.add(link.object)
            yield replace(causes[link.object], drop=None)
            yield from _chain(link.object, causes, records, seen)
