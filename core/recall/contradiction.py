"""Memories of one result that contradict each other: the newer comes first. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ..conflict.verdict import Reading, Stance, judged
from ..likeness import Matrix
from ..memory import Kind, Memory
from ..thresholds import ABOUT_THE_SAME
from .trace import Fused

CLAIMS = frozenset({Kind.EPISODIC, Kind.SEMANTIC, Kind.PROCEDURAL})
"""What claims something. A raw turn is what was said, and what it claims has not been weighed."""

type Pair = tuple[str, str]
"""Ids of two memories that contradict each other, the newer first."""


def claims(candidates: Sequence[Fused], records: Mapping[str, Memory]) -> list[list[Memory]]:
    """Of what is brought up, the claims of each scope that has several.

    Memories of different scopes are not compared: a shared private one must leave no trace in
    the group's.
    """
    by_scope: dict[str, list[Memory]] = defaultdict(list)
    for candidate in candidates:
        memory = records.get(candidate.memory)
        if candidate.drop is None and memory is not None and memory.kind in CLAIMS:
            by_scope[memory.scope].append(memory)
    return [own for own in by_scope.values() if len(own) > 1]


def contradictory(memories: Sequence[Memory], alike: Matrix) -> list[Pair]:
    """The pairs of these memories of one scope, of the given similarities, that contradict."""
    read = [Reading(memory) for memory in memories]
    found: list[Pair] = []
    for one, other in combinations(range(len(read)), 2):
        near = float(alike[one, other])
        if near < ABOUT_THE_SAME:
            continue
        if judged(read[one], read[other], near).stance is Stance.CONTRADICTS:
            older, newer = sorted((memories[one], memories[other]), key=_age)
            found.append((newer.id, older.id))
    return found


def newer_first(
    candidates: Sequence[Fused], pairs: Sequence[Pair], records: Mapping[str, Memory]
) -> list[Fused]:
    """Those who contradict each other in the places that they have together, newest first.

    Each older one names the newest that contradicts it.
    """
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


def _groups(pairs: Sequence[Pair]) -> list[set[str]]:
    """Ids that are linked by pairs, one way or another."""
    groups: list[set[str]] = []
    for pair in pairs:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(pair).union(*touched))
    return groups


def _age(memory: Memory) -> tuple[float, str]:
    return memory.created_at, memory.id
