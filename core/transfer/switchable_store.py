"""A store whose backend can be exchanged while it is in use."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import wraps
from inspect import iscoroutinefunction
from types import FunctionType
from typing import Any

from ..forgetting.decay_plan import DecayPlan
from ..forgetting.lifecycle import BinPolicy
from ..model.errors import TidemarkError
from ..model.memory import Memory
from ..ports import (
    Amendment,
    Change,
    Condition,
    DecayCount,
    MemoryReader,
    MemoryStore,
    Relations,
    TextSearch,
    Transitions,
    Vector,
    VectorSearch,
    Views,
)

READS = (MemoryReader, TextSearch, VectorSearch, Relations, Transitions)
"""Roles that change nothing: each of their calls is handed on as it comes."""


def delegates_reads(store: "type[SwitchingStore]") -> "type[SwitchingStore]":
    """Give the class every method of `READS`, answered by the store in force."""
    for role in READS:
        for name, asked in vars(role).items():
            if isinstance(asked, FunctionType) and not name.startswith("_"):
                setattr(store, name, _handed_on(asked))
    return store


def _handed_on(asked: FunctionType) -> Callable[..., Any]:
    # Not `async`: some are awaited by the caller, one is iterated.
    @wraps(asked)
    def call(self: "SwitchingStore", *args: Any, **options: Any) -> Any:
        return getattr(self.store, asked.__name__)(*args, **options)

    @wraps(asked)
    async def awaited(self: "SwitchingStore", *args: Any, **options: Any) -> Any:
        await self.readable.wait()
        return await call(self, *args, **options)

    return awaited if iscoroutinefunction(asked) else call


async def _nothing() -> None:
    pass


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


@delegates_reads
class SwitchingStore(MemoryStore):
    """Everything goes to the store in force. Writes wait within `pause_writes`; reads only while
    its files are exchanged."""

    def __init__(
        self,
        store: MemoryStore,
        before_purge: Callable[[], Awaitable[None]] = _nothing,
        after_purge: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self.before_purge = before_purge
        self._after_purge = after_purge
        self.other_copies_gone: Callable[[], Awaitable[None]] = _nothing
        """Called once something is deleted for good: no copy of it is to be left elsewhere."""
        self._writes = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._open = asyncio.Event()
        self._open.set()
        self.readable = asyncio.Event()
        self.readable.set()
        self._turn = asyncio.Lock()
        self._followers: list[Changes] = []

    @property
    def store(self) -> MemoryStore:
        """The one in force."""
        return self._store

    @asynccontextmanager
    async def pause_writes(self) -> AsyncGenerator[None]:
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
        """Replace the store; only within `pause_writes`. Whoever does this closes the old one."""
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

    async def amend(self, ids: Sequence[str], change: Change) -> list[Amendment]:
        async with self._writing(ids) as store:
            return await store.amend(ids, change)

    async def decay(
        self,
        now: float,
        plan: DecayPlan,
        bin_policy: BinPolicy,
        scopes: frozenset[str] | None = None,
    ) -> DecayCount:
        async with self._writing(None) as store:
            return await store.decay(now, plan, bin_policy, scopes)

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        async with self._writing(ids) as store:
            await self.before_purge()
            purged = await store.purge(ids, only)
            if purged and self._after_purge is not None:
                await self._after_purge(len(purged))
        if purged:
            with suppress(TidemarkError, OSError):
                await self.other_copies_gone()
        return purged

    async def set_vectors(
        self,
        fingerprint: str,
        vectors: Mapping[str, Vector],
        views: Mapping[str, Views] | None = None,
    ) -> int:
        async with self._writing(list(vectors)) as store:
            return await store.set_vectors(fingerprint, vectors, views)

    async def wiped(self) -> None:
        await self.readable.wait()
        await self._store.wiped()
        await self.other_copies_gone()

    async def check(self) -> None:
        await self._store.check()

    async def owner(self) -> str | None:
        return await self._store.owner()

    async def belong_to(self, journal: str) -> None:
        await self._store.belong_to(journal)

    async def close(self) -> None:
        await self._store.close()
