"""Whether a memory is about somebody or something that the turn names. Pure."""

from collections.abc import Mapping
from itertools import chain

from ..languages.entity_matching import named
from ..model.derived import once
from ..model.memory import Kind, Memory


def sides(records: Mapping[str, Memory], asked: str) -> dict[str, int]:
    """1 for those of somebody or something that the turn names; else -1 if it names a person.

    `asked` is `folded`. A turn that names only a thing puts nothing at -1: what answers a question
    about a thing often does not name it.
    """
    people = {memory.id: _people(memory) for memory in records.values()}
    things = {memory.id: _things(memory) for memory in records.values()}
    every = set(chain(*people.values(), *things.values()))
    said = {name for name in every if named(name, asked)}
    if not said:
        return dict.fromkeys(records, 0)
    other = -1 if any(said & own for own in people.values()) else 0
    return {id: 1 if said & (people[id] | things[id]) else other for id in records}


@once
def _people(memory: Memory) -> frozenset[str]:
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    return frozenset((*speaker, *memory.about))


@once
def _things(memory: Memory) -> frozenset[str]:
    # A raw turn that names somebody is mostly said to them, not of them or by them.
    entities = () if memory.kind is Kind.EVIDENCE else memory.entities
    return frozenset(entity.name for entity in entities)
