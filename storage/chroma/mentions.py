"""Who and what one scope's recallable memories mention, in memory beside its text index."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from ...core.ports import Mention

type Aged = tuple[float, str]
"""Minus the time a memory was created, and its id: in order, the newest comes first."""


class MentionIndex:
    """By entity its memories, newest first; by memory its entities. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._mentioning: dict[str, list[Aged]] = {}
        self._named: dict[str, tuple[float, Sequence[str]]] = {}
        self._held = 0

    @property
    def size(self) -> int:
        """Mentions held."""
        return self._held

    def change(self, gone: Iterable[str], come: Mapping[str, tuple[float, Sequence[str]]]) -> None:
        """Remove memories, then add: by id when it was created and the entities, each once."""
        with self._lock:
            for id in (*gone, *come):
                self._remove(id)
            for id, (created_at, entities) in come.items():
                self._add(id, created_at, entities)

    def counts(self, entities: Iterable[str]) -> dict[str, int]:
        """How many memories mention each of these entities, where any does."""
        with self._lock:
            return {
                name: len(self._mentioning[name])
                for name in dict.fromkeys(entities)
                if name in self._mentioning
            }

    def newest(self, entity: str, limit: int) -> list[Aged]:
        """The newest memories that mention it, ties by id."""
        with self._lock:
            return self._mentioning.get(entity, [])[: max(0, limit)]

    def _add(self, id: str, created_at: float, entities: Sequence[str]) -> None:
        self._named[id] = created_at, entities
        self._held += len(entities)
        for name in entities:
            insort(self._mentioning.setdefault(name, []), (-created_at, id))

    def _remove(self, id: str) -> None:
        created_at, entities = self._named.pop(id, (0.0, ()))
        self._held -= len(entities)
        for name in entities:
            mentioning = self._mentioning[name]
            del mentioning[bisect_left(mentioning, (-created_at, id))]
            if not mentioning:
                del self._mentioning[name]


def counted(indexes: Sequence[MentionIndex], entities: Sequence[str]) -> dict[str, int]:
    """`counts` over several scopes."""
    total: Counter[str] = Counter()
    for index in indexes:
        total.update(index.counts(entities))
    return dict(total)


def newest(indexes: Sequence[MentionIndex], entities: Sequence[str], limit: int) -> list[Mention]:
    """Entity by entity the newest over several scopes."""
    return [
        Mention(entity, id)
        for entity in dict.fromkeys(entities)
        for _, id in sorted(each for index in indexes for each in index.newest(entity, limit))[
            : max(0, limit)
        ]
    ]
