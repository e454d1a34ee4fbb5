"""Allergies, diets, illnesses and medications of a named person are shown with the rest. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.memory import Memory
from .selection import within
from .slot_answers import WEAK
from .trace import Fused, Leg

MINDED = frozenset({"allergy", "diet", "illness", "medication"})
"""Attributes that matter most where nobody asks for them."""

MOST = 2


def with_cautions(
    judged: Sequence[Fused], records: Mapping[str, Memory], limit: int
) -> list[Fused]:
    """With at most `MOST` such claims about people whom the turn names, right after the first line.

    They were found by name or kin. Where nothing is shown nothing is added; no more than `limit`.
    """
    first = next((each for each in judged if each.drop is None), None)
    found = [each for each in judged if _is_minded(each, records)][:MOST]
    if first is None or not found:
        return list(judged)
    told = {first.memory, *(each.memory for each in found)}
    rest = [each for each in judged if each.memory not in told]
    return list(within([first, *(replace(each, drop=None) for each in found), *rest], limit))


def _is_minded(candidate: Fused, records: Mapping[str, Memory]) -> bool:
    memory = records.get(candidate.memory)
    if memory is None or memory.claim is None or not memory.recallable:
        return False
    if candidate.drop not in WEAK or memory.claim.valid_to is not None or memory.claim.denied:
        return False
    named = any(hit.leg is Leg.ENTITY for hit in candidate.hits)
    return named and memory.claim.attribute in MINDED
