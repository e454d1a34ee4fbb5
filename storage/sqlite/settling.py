"""Brings the indexes into step with what may be recalled, in the background."""

import asyncio
import logging

from ...core.model.errors import StorageError
from ..connections import Database
from . import mentions, text

logger = logging.getLogger(__name__)

PAGE = 500
"""Index entries brought into step per transaction: a writer waits for one page at most."""


class Settler:
    """Owns the task, which the next start does anew if it was cut short."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Settle, unless that is under way. Returns at once."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._settle())

    async def done(self) -> None:
        """Wait until exactly the recallable memories are in the indexes."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def aclose(self) -> None:
        """Cut it short."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _settle(self) -> None:
        try:
            for settle in (text.settle, mentions.settle):
                while await self._database.write(lambda tx, settle=settle: settle(tx, limit=PAGE)):
                    pass
        except StorageError as error:
            logger.warning("indexes not settled, next start goes on: %s", error)
