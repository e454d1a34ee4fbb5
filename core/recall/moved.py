"""Plans that have been moved to another day since they were told, and what was updated. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo

from ..languages.times import times_in
from ..model.memory import Kind, Memory, Succession
from ..text.time.calendar import Leaning
from .trace import Fused


def moved_since(
    chosen: Sequence[Memory], records: Mapping[str, Memory], where: tzinfo | None
) -> dict[str, float]:
    """By the ids of the `chosen` plans, and raw turns of plans, when that is to be instead.

    A raw turn keeps its old day whatever was said later; nothing is known of one that names none,
    or of which several plans were made.
    """
    plans: defaultdict[int, list[Memory]] = defaultdict(list)
    for memory in records.values():
        if memory.kind is Kind.PROSPECTIVE:
            for turn in memory.origin.turns:
                plans[turn].append(memory)
    found: dict[str, float] = {}
    for memory in chosen:
        own = [memory] if memory.kind is Kind.PROSPECTIVE else []
        if memory.kind is Kind.EVIDENCE:
            own = [plan for turn in memory.origin.turns for plan in plans.get(turn, ())]
        days = {day for plan in own for day in _later_days(plan, memory, records, where)}
        if len(days) == 1:
            found[memory.id] = days.pop()
    return found


def _later_days(
    plan: Memory, told: Memory, records: Mapping[str, Memory], where: tzinfo | None
) -> Iterator[float]:
    newer = plan.successor
    if newer is not None and newer.how is Succession.UPDATES:
        heir = records.get(newer.memory)
        if heir is not None and heir.due_at is not None and not _tells(told, heir.due_at, where):
            yield heir.due_at
    elif told.kind is Kind.EVIDENCE and plan.due_at is not None:
        later = max(plan.origin.turns) > max(told.origin.turns, default=0)
        if later and not _tells(told, plan.due_at, where):
            yield plan.due_at


def _tells(told: Memory, at: float, where: tzinfo | None) -> bool:
    """Whether its text may mean that time, or none at all."""
    said = told.said
    days = [
        each.interval
        for way in Leaning
        for each in times_in(said, told.created_at, where, leaning=way)
    ]
    return not days or any(each.start <= at <= each.end for each in days)


def after_their_updates(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Each updated memory moved to right behind the newer one, if that is here and comes later."""
    result = list(candidates)
    for each in candidates:
        memory = records.get(each.memory)
        heir = None if memory is None else memory.successor
        if heir is None or heir.how is not Succession.UPDATES:
            continue
        at = {one.memory: place for place, one in enumerate(result)}
        newer = at.get(heir.memory, -1)
        if newer > at[each.memory]:
            result.insert(newer, result.pop(at[each.memory]))
    return result
