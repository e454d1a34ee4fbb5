"""Brings the indexes into step with what may be recalled, and merges them after deletions."""

import asyncio
import logging
import time

from ...core.model.errors import StorageError
from ...core.records.background import Background
from ..connections import Database, Work
from ..wiping import wipe
from . import mentions, text

AFTER = 600.0
"""Seconds from a deletion to the merge: one merge serves all deletions until then."""

SHARE = 0.2
"""How much of the writer's time a merge takes at most."""

PAGE = 500
"""Index entries brought into step per transaction: a writer waits for one page at most."""

logger = logging.getLogger(__name__)


class OfFile(Background):
    """Upkeep of one file."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database


class Settler(OfFile):
    """Done when exactly the recallable memories are in the indexes."""

    async def _run(self) -> None:
        try:
            for settle in (text.settle, mentions.settle):
                while await self._database.write(lambda tx, settle=settle: settle(tx, limit=PAGE)):
                    pass
        except StorageError as error:
            logger.warning("indexes not settled, next start goes on: %s", error)


class Expunger(OfFile):
    """Started when rows have been deleted, which `text.note_deleted` has counted."""

    async def _run(self) -> None:
        try:
            while await self._database.read(text.deleted):
                await asyncio.sleep(AFTER)
                rows = await self._database.read(text.deleted)
                await self._database.write(text.begin_expunge)
                while await self._timed(text.expunge):
                    pass
                await self._database.write(lambda tx, rows=rows: text.note_expunged(tx, rows))
                await wipe(self._database)
        except StorageError as error:
            logger.warning("text index not merged, next start goes on: %s", error)

    async def _timed(self, step: Work[bool]) -> bool:
        """Do a step, then leave the writer to others for as long as its share asks for."""
        begun = time.monotonic()
        more = await self._database.write(step)
        await asyncio.sleep((time.monotonic() - begun) * (1 / SHARE - 1))
        return more
