"""What memories mention and came from, and which names belong together, by Louvain. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations

from ..model.derived import once
from ..model.knowledge import Relation
from ..model.memory import Memory, Succession
from ..text.quoting import entity_id

LEAST_MEMBERS = 3
MOST_NAMES = 2_000
"""Names of a scope that are put together, those with the most memories."""

MOST_OF_ONE = 12
"""Names of one memory that count: of n there are n * (n - 1) / 2 pairs."""

COMMON = 0.5
"""Share of the memories beyond which a name is in all communities, and so in none."""

FEW = 20
"""Memories up to which no name is too common."""

SEED = 1


@dataclass(slots=True)
class Mentions:
    """Takes what each memory of a scope mentions."""

    _memories: int = 0
    _names: Counter[str] = field(default_factory=Counter[str])
    _pairs: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def add(self, names: Iterable[str]) -> None:
        """The ids of the entities of one memory."""
        own = sorted(set(names))[:MOST_OF_ONE]
        self._memories += 1
        self._names.update(own)
        self._pairs.update(combinations(own, 2))

    def communities(self) -> list[frozenset[str]]:
        """Those of `LEAST_MEMBERS` names or more; the same mentions give the same ones."""
        import networkx as nx

        few = self._memories <= FEW
        most = self._names.most_common(MOST_NAMES)
        kept = {name for name, n in most if few or n <= COMMON * self._memories}
        told = sorted(pair for pair in self._pairs if kept.issuperset(pair))
        if not told:
            return []
        graph = nx.Graph()
        graph.add_weighted_edges_from((*pair, self._pairs[pair]) for pair in told)
        found = nx.community.louvain_communities(graph, weight="weight", seed=SEED)
        return [frozenset(names) for names in found if len(names) >= LEAST_MEMBERS]


def named_as_before(
    found: Sequence[frozenset[str]], known: Mapping[str, Set[str]]
) -> dict[str, frozenset[str]]:
    """Those `found`, under the ids of the `known` ones with which they share most of all members.

    The greatest share first; a new one is called after its first member, in order, that names none.
    """
    shares = sorted(
        (
            (-len(own & members) / len(own | members), id, place)
            for place, own in enumerate(found)
            for id, members in known.items()
            if own & members
        )
    )
    ids: dict[int, str] = {}
    for _, id, place in shares:
        if place not in ids and id not in ids.values():
            ids[place] = id
    taken = {*known}
    for place, own in enumerate(found):
        if place not in ids:
            ids[place] = next((name for name in sorted(own) if name not in taken), min(own))
            taken.add(ids[place])
    return {ids[place]: own for place, own in enumerate(found)}


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
