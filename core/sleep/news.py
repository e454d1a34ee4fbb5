"""Whether anything in a scope has changed since its last sleep. Async.

A night in which no step found anything to do keeps what its steps went by: the store's mark of
changes, what is set and what was said last. While that stays the same, and no memory comes to an
age that a step waits for, a night is only a sweep: the other steps would find nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import inf
from typing import Any

from ..conflict.examined import Examined
from ..forgetting.lifecycle import DAY
from ..model.memory import Memory
from ..ports import EmbedderSource, Filter, MemoryStore, Sleeps
from ..records.intentions import heard_at, is_long_over, is_stale
from ..records.learnt import SETTLED, is_due
from .asking import Asking
from .sweep import paged

NEWS = "news"
"""Names the mark of a scope with all that; "" after a sleep that did something."""

SIZE = 16

OPEN_CONFLICTS = "conflicts"
"""The step whose mark has conflicts that a recall may come upon at any time."""


@dataclass(frozen=True, slots=True)
class ScopeState:
    """What the steps of a sleep go by.

    `under` are the settings that decide what they do with it.
    """

    store: MemoryStore
    journal: Sleeps
    embedders: EmbedderSource
    asking: Asking
    stale_days: float
    under: Sequence[Any] = ()

    async def seen(self, scope: str) -> str:
        """All that the steps go by now, to be compared later; "" where something waits."""
        if Examined.read(await self.journal.mark(scope, OPEN_CONFLICTS)).open:
            return ""
        return f"{await self._about(scope)} {await self.store.changes(scope)}"

    async def mark(self, scope: str, seen: str, at: float) -> str:
        """The mark of a sleep at `at` that found nothing in what it had `seen`."""
        if not seen:
            return ""
        until = inf
        async for page in paged(self.store, Filter(frozenset({scope}))):
            ages = (age for memory in page for age in self._ages(memory) if age > at)
            until = min((until, *ages))
        return f"{until!r} {seen}"

    async def _about(self, scope: str) -> str:
        last = await self.journal.latest_episode(scope)
        embedder = await self.embedders.choose()
        spoken = None if last is None else (last.id, last.last_at)
        has_model = await self.asking.has_model(scope)
        told = repr((tuple(self.under), spoken, embedder is None, has_model)).encode()
        return blake2b(told, digest_size=SIZE).hexdigest()

    def _ages(self, memory: Memory) -> Iterator[float]:
        """When it has been unheard of, or there, for as long as a step waits for."""
        if is_stale(memory, inf, self.stale_days) or is_long_over(memory, inf, self.stale_days):
            yield heard_at(memory) + self.stale_days * DAY
        if is_due(memory, inf):
            yield memory.created_at + SETTLED


def is_same(mark: str, seen: str, at: float) -> bool:
    """Whether the steps would at `at` find what the sleep of the mark has left."""
    until, _, was = mark.partition(" ")
    return bool(seen) and was == seen and at < float(until)
