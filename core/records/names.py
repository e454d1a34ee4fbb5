"""The names of one person: as memories state them, and as sleep has linked them."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Protocol

from ..languages.kin import kin_of
from ..languages.registry import nameless
from ..model.knowledge import SPEAKER, Relation
from ..model.memory import Memory, Succession
from ..ports import MemoryReader
from ..text.quoting import LONGEST_NAME, entity_id

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
    return memory.with_relations([Relation(names[0], ALSO_CALLED, names[1])])


def unlinked(memory: Memory) -> Memory:
    """The memory without any link between names."""
    left = tuple(edge for edge in memory.relations if edge.predicate != ALSO_CALLED)
    return replace(memory, relations=left)


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
        about=tuple(dict.fromkeys(names.get(entity_id(each), each) for each in memory.about)),
        entities=tuple(
            replace(each, id=one, name=one if one in names.values() else each.name)
            for one, each in entities.items()
        ),
    )


def _is_name(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and not kin_of(name) and name not in nameless()


LINKING = "linking"
"""The step of sleep under which the ids are kept."""


class Marks(Protocol):
    """What sleep keeps."""

    async def marks(self, scopes: Collection[str], step: str) -> Mapping[str, str]:
        """What a step has kept, by scope."""
        ...


async def linked_names(store: MemoryReader, marks: Marks, scopes: Collection[str]) -> Others:
    """The other names of whoever goes by one, as recallable memories of these scopes say."""
    told: list[Memory] = []
    kept = await marks.marks(scopes, LINKING)
    for scope in sorted(kept):
        if ids := _read(kept[scope]):
            found = await store.find(ids, frozenset({scope}))
            told += [*found, *await merged_into(store, found)]
    return other_names(memory for memory in told if memory.recallable)


async def merged_into(store: MemoryReader, memories: Collection[Memory]) -> list[Memory]:
    """What these have become part of since."""
    followed = [m.successor for m in memories if m.successor is not None]
    ids = [link.memory for link in followed if link.how is Succession.MERGES]
    return await store.find(ids) if ids else []


def joined(same: Mapping[str, Sequence[str]], others: Others) -> Mapping[str, Sequence[str]]:
    """The names that accounts go by, with those that were said to be theirs."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, own in (*same.items(), *others.items()):
        found[name].update(own)
    return {name: sorted(own) for name, own in found.items()}


def _read(mark: str) -> list[str]:
    """The ids in a mark; none of an unreadable one, which the next sleep writes anew."""
    try:
        return [str(id) for id in json.loads(mark or "[]")]
    except (ValueError, TypeError):
        return []
