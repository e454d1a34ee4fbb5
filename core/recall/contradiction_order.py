"""Memories of one result that are known to contradict each other: the newer comes first. Pure.

What contradicts what is read from the memories' own relations; nothing is compared in a turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..conflict.trust import CONTRADICTS, linked
from ..model.memory import Memory
from .trace import Fused

type Pair = tuple[str, str]
"""Ids of two memories that contradict each other, the newer first."""


def newer_first(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    """Of what is brought up, those that contradict each other in the places that they have
    together, newest first.

    Each older one names the newest that contradicts it.
    """
    pairs = _contradictory(candidates, records)
    behind: dict[str, str] = {}
    for newer, older in sorted(pairs, key=lambda pair: _age(records[pair[0]])):
        behind[older] = newer
    result = list(candidates)
    for group in _groups(pairs):
        places = [place for place, each in enumerate(result) if each.memory in group]
        ordered = sorted(
            (result[place] for place in places),
            key=lambda each: _age(records[each.memory]),
            reverse=True,
        )
        for place, each in zip(places, ordered, strict=True):
            result[place] = replace(each, behind=behind.get(each.memory, ""))
    return result


def _contradictory(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> set[Pair]:
    """The linked pairs of what is brought up, of one scope each.

    A shared private memory must leave no trace in the group's, whatever an import says.
    """
    brought = [each.memory for each in candidates if each.drop is None]
    shown = {id: records[id] for id in brought if id in records}
    return {
        _newer_and_older(memory, shown[other])
        for memory in shown.values()
        for other in linked(memory, CONTRADICTS)
        if other in shown and shown[other].scope == memory.scope
    }


def _newer_and_older(one: Memory, other: Memory) -> Pair:
    older, newer = sorted((one, other), key=_age)
    return newer.id, older.id


def _groups(pairs: set[Pair]) -> list[set[str]]:
    """Ids that are linked by pairs, one way or another."""
    groups: list[set[str]] = []
    for pair in pairs:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(pair).union(*touched))
    return groups


def _age(memory: Memory) -> tuple[float, str]:
    return memory.created_at, memory.id
