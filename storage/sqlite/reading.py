"""Queries for memories; records that cannot be read are set aside afterwards."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from ...core.model.errors import StorageError
from ..connections import Database, Work
from ..partitions import VectorChange
from . import unreadable_records
from .records import Found

logger = logging.getLogger(__name__)


class CarefulReader:
    """Owns the tasks that set aside. `follow` is told which, then `deleted`."""

    def __init__(
        self,
        database: Database,
        follow: Callable[[Sequence[str], Sequence[VectorChange]], None],
        deleted: Callable[[], None],
    ) -> None:
        self._database = database
        self._follow = follow
        self._deleted = deleted
        self._tasks: set[asyncio.Task[None]] = set()

    async def found(self, query: Work[Found]) -> Found:
        """What a query finds."""
        found = await self._database.read(query)
        if found.unreadable:
            task = asyncio.create_task(self.set_aside(found.unreadable))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return found

    async def set_aside(self, ids: Sequence[str]) -> None:
        """Move those of the ids that are no memories; where that fails they stay."""
        if not ids:
            return
        try:
            await self._database.write(
                lambda tx: unreadable_records.set_aside(tx, ids),
                on_commit=lambda changes: self._follow(ids, changes),
            )
            self._deleted()
        except StorageError as error:
            logger.warning("%d unreadable memories stay where they are: %s", len(ids), error)

    async def done(self) -> None:
        """Wait until all that was found so far has been set aside."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
