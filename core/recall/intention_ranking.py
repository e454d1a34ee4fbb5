"""Intentions among what was found: by relevance alone, never by age. Algorithms, section 8. Pure.

Time lowers no intention: between two that are about as relevant the newer one comes first, and
nothing else that is known of them counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.memory import Kind, Memory
from ..similarity.thresholds import PROSPECTIVE_FLOOR
from .trace import Drop, Fused, Leg

NEAR_TIE = 0.02
"""Relevance by which two intentions must differ for it to decide."""

QUOTA = 2
"""Intentions that are shown."""

BY_MEANING = frozenset({Leg.SEMANTIC, Leg.PROSPECTIVE})
_COUNTED = BY_MEANING | {Leg.TIME, Leg.CAUSAL}


def is_intention(memory: Memory | None) -> bool:
    """Whether it is something somebody means to do."""
    return memory is not None and memory.kind is Kind.PROSPECTIVE


def by_meaning(
    candidates: Sequence[Fused], records: Mapping[str, Memory], answered: frozenset[Leg]
) -> list[Fused]:
    """The candidates, intentions below the floor dropped as irrelevant.

    Hits by words count for an intention only if none of the `answered` legs goes by meaning.
    """
    counted = _COUNTED if answered & BY_MEANING else _COUNTED | {Leg.TEXT}
    return [_by_meaning(each, counted) if _own(each, records) else each for each in candidates]


def in_place(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Best first; in the places that intentions have together, the more relevant ones first.

    Which is more relevant the reranker says, if it judged, and of near ties the newer one is.
    """
    best = sorted(candidates, key=lambda each: -each.score)
    own = [_own(each, records) for each in best]
    intentions = [each for each, mine in zip(best, own, strict=True) if mine]
    placed = iter(_newer_first(sorted(intentions, key=lambda each: -_relevance(each)), records))
    return [next(placed) if mine else each for each, mine in zip(best, own, strict=True)]


def _own(candidate: Fused, records: Mapping[str, Memory]) -> bool:
    return is_intention(records.get(candidate.memory))


def _relevance(candidate: Fused) -> float:
    return candidate.relevance if candidate.rerank is None else candidate.rerank


def _by_meaning(candidate: Fused, counted: frozenset[Leg]) -> Fused:
    hits = tuple(hit for hit in candidate.hits if hit.leg in counted)
    kept = replace(candidate, hits=hits)
    by_words = any(hit.leg is Leg.TEXT for hit in hits)
    if kept.drop is None and not by_words and kept.relevance < PROSPECTIVE_FLOOR:
        return kept.dropped(Drop.IRRELEVANT)
    return kept


def _newer_first(best: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """`best` in its order but for near ties with the first of those left."""
    result: list[Fused] = []
    while len(result) < len(best):
        leader = _relevance(best[len(result)])
        tied = [each for each in best[len(result) :] if leader - _relevance(each) < NEAR_TIE]
        result += sorted(tied, key=lambda each: -records[each.memory].created_at)
    return result
