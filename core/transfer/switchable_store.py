"""One store for everybody, behind which another can be put while all of them go on working."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager

from ..forgetting.lifecycle import BinPolicy
from ..forgetting.tmd import Tmd
from ..model.memory import Kind, Memory
from ..ports import (
    Amendment,
    Ancestor,
    Change,
    Condition,
    DecayCount,
    Embedded,
    Filter,
    MemoryStore,
    Mention,
    Order,
    Scored,
    Tally,
    Unreadable,
    Vector,
)


class Changes:
    """Ids that have been written since it was made; `everything` after a decay."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.everything = False

    def take(self) -> tuple[frozenset[str], bool]:
        """What was written so far, and begin anew."""
        taken = frozenset(self.ids), self.everything
        self.ids, self.everything = set(), False
        return taken


class SwitchingStore(MemoryStore):
    """Everything goes to the store in force. Writes wait while `still` is held; reads never do."""

    def __init__(
        self,
        store: MemoryStore,
        before_purge: Callable[[], Awaitable[None]] | None = None,
        after_purge: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._before_purge = before_purge
        self._after_purge = after_purge
        self._writes = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._open = asyncio.Event()
        self._open.set()
        self._turn = asyncio.Lock()
        self._followers: list[Changes] = []

    @property
    def store(self) -> MemoryStore:
        """The one in force."""
        return self._store

    @asynccontextmanager
    async def still(self) -> AsyncGenerator[None]:
        """Within it nothing is being written: what has begun is finished, what comes waits."""
        async with self._turn:
            self._open.clear()
            try:
                await self._quiet.wait()
                yield
            finally:
                self._open.set()

    @asynccontextmanager
    async def followed(self) -> AsyncGenerator[Changes]:
        """Within it every change is noted."""
        changes = Changes()
        self._followers.append(changes)
        try:
            yield changes
        finally:
            self._followers.remove(changes)

    def put_in_force(self, store: MemoryStore) -> None:
        """Replace the store; only within `still`. Whoever does this closes the old one."""
        self._store = store

    @asynccontextmanager
    async def _writing(self, ids: Sequence[str] | None) -> AsyncGenerator[MemoryStore]:
        """The store to write these ids to (None: any). Noted even if it fails half-way."""
        while not self._open.is_set():
            await self._open.wait()
        self._writes += 1
        self._quiet.clear()
        try:
            yield self._store
        finally:
            for changes in self._followers:
                changes.ids.update(ids or ())
                changes.everything |= ids is None
            self._writes -= 1
            if not self._writes:
                self._quiet.set()

    async def put(self, memories: Sequence[Memory]) -> frozenset[str]:
        async with self._writing([memory.id for memory in memories]) as store:
            return await store.put(memories)

    async def get(self, memory_id: str, scopes: frozenset[str] | None = None) -> Memory:
        return await self._store.get(memory_id, scopes)

    async def find(self, ids: Sequence[str], scopes: frozenset[str] | None = None) -> list[Memory]:
        return await self._store.find(ids, scopes)

    async def resolve(self, prefix: str, scopes: frozenset[str] | None) -> list[str]:
        return await self._store.resolve(prefix, scopes)

    async def page(
        self, where: Filter, *, order: Order = Order.NEWEST, limit: int = 20, offset: int = 0
    ) -> list[Memory]:
        return await self._store.page(where, order=order, limit=limit, offset=offset)

    def iterate(self, where: Filter, *, page: int = 200) -> AsyncIterator[Memory]:
        return self._store.iterate(where, page=page)

    async def count(self, where: Filter) -> int:
        return await self._store.count(where)

    async def tally(self, policy: Tmd, scopes: frozenset[str] | None = None) -> Tally:
        return await self._store.tally(policy, scopes)

    async def scopes(self) -> Mapping[str, int]:
        return await self._store.scopes()

    async def distilled(
        self, turns: Sequence[int], scopes: frozenset[str]
    ) -> Mapping[int, tuple[str, ...]]:
        return await self._store.distilled(turns, scopes)

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        async with self._writing(ids) as store:
            return await store.amend(ids, change)

    async def decay(self, now: float, policy: Tmd, bin_policy: BinPolicy) -> DecayCount:
        async with self._writing(None) as store:
            return await store.decay(now, policy, bin_policy)

    async def binned_at(self, now: float, *, after: str = "", limit: int = 500) -> list[Memory]:
        return await self._store.binned_at(now, after=after, limit=limit)

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        async with self._writing(ids) as store:
            if self._before_purge is not None:
                await self._before_purge()
            purged = await store.purge(ids, only)
            if purged and self._after_purge is not None:
                await self._after_purge(len(purged))
            return purged

    async def unreadable(self) -> list[Unreadable]:
        return await self._store.unreadable()

    async def wiped(self) -> None:
        await self._store.wiped()

    async def purge_due(self, now: float, *, limit: int = 500) -> list[str]:
        return await self._store.purge_due(now, limit=limit)

    async def search_text(
        self,
        query: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        return await self._store.search_text(query, scopes, limit=limit, kinds=kinds)

    async def search_vector(
        self,
        query: Vector,
        fingerprint: str,
        scopes: frozenset[str],
        *,
        limit: int = 50,
        kinds: frozenset[Kind] | None = None,
    ) -> list[Scored]:
        return await self._store.search_vector(query, fingerprint, scopes, limit=limit, kinds=kinds)

    async def known_entities(self, ids: Sequence[str], scopes: frozenset[str]) -> Mapping[str, int]:
        return await self._store.known_entities(ids, scopes)

    async def mentioning(
        self, entities: Sequence[str], scopes: frozenset[str], *, limit: int = 100
    ) -> list[Mention]:
        return await self._store.mentioning(entities, scopes, limit=limit)

    async def mentioned(self, memories: Sequence[str], scopes: frozenset[str]) -> list[Mention]:
        return await self._store.mentioned(memories, scopes)

    async def ancestors(
        self, ids: Sequence[str], scopes: frozenset[str], *, depth: int = 5
    ) -> list[Ancestor]:
        return await self._store.ancestors(ids, scopes, depth=depth)

    async def set_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> int:
        async with self._writing(list(vectors)) as store:
            return await store.set_vectors(fingerprint, vectors)

    async def vectors(self, ids: Sequence[str]) -> Mapping[str, Embedded]:
        return await self._store.vectors(ids)

    async def unembedded(self, fingerprint: str, *, limit: int = 64) -> list[Memory]:
        return await self._store.unembedded(fingerprint, limit=limit)

    async def embedded_count(self, fingerprint: str) -> tuple[int, int]:
        return await self._store.embedded_count(fingerprint)

    async def check(self) -> None:
        await self._store.check()

    async def owner(self) -> str | None:
        return await self._store.owner()

    async def belong_to(self, journal: str) -> None:
        await self._store.belong_to(journal)

    async def close(self) -> None:
        await self._store.close()
