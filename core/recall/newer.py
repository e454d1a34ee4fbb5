"""Where a slot has several values: which of those shown have been followed by others. Pure."""

from collections.abc import Mapping, Sequence

from ..model.memory import Memory
from .trace import Fused


def of_one_slot(judged: Sequence[Fused], records: Mapping[str, Memory]) -> Mapping[str, str]:
    """Of the claims shown of a slot with several values, those older than the one shown first."""
    first: dict[tuple[str, str], Memory] = {}
    later: dict[str, str] = {}
    for each in judged:
        memory = records.get(each.memory)
        if each.drop is not None or memory is None or memory.claim is None:
            continue
        newest = first.setdefault((memory.scope, memory.claim.slot), memory)
        if memory.created_at < newest.created_at:
            later[memory.id] = newest.id
    return later
