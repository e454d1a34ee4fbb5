"""Intentions that are due today: shown once, when their person speaks."""

from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial

from ..model.conversation import Scope, ScopeKind
from ..model.memory import Memory
from ..model.times import day_of
from ..ports import Filter, MemoryStore
from ..records.intention_transitions import surfaced

MOST = 2
"""Intentions that one turn is reminded of; the next turn gets the next."""

LOOKED_AT = 200

HELD = 15.0
"""Seconds for which no other turn is given what one is shown: longer than a recall takes."""

SENDING = 300.0
"""Seconds for which no turn is given what a message may be about that is under way."""


@dataclass(slots=True)
class Reminders:
    """Noted as shown before the answer is recorded; after a crash before that it is shown again."""

    store: MemoryStore
    _held: dict[str, float] = field(default_factory=dict[str, float])

    async def due(
        self,
        scope: Scope,
        asker: str | None,
        scopes: frozenset[str],
        *,
        seen: frozenset[int],
        now: float,
        where: tzinfo | None,
    ) -> tuple[Memory, ...]:
        """What the asker is to be reminded of here and now; nobody else is given it meanwhile.

        In a group only what they said there themselves. `scopes` are those that may be recalled.
        """
        own = frozenset(key for key in scopes if Scope.kind_of(key) is scope.kind)
        if not own:
            return ()
        today = Filter(scopes=own, recallable=True, due=day_of(now, where))
        found = [
            memory
            for memory in await self.store.page(today, limit=LOOKED_AT)
            if self._is_new(memory, now)
            and seen.isdisjoint(memory.origin.turns)
            and (scope.kind is ScopeKind.PRIVATE or _said_by(memory, asker))
        ]
        chosen = sorted(found, key=lambda memory: (memory.due_at or 0.0, memory.id))[:MOST]
        self._held |= {memory.id: now for memory in chosen}
        return tuple(chosen)

    async def shown(self, ids: frozenset[str], at: float) -> None:
        """Note that these were shown."""
        await self.store.amend(sorted(ids), partial(surfaced, at=at))
        for id in ids:
            self._held.pop(id, None)

    def hold(self, memory: Memory, now: float, *, since: float) -> bool:
        """Keep it from every turn for a while, unless it has come up `since` or is held already."""
        if not self._is_new(memory, now, since):
            return False
        self._held[memory.id] = now
        return True

    def _is_new(self, memory: Memory, now: float, since: float = 0.0) -> bool:
        intended, held = memory.intention, self._held.get(memory.id)
        # What has moved on to another day is told as that.
        if intended is None or intended.surfaced_at > since or memory.successor is not None:
            return False
        free = held is None or not 0.0 <= now - held < HELD
        return free and not 0.0 <= now - intended.messaged_at < SENDING


def _said_by(memory: Memory, person: str | None) -> bool:
    return memory.speaker is not None and memory.speaker.id == person
