"""Plans that have been moved to another day since they were told, and what was updated. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from ..languages.times import Interval, times_in
from ..model.derived import once
from ..model.memory import Kind, Memory, Succession
from ..text.time.calendar import Leaning
from .selection import asks, terms_told
from .time_nearness import matter
from .trace import Fused

LOOKED_AT = 10


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
    retold = _retold(chosen, where, 1.0)
    return found | {id: _days(newer, where)[0].start for id, newer in retold.items()}


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


def behind_their_new_days(
    candidates: Sequence[Fused], records: Mapping[str, Memory], where: tzinfo | None
) -> list[Fused]:
    """Raw turns behind the later one that names another day for the like, which takes their place.

    Among the first `LOOKED_AT` that may be shown. Where less than all is said again only the order
    tells: two appointments may share a word.
    """
    result = list(candidates)
    some = [records[each.memory] for each in result if not each.drop and each.memory in records]
    for old, newer in _retold(some[:LOOKED_AT], where, 0.5).items():
        at = {each.memory: place for place, each in enumerate(result)}
        if at[newer.id] > at[old]:
            moved, score = result.pop(at[newer.id]), result[at[old]].score
            result.insert(at[old], replace(moved, score=score))
    return result


def _retold(memories: Sequence[Memory], where: tzinfo | None, share: float) -> dict[str, Memory]:
    """By the id of a raw turn, the last of its speaker that says the like, for another day.

    It has that `share` of the content terms, 0..1, of which none is of a time.
    """
    raw = [m for m in memories if m.kind is Kind.EVIDENCE and _days(m, where) and not asks(m)]
    raw = sorted(raw, key=lambda memory: (memory.created_at, memory.id))
    found: dict[str, Memory] = {}
    for place, old in enumerate(raw):
        core = matter(old, where)
        for newer in raw[place + 1 :] if core else ():
            same = newer.account == old.account
            if same and len(core & terms_told(newer)) >= share * len(core):
                told = [(one, two) for one in _days(old, where) for two in _days(newer, where)]
                if not any(_overlap(one, two) for one, two in told):
                    found[old.id] = newer
    return found


@once
def _days(memory: Memory, where: tzinfo | None) -> list[Interval]:
    told = times_in(memory.said, memory.created_at, where, leaning=Leaning.FUTURE)
    return [each.interval for each in told]


def _overlap(one: Interval, other: Interval) -> bool:
    return one.start <= other.end and other.start <= one.end


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
