"""Intentions that are due today: shown when their person speaks, or sent to who asked for it."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial

from ..model.conversation import Scope, ScopeKind
from ..model.errors import StorageError
from ..model.memory import Memory
from ..model.times import day_of, moment, zone
from ..ports import Filter, MemoryStore, Turns
from ..privacy.consents import Consents
from ..records.intentions import messaged, surfaced, unsent
from ..settings import ReminderSettings
from .parts import Parts

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

    parts: Parts
    _held: dict[str, float] = field(default_factory=dict[str, float])

    async def due(
        self, scope: Scope, asker: str | None, scopes: frozenset[str], seen: frozenset[int]
    ) -> tuple[Memory, ...]:
        """What the asker is to be reminded of here and now; nobody else is given it meanwhile.

        In a group only what they said there themselves. `scopes` are those that may be recalled.
        """
        own = frozenset(key for key in scopes if Scope.kind_of(key) is scope.kind)
        if not own:
            return ()
        now, where = self.parts.clock.now(), zone(self.parts.settings.display.timezone)
        today = Filter(scopes=own, recallable=True, due=day_of(now, where))
        try:
            page = await self.parts.store.page(today, limit=LOOKED_AT)
        except StorageError:
            # The legs say what is wrong with the store; a reminder must not end the recall.
            return ()
        found = [
            memory
            for memory in page
            if self._is_new(memory, now)
            and seen.isdisjoint(memory.origin.turns)
            and (scope.kind is ScopeKind.PRIVATE or _said_by(memory, asker))
        ]
        chosen = sorted(found, key=lambda memory: (memory.due_at or 0.0, memory.id))[:MOST]
        self._held |= {memory.id: now for memory in chosen}
        return tuple(chosen)

    async def shown(self, ids: frozenset[str], at: float) -> None:
        """Note that these were shown."""
        await self.parts.store.amend(sorted(ids), partial(surfaced, at=at))
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


LATELY = 3_600.0
"""Seconds before a plan's hour in which what came up in the chat is not told again."""

type Send = Callable[[str, Memory], Awaitable[bool | None]]
"""Sends a message about an intention to a session. False if nobody was there to take it, so that
it was certainly not sent; None if nobody knows."""


@dataclass(frozen=True, slots=True)
class ReminderMessages:
    """It is noted that a message is sent before it is, so that none is ever sent twice.

    One of which nobody knows whether it arrived is not sent again: what it is about comes up in
    the chat when its person speaks that day. Only what was told in private, to the chat in which
    it was told.
    """

    store: MemoryStore
    journal: Turns
    consents: Consents
    reminders: Reminders
    settings: ReminderSettings
    where: tzinfo | None

    async def deliver(self, send: Send, now: float) -> int:
        """Send what is due and has not come up lately; how many messages were sent."""
        if self.settings.quiet(moment(now, self.where).hour):
            return 0
        sent, told = 0, Counter[str]()
        for memory in await self._due(now):
            session = await self._session(memory)
            at = self._told_at(memory.due_at or now)
            since = at - LATELY
            if not session or told[memory.scope] >= MOST or now < at:
                continue
            if self.reminders.hold(memory, now, since=since):
                told[memory.scope] += 1
                sent += await self._deliver(send, session, memory, now, since)
        return sent

    def _told_at(self, due_at: float) -> float:
        """When a plan is told: at its hour, or in the last one before the evening's quiet."""
        due, (start, end) = moment(due_at, self.where), self.settings.span
        evening = due.hour >= start > end
        return due.replace(hour=start - 1, minute=0).timestamp() if evening else due_at

    async def _deliver(
        self, send: Send, session: str, memory: Memory, now: float, since: float
    ) -> bool:
        if not await self.store.amend([memory.id], partial(messaged, at=now, since=since)):
            return False
        arrived = await send(session, memory)
        if arrived:
            await self.reminders.shown(frozenset({memory.id}), now)
        elif arrived is False:
            await self.store.amend([memory.id], unsent)
        return bool(arrived)

    async def _due(self, now: float) -> list[Memory]:
        scopes = await self._scopes()
        if not scopes:
            return []
        today = Filter(scopes=scopes, recallable=True, due=day_of(now, self.where))
        found = await self.store.page(today, limit=LOOKED_AT)
        return sorted(found, key=lambda memory: (memory.due_at or 0.0, memory.id))

    async def _scopes(self) -> frozenset[str]:
        owners = await self.consents.reminded()
        if not owners:
            return frozenset()
        own = [Scope.parse(key) for key in await self.store.scopes()]
        private = [s for s in own if s.kind is ScopeKind.PRIVATE and s.owner in owners]
        paused = [s for s in private if await self.consents.pause(s, s.subject) is not None]
        return frozenset(scope.key for scope in private if scope not in paused)

    async def _session(self, memory: Memory) -> str:
        """The private chat in which it was told, "" if that is not known to be its person's."""
        intended, session = memory.intention, memory.origin.session
        if intended is None or intended.messaged_at or not session:
            return ""
        # What an import says of its origin is not to be relied on.
        turns = await self.journal.last_turns(session, 1)
        own = Scope.parse(memory.scope).owner
        return session if any(Scope.parse(t.place.scope).owner == own for t in turns) else ""
