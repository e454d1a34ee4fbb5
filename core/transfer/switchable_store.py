"""A store whose backend can be exchanged while it is in use."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from ..model.errors import Fault, StorageError, TidemarkError
from ..ports import Condition, MemoryStore

WRITES = frozenset(("put", "amend", "decay", "set_vectors"))
OTHERS = frozenset(("owner", "belong_to", "close"))
"""Calls that are handed on as they come. All that is neither waits while files are exchanged."""


async def _nothing() -> None:
    pass


class SwitchingStore(MemoryStore if TYPE_CHECKING else object):
    """Everything goes to the store in force. Writes wait within `pause_writes` and are refused
    within `refuse_writes`; reads only wait while its files are exchanged."""

    def __init__(
        self,
        store: MemoryStore,
        before_purge: Callable[[], Awaitable[None]] = _nothing,
        after_purge: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self.store = store
        """The one in force."""
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
        self._moving_to = ""

    def __getattr__(self, name: str) -> Any:
        """Whatever a store does, done by the one that is in force when it is called."""

        def handed_on(*args: Any, **options: Any) -> Any:
            return getattr(self.store, name)(*args, **options)

        async def read(*args: Any, **options: Any) -> Any:
            await self.readable.wait()
            return await handed_on(*args, **options)

        async def written(*args: Any, **options: Any) -> Any:
            async with self._writing():
                return await handed_on(*args, **options)

        if name in WRITES:
            return written
        waits = iscoroutinefunction(getattr(self.store, name)) and name not in OTHERS
        return read if waits else handed_on

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
    async def refuse_writes(self, target: str) -> AsyncGenerator[None]:
        """Within it nothing is being written: what comes fails, as while a server is away."""
        self._moving_to = target
        try:
            async with self.pause_writes():
                yield
        finally:
            self._moving_to = ""

    def put_in_force(self, store: MemoryStore) -> None:
        """Replace the store; only within `pause_writes`. Whoever does this closes the old one."""
        self.store = store

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[MemoryStore]:
        while not self._open.is_set():
            self._refuse_if_moving()
            await self._open.wait()
        self._writes += 1
        self._quiet.clear()
        try:
            yield self.store
        finally:
            self._writes -= 1
            if not self._writes:
                self._quiet.set()

    def _refuse_if_moving(self) -> None:
        if target := self._moving_to:
            text = f"the memories are being moved to {target}"
            raise StorageError(text, file=target, fault=Fault.MOVING)

    async def purge(self, ids: Sequence[str], only: Condition | None = None) -> frozenset[str]:
        async with self._writing() as store:
            await self.before_purge()
            purged = await store.purge(ids, only)
            if purged and self._after_purge is not None:
                await self._after_purge(len(purged))
        if purged:
            with suppress(TidemarkError, OSError):
                await self.other_copies_gone()
        return purged

    async def wiped(self) -> None:
        await self.readable.wait()
        await self.store.wiped()
        await self.other_copies_gone()

    async def check(self) -> None:
        self._refuse_if_moving()
        await self.store.check()
