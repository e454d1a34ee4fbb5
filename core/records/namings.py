"""Names that people said belong to one person ("we call Robert Bob"), as memories state them. Pure.

Algorithms, section 13. Only a statement links two names, never their similarity.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from ..languages.kin import kin_of
from ..languages.registry import nameless
from ..model.claims import SPEAKER
from ..model.knowledge import Relation
from ..model.memory import Memory
from ..text.display_names import LONGEST_NAME, entity_id

ALSO_CALLED = "also_called"
"""Leads from a name to another of the same person's, in the memory that tells so."""

NAMING = frozenset({"name", "nickname"})
"""Attributes whose value is a name."""

type Others = Mapping[str, Set[str]]
"""By name (`entity_id`), the other names that are said to be the same person's."""


def stated_names(memory: Memory) -> tuple[str, str] | None:
    """The two names that a memory claims to be one person's, none of them a word for relatives."""
    claim = memory.claim
    if claim is None or claim.denied or claim.attribute not in NAMING:
        return None
    called = claim.relation or claim.subject
    if called.startswith(SPEAKER):
        called = "" if memory.speaker is None else memory.speaker.name
    one, other = entity_id(called), entity_id(claim.value)
    if one == other or not all(map(_is_name, (one, other))):
        return None
    return one, other


def linked(memory: Memory, names: tuple[str, str]) -> Memory:
    """The memory with the link between these names."""
    one, other = names
    edge = Relation(one, ALSO_CALLED, other)
    if edge in memory.relations:
        return memory
    return replace(memory, relations=(*memory.relations, edge))


def unlinked(memory: Memory) -> Memory:
    """The memory without any link between names."""
    left = tuple(edge for edge in memory.relations if edge.predicate != ALSO_CALLED)
    return memory if left == memory.relations else replace(memory, relations=left)


def links_in(memory: Memory) -> list[tuple[str, str]]:
    """The pairs of names that it links."""
    edges = (edge for edge in memory.relations if edge.predicate == ALSO_CALLED)
    return [(edge.subject, edge.object) for edge in edges]


def other_names(memories: Iterable[Memory]) -> Others:
    """What these link, each name with those that it is said to go with, and no further.

    Of two people who share a nickname neither is the other.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for memory in memories:
        for one, other in links_in(memory):
            found[one].add(other)
            found[other].add(one)
    return found


def by_one_name(others: Others) -> Mapping[str, str]:
    """One name for each two that go with each other alone."""
    found: dict[str, str] = {}
    for name, own in others.items():
        [*known] = own
        if len(known) == 1 and others.get(known[0]) == {name}:
            found[max(name, known[0])] = min(name, known[0])
    return found


def renamed(memory: Memory, names: Mapping[str, str]) -> Memory:
    """The memory as it reads with the one name of everybody, to be compared with others."""
    if not names:
        return memory
    told = entity_id(memory.text)
    if not any(name in told for name in names):
        return memory
    text, claim = memory.text, memory.claim
    for name, one in names.items():
        text = re.sub(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", one, text, flags=re.I)
    if claim is not None:
        claim = replace(claim, subject=names.get(claim.subject, claim.subject))
    entities = {names.get(entity_id(each.name), each.id): each for each in memory.entities}
    return replace(
        memory,
        text=text,
        claim=claim,
        about=_each_once(memory.about, names),
        entities=tuple(
            replace(each, id=one, name=one if one in names.values() else each.name)
            for one, each in entities.items()
        ),
    )


def _each_once(called: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names.get(entity_id(name), name) for name in called))


def _is_name(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and not kin_of(name) and name not in nameless()
