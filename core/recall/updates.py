"""An updated memory comes after its update. Pure."""

from collections.abc import Mapping, Sequence

from ..model.memory import Memory, Succession
from .trace import Fused


def after_their_updates(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Each updated memory moved to right behind the newer one, if that is here and comes later."""
    result = list(candidates)
    for each in candidates:
        memory = records.get(each.memory)
        if memory is None or memory.successor is None:
            continue
        if memory.successor.how is not Succession.UPDATES:
            continue
        at = {one.memory: place for place, one in enumerate(result)}
        newer = at.get(memory.successor.memory, -1)
        if newer > at[each.memory]:
            result.insert(newer, result.pop(at[each.memory]))
    return result
