"""What holds of a slot and what held before, in one line; plans that were moved."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from ..conflict.slots import has_several
from ..languages.terms import content_terms
from ..languages.times import Interval, times_in
from ..model.derived import once
from ..model.memory import Kind, Memory, Succession
from ..ports import Filter, MemoryReader
from ..text.quoting import quoted
from ..text.time.calendar import Leaning
from .block import Style, may_tell_days
from .columns import matter
from .selection import asks, terms_told
from .trace import Drop, Fused

LOOKED_AT = 30
"""Candidates, best first, whose slots are read."""

MOST = 100
"""Claims of the slots of one turn that are read."""

TOLD = 3
"""Former values that are told, the latest."""

LONGEST_VALUE = 60

type Slot = tuple[str, str]
"""A scope and a slot in it."""

type Slots = Mapping[Slot, Sequence[Memory]]
"""The claims of each slot, the newest first, what holds before what is over."""


def is_over(memory: Memory) -> bool:
    """Whether its claim is over."""
    return memory.claim is not None and not memory.holds


async def slots_of(
    candidates: Sequence[Fused], records: Mapping[str, Memory], reader: MemoryReader
) -> Slots:
    """All claims of the slots of the best candidates. Raises StorageError."""
    best = (records.get(each.memory) for each in candidates[:LOOKED_AT])
    claimed = [m for m in best if m is not None and m.claim is not None]
    if not claimed:
        return {}
    where = Filter(
        scopes=frozenset(memory.scope for memory in claimed),
        recallable=True,
        slots=frozenset(memory.claim.slot for memory in claimed if memory.claim),
    )
    found: defaultdict[Slot, list[Memory]] = defaultdict(list)
    for memory in await reader.page(where, limit=MOST):
        found[_slot(memory)].append(memory)
    return {slot: sorted(own, key=_place) for slot, own in found.items()}


def in_one_line(candidates: Sequence[Fused], slots: Slots) -> list[Fused]:
    """The first candidate of each single-valued slot stands for it, with what holds there.

    The others are dropped: its line tells them.
    """
    lead = {memory.id: own[0].id for own in slots.values() for memory in own if _single(memory)}
    named = {each.memory: each for each in candidates}
    done: set[str] = set()
    result: list[Fused] = []
    for each in candidates:
        leader = lead.get(each.memory, each.memory)
        if leader == each.memory and leader not in done:
            result.append(each)
        elif leader not in done:
            told = {"memory": leader, "score": each.score, "via": each.memory, "drop": each.drop}
            result.append(replace(named.get(leader, each), **told))
        if leader != each.memory:
            result.append(replace(each.dropped(Drop.SUPERSEDED), behind=leader))
        done.add(leader)
    return result


def histories(chosen: Iterable[Memory], slots: Slots, style: Style) -> dict[str, str]:
    """By the ids of the `chosen` memories the former values of their slots, with their times."""
    told = dict[str, str]()
    for memory in chosen:
        if memory.claim is None or not _single(memory):
            continue
        former = [
            _value(one, style)
            for one in slots.get(_slot(memory), ())
            if one.id != memory.id and one.claim and one.claim.value and not one.claim.denied
            if one.claim.valid_to is not None and one.claim.valid_to > one.claim.valid_from
        ]
        if former:
            told[memory.id] = style.words.listing.join(dict.fromkeys(former[:TOLD]))
    return told


def ends_of_turns(
    chosen: Iterable[Memory], records: Mapping[str, Memory], slots: Slots
) -> tuple[dict[str, float], dict[str, str]]:
    """When what the `chosen` raw turns say ceased to be so, by their ids, and what is so instead.

    Only of those from which nothing was learnt that still holds.
    """
    learnt: defaultdict[int, list[Memory]] = defaultdict(list)
    for memory in records.values():
        if memory.kind is not Kind.EVIDENCE:
            for turn in memory.origin.turns:
                learnt[turn].append(memory)
    ends, instead = dict[str, float](), dict[str, str]()
    for memory in chosen:
        turns = memory.origin.turns if memory.kind is Kind.EVIDENCE else ()
        told = [one for turn in turns for one in learnt.get(turn, ())]
        if told and all(map(is_over, told)):
            ends[memory.id] = max((one.claim.valid_to or 0.0) if one.claim else 0.0 for one in told)
            now = [own[0] for one in told if (own := slots.get(_slot(one))) and own[0].holds]
            claim = now[0].claim if now else None
            if claim is not None and claim.value and not claim.denied:
                instead[memory.id] = quoted(claim.value, LONGEST_VALUE)
    return ends, instead


def older_in_slots(judged: Sequence[Fused], records: Mapping[str, Memory]) -> Mapping[str, str]:
    """Of the claims shown that hold, those of which one before them says something later.

    Both are of one slot and their values share a term: tea says nothing of sleep.
    """
    shown: defaultdict[Slot, list[tuple[Memory, frozenset[str]]]] = defaultdict(list)
    later: dict[str, str] = {}
    for each in judged:
        memory = records.get(each.memory)
        if each.drop is not None or memory is None or memory.claim is None or is_over(memory):
            continue
        own, words = shown[_slot(memory)], content_terms(memory.claim.value)
        for newer, told in own:
            if memory.created_at < newer.created_at and not words.isdisjoint(told):
                later[memory.id] = newer.id
        own.append((memory, words))
    return later


def _single(memory: Memory) -> bool:
    return memory.claim is not None and not has_several(memory.claim.attribute)


def _slot(memory: Memory) -> Slot:
    return memory.scope, memory.claim.slot if memory.claim else ""


def _place(memory: Memory) -> tuple[bool, bool, float, float, str]:
    claim = memory.claim
    since = 0.0 if claim is None else claim.valid_from
    denied = claim is not None and claim.denied
    return not memory.holds, denied, -since, -memory.created_at, memory.id


def _value(memory: Memory, style: Style) -> str:
    claim = memory.claim
    if claim is None or claim.valid_to is None:
        return ""
    until = style.show_time(claim.valid_to)
    value = quoted(claim.value, LONGEST_VALUE)
    since = style.show_time(claim.valid_from)
    return style.words.former.format(value=value, since=since, until=until)


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
    retold = _retold(chosen, where)
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


def _retold(memories: Sequence[Memory], where: tzinfo | None) -> dict[str, Memory]:
    """By the id of a raw turn, the last of its speaker with all its content terms but for times, of
    another day.
    """
    raw = [m for m in memories if m.kind is Kind.EVIDENCE and _days(m, where) and not asks(m)]
    raw = sorted(raw, key=lambda memory: (memory.created_at, memory.id))
    found: dict[str, Memory] = {}
    for place, old in enumerate(raw):
        core = matter(old, where)
        for newer in raw[place + 1 :] if core else ():
            same = newer.account == old.account
            if same and core <= terms_told(newer):
                told = [(one, two) for one in _days(old, where) for two in _days(newer, where)]
                if not any(one.start <= two.end and two.start <= one.end for one, two in told):
                    found[old.id] = newer
    return found


@once
def _days(memory: Memory, where: tzinfo | None) -> list[Interval]:
    if not may_tell_days(memory, where):
        return []
    told = times_in(memory.said, memory.created_at, where, leaning=Leaning.FUTURE)
    return [each.interval for each in told]


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
