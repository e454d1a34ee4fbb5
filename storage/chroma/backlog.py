"""Which recallable memories have no vector of the embedder in use: counted once, then followed."""

import heapq
from dataclasses import dataclass, field

from ...core.model.memory import Memory


@dataclass(slots=True)
class Backlog:
    """Of one fingerprint, over every scope. Belongs to the writer's thread."""

    fingerprint: str
    recallable: int = 0
    _lacking: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def embedded(self) -> int:
        """Recallable memories with a vector of the fingerprint."""
        return self.recallable - len(self._lacking)

    def follow(self, memory: Memory, fingerprint: str, *, was: bool, now: bool) -> None:
        """A memory whose vector is of `fingerprint` ("" for none) was and is recallable or not."""
        self.recallable += now - was
        if now and fingerprint != self.fingerprint:
            self._lacking[memory.id] = memory.created_at
        else:
            self._lacking.pop(memory.id, None)

    def newest(self, limit: int) -> list[str]:
        """Ids of the newest that lack a vector, newest first."""
        return heapq.nsmallest(
            max(0, limit), self._lacking, key=lambda id: (-self._lacking[id], id)
        )
