"""A claim that is over is replaced by the one that holds in its slot, unless the past is asked for.

Algorithms, section 12.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..conflict.slots import LIKE, has_several, same_value
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..model.claims import Claim
from ..model.memory import Kind, Memory
from ..ports import Filter, MemoryStore
from .trace import Drop, Fused

RECENT = 60 * 86_400.0
"""Seconds for which what held before is told beside what holds."""

MOST = 100
"""Claims of the slots of one turn that are read."""

type Slot = tuple[str, str]
"""A scope and a slot in it."""


def asks_for_past(text: str) -> bool:
    """Whether a turn asks what was, not what is."""
    codes = codes_in(text)
    return any(marker(kind, codes).search(text) for kind in (Marker.PAST, Marker.LONG_AGO))


def is_over(memory: Memory) -> bool:
    """Whether its claim is over."""
    return memory.claim is not None and not memory.holds


def tells_what_is_not(memory: Memory) -> bool:
    """Whether it only denies a value; a dislike is a taste like any other."""
    claim = memory.claim
    return claim is not None and claim.denied and claim.attribute != LIKE


def tells_the_past(memory: Memory) -> bool:
    """Whether it answers what was so: its claim is over, or denies what held before."""
    return is_over(memory) or tells_what_is_not(memory)


async def with_current(
    candidates: Sequence[Fused],
    records: dict[str, Memory],
    store: MemoryStore,
    *,
    asked: str,
) -> tuple[list[Fused], dict[str, Memory]]:
    """What is over replaced, at its place, by what holds of its slot, unless the past is asked for.

    What holds is read only if something that is over was found. Raises StorageError.
    """
    over = [m for each in candidates if (m := records.get(each.memory)) and is_over(m)]
    if not over or asks_for_past(asked):
        return list(candidates), records
    where = Filter(
        scopes=frozenset(memory.scope for memory in over),
        recallable=True,
        slots=frozenset(memory.claim.slot for memory in over if memory.claim),
        holds=True,
    )
    holding = await store.page(where, limit=MOST)
    by_slot: defaultdict[Slot, list[Memory]] = defaultdict(list)
    for memory in holding:
        by_slot[_slot(memory)].append(memory)
    known = records | {memory.id: memory for memory in holding}
    return in_their_place(candidates, known, by_slot), known


def in_their_place(
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    holding: Mapping[Slot, Sequence[Memory]],
) -> list[Fused]:
    """The candidates with what holds in the place of what is over, and that dropped.

    What nothing has taken the place of stays: it is shown with its end.
    """
    own = {each.memory: each for each in candidates}
    placed: set[str] = set()
    result: list[Fused] = []
    for each in candidates:
        if each.memory in placed:
            continue
        memory = records.get(each.memory)
        heirs = holding.get(_slot(memory), ()) if memory and is_over(memory) else ()
        for heir in heirs:
            if heir.id not in placed:
                placed.add(heir.id)
                result.append(_instead(heir.id, each, own.get(heir.id)))
        placed.add(each.memory)
        dropped = replace(each.dropped(Drop.SUPERSEDED), behind=heirs[0].id) if heirs else each
        result.append(dropped)
    return result


def newest_first(
    candidates: Sequence[Fused], records: Mapping[str, Memory], *, past: bool = False
) -> list[Fused]:
    """The claims of each slot in the places that they have together, the newest first.

    Current values come before denied ones and those that are over, however lately these were said
    ("we used to live in Karachi"); where the `past` is asked for, after them.
    """
    places: defaultdict[Slot, list[int]] = defaultdict(list)
    for place, each in enumerate(candidates):
        memory = records.get(each.memory)
        if each.drop is None and memory is not None and memory.claim is not None:
            places[_slot(memory)].append(place)
    result = list(candidates)
    for own in places.values():
        told = sorted(
            (candidates[place] for place in own),
            key=lambda each: _order(records[each.memory], past=past),
        )
        for place, each in zip(own, told, strict=True):
            result[place] = each
    return result


def values_before(
    chosen: Sequence[Memory], records: Mapping[str, Memory], *, now: float
) -> dict[str, str]:
    """By the ids of the `chosen` memories what held before in their slots, if it is known.

    What held until lately beside what holds, and what is denied beside a value that holds instead.
    """
    ended: dict[Slot, Memory] = {}
    for memory in records.values():
        claim = memory.claim
        if claim is None or claim.valid_to is None or claim.denied or not memory.recallable:
            continue
        if 0.0 <= now - claim.valid_to <= RECENT and claim.valid_to > claim.valid_from:
            last = ended.get(_slot(memory))
            if last is None or _end(last) < claim.valid_to:
                ended[_slot(memory)] = memory
    instead = {_slot(memory) for memory in chosen if memory.holds and not _is_denial(memory)}
    return {
        memory.id: memory.claim.value
        for memory in chosen
        if memory.claim and tells_what_is_not(memory) and _slot(memory) in instead
        if memory.claim.value and not has_several(memory.claim.attribute)
    } | {
        memory.id: old.claim.value
        for memory in chosen
        if memory.holds and (old := ended.get(_slot(memory))) and old.claim
        # "No longer eats meat" tells what held before itself.
        if not (memory.claim and memory.claim.denied and _is_value_of(memory.claim, old.claim))
    }


def _is_denial(memory: Memory) -> bool:
    return memory.claim is not None and memory.claim.denied


def _is_value_of(denial: Claim, claim: Claim) -> bool:
    return same_value(claim.attribute, denial.value, claim.value)


def ends_of_turns(chosen: Sequence[Memory], records: Mapping[str, Memory]) -> dict[str, float]:
    """By the ids of the `chosen` raw turns when all that was learnt from them ceased to be so."""
    learnt = _learnt_from_turns(records)
    ends: dict[str, float] = {}
    for memory in chosen:
        if memory.kind is not Kind.EVIDENCE:
            continue
        told = [one for turn in memory.origin.turns for one in learnt.get(turn, ())]
        if told and all(map(is_over, told)):
            ends[memory.id] = max(map(_end, told))
    return ends


def turns_of_the_past(records: Mapping[str, Memory]) -> frozenset[int]:
    """The turns from which only claims were learnt that are over."""
    return frozenset(
        turn for turn, told in _learnt_from_turns(records).items() if all(map(tells_the_past, told))
    )


def _learnt_from_turns(records: Mapping[str, Memory]) -> Mapping[int, Sequence[Memory]]:
    learnt: defaultdict[int, list[Memory]] = defaultdict(list)
    for memory in records.values():
        if memory.kind is not Kind.EVIDENCE:
            for turn in memory.origin.turns:
                learnt[turn].append(memory)
    return learnt


def _instead(heir: str, found: Fused, own: Fused | None) -> Fused:
    hits = found.hits if own is None else (*own.hits, *found.hits)
    score = found.score if own is None else max(own.score, found.score)
    return Fused(heir, hits, score, via=found.memory)


def _slot(memory: Memory) -> Slot:
    return memory.scope, memory.claim.slot if memory.claim else ""


def _order(memory: Memory, *, past: bool) -> tuple[bool, float, float]:
    since = memory.claim.valid_from if memory.claim else 0.0
    return tells_the_past(memory) is not past, -since, -memory.created_at


def _end(memory: Memory) -> float:
    return (memory.claim.valid_to or 0.0) if memory.claim else 0.0
