"""Whether anything in a scope has changed since its last sleep. Async.

A night in which no step found anything to do keeps a digest of the steps' input. While that stays
the same, apart from raw turns that have decayed since, a night is only a sweep: the other steps
would find nothing.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from ..conflict.examined import Examined
from ..model.memory import RAW, Memory, Status
from ..ports import EmbedderSource, Filter, MemoryStore, Sleeps
from ..records.intentions import is_long_over, is_stale
from ..records.learnt import is_due
from .asking import Asking
from .policy_passes import paged

NEWS = "news"
"""Names the mark of a scope with that digest and its time; "" after a sleep that did something."""

SIZE = 16
MODULUS = 1 << (8 * SIZE)

OPEN_CONFLICTS = "conflicts"
"""The step whose mark has conflicts that a recall may come upon at any time."""


@dataclass(frozen=True, slots=True)
class ScopeState:
    """What the steps of a sleep go by, as a digest.

    `under` are the settings that decide what they do with it.
    """

    store: MemoryStore
    journal: Sleeps
    embedders: EmbedderSource
    asking: Asking
    stale_days: float
    under: Sequence[Any] = ()

    async def seen(self, scope: str, at: float) -> str:
        """All that the steps go by at `at`, to be compared later; "" where something waits."""
        if Examined.read(await self.journal.mark(scope, OPEN_CONFLICTS)).open:
            return ""
        found = await self._sum(Filter(frozenset({scope})), at)
        return f"{at!r} {await self._about(scope)} {found:x}"

    async def is_as(self, known: str, scope: str, seen: str) -> bool:
        """Whether `seen` is what was `known` but for raw turns that have left since."""
        then, about, was = known.split(" ") if known else ("", "", "0")
        at, now_about, found = seen.split(" ") if seen else ("", "-", "0")
        if about != now_about:
            return False
        if was == found:
            return True
        left = await self._left(scope, float(then), float(at))
        return (int(found, 16) + left) % MODULUS == int(was, 16)

    async def _about(self, scope: str) -> str:
        last = await self.journal.latest_episode(scope)
        embedder = await self.embedders.choose()
        spoken = None if last is None else (last.id, last.last_at)
        has_model = await self.asking.has_model(scope)
        told = repr((tuple(self.under), spoken, embedder is None, has_model)).encode()
        return blake2b(told, digest_size=SIZE).hexdigest()

    async def _left(self, scope: str, since: float, at: float) -> int:
        gone = 0
        for status in (Status.BINNED, Status.ARCHIVED):
            where = Filter(frozenset({scope}), status=status, kinds=RAW)
            gone += await self._sum(where, at, since)
        return gone

    async def _sum(self, where: Filter, at: float, since: float | None = None) -> int:
        """Of the digests of the memories, so that their order is nothing; `since` they are so."""
        total = 0
        async for page in paged(self.store, where):
            told = [m for m in page if since is None or m.standing.since > since]
            vectors = await self.store.vectors([memory.id for memory in told])
            known = {id: own.fingerprint for id, own in vectors.items()}
            total += await asyncio.to_thread(self._digests, told, known, at)
        return total % MODULUS

    def _digests(self, told: Sequence[Memory], vectors: dict[str, str], at: float) -> int:
        rows = [repr((self._row(memory, at), vectors.get(memory.id))) for memory in told]
        parts = [blake2b(row.encode("utf-8", "backslashreplace"), digest_size=SIZE) for row in rows]
        return sum(int.from_bytes(part.digest()) for part in parts)

    def _row(self, memory: Memory, at: float) -> tuple[object, ...]:
        vitality = memory.vitality
        due = is_stale(memory, at, self.stale_days) or is_long_over(memory, at, self.stale_days)
        return (
            memory.id,
            memory.text,
            (memory.happened_at, memory.importance, memory.trust, memory.confidence),
            (vitality.useful_count, vitality.pinned, vitality.sole),
            (memory.origin, memory.successor, memory.claim, memory.intention, memory.feedback),
            (memory.speaker, memory.about, memory.entities, memory.relations, memory.event),
            (due, is_due(memory, at)),
        )
