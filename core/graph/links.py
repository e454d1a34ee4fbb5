"""What a memory mentions, and which memories it says it came from. Pure."""

import re
from collections.abc import Iterator, Sequence

from ..model.derived import once
from ..model.knowledge import Relation
from ..model.memory import Memory, Succession
from ..text.display_names import entity_id

CAUSED_BY = "caused_by"
LINEAGE: frozenset[str] = frozenset(
    {CAUSED_BY, Succession.CORRECTS, Succession.UPDATES, Succession.SUPERSEDES}
)
"""Predicates between two memories that lead from one to what it came from."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@once
def mentions(memory: Memory) -> tuple[str, ...]:
    """Ids (`entity_id`) of all it mentions, each once.

    Its entities, who it is about, who said it, and both ends of its relations unless they are
    memories. An entity goes by its name, whatever id it was given.
    """
    names = {entity.id: entity.name or entity.id for entity in memory.entities}
    speaker = () if memory.speaker is None else (memory.speaker.name,)
    ends = (names.get(end, end) for end in _ends(memory))
    found = (entity_id(name) for name in (*names.values(), *memory.about, *speaker, *ends))
    return tuple(dict.fromkeys(filter(None, found)))


def provenance(memory_id: str, relations: Sequence[Relation]) -> tuple[Relation, ...]:
    """The relations that say which memories this one came from, in their order."""
    return tuple(
        relation
        for relation in relations
        if relation.subject == memory_id and relation.predicate in LINEAGE
    )


def _ends(memory: Memory) -> Iterator[str]:
    for relation in memory.relations:
        # Whatever the memory itself is related to is a memory.
        if relation.subject != memory.id:
            yield from (
                end
                for end in (relation.subject, relation.object)
                if end != memory.id and not _UUID.fullmatch(end)
            )
