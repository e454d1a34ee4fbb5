"""Builds the index of a scope in the background from its records, when it is first wanted."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from .text import Indexes, ScopeIndex
from .writing import RecordWriter


class Load(Protocol):
    """Runs blocking work in turn with what writes."""

    async def __call__[T](self, work: Callable[[], T]) -> T:
        """What the work returns."""
        ...


class IndexFilling:
    """Fills each index once for all who wait for it."""

    def __init__(self, indexes: Indexes, writer: RecordWriter, load: Load) -> None:
        self._indexes = indexes
        self._writer = writer
        self._load = load
        self._filling: dict[str, asyncio.Task[ScopeIndex | None]] = {}

    def at_hand(self, scope: str) -> ScopeIndex | None:
        """The index, if it is complete; else it is begun."""
        index = self._indexes.at_hand(scope)
        if index is None:
            self._begun(scope)
        return index

    async def filled(self, scope: str) -> ScopeIndex | None:
        """The index; None if a failure meanwhile has made it doubtful.

        A cancelled caller leaves it running: the next one finds more of it done.
        """
        index = self._indexes.at_hand(scope)
        return index if index is not None else await asyncio.shield(self._begun(scope))

    async def close(self) -> None:
        """Leave off."""
        tasks = list(self._filling.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begun(self, scope: str) -> asyncio.Task[ScopeIndex | None]:
        task = self._filling.get(scope)
        if task is None:
            task = self._filling[scope] = asyncio.create_task(self._fill(scope))
            task.add_done_callback(lambda task: self._over(scope, task))
        return task

    def _over(self, scope: str, task: asyncio.Task[ScopeIndex | None]) -> None:
        del self._filling[scope]
        if not task.cancelled():
            # Its callers may be gone; the next one meets the same error.
            task.exception()

    async def _fill(self, scope: str) -> ScopeIndex | None:
        fill = await self._load(lambda: self._writer.begin_index(scope))
        # Between two pages others write: the index is told of that.
        while await self._load(lambda: self._writer.go_on(fill)):
            pass
        return fill.index if fill.complete else None
