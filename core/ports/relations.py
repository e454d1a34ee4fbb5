"""Part of the memory store: entities that memories mention, and what they came from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mention:
    """That a memory mentions an entity, given by its id (`core.text.display_names.entity_id`)."""

    entity: str
    memory: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A memory from which another one, `of`, was made, and how many steps it lies from the memory
    the search began with.

    `predicate` is what the relation says, in the words of `core.graph.links.LINEAGE`.
    """

    memory: str
    of: str
    predicate: str
    distance: int


class Relations(Protocol):
    """What leads from one memory to another."""

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        """How many recallable memories mention each of these entities; entities with none are left
        out.

        What a memory mentions is told by `core.graph.links.mentions`.
        """
        ...

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        """Entity by entity the recallable memories that mention it, at most `limit` of each.

        The newest first, ties by id.
        """
        ...

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        """What these memories came from, in any status, and so on for at most `depth` steps.

        Breadth first over the relations of `core.graph.links.LINEAGE`, each memory once, those of
        `ids` not at all; the way never leads through what is outside the scopes or purged.
        """
        ...

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        """For each turn, the recallable non-evidence memories whose origin names it."""
        ...
