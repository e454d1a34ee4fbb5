"""Brings the indexes into step with what may be recalled, in the background."""

import logging

from ...core.model.errors import StorageError
from ..background import Background
from . import mentions, text

logger = logging.getLogger(__name__)

PAGE = 500
"""Index entries brought into step per transaction: a writer waits for one page at most."""


class Settler(Background):
    """Of one file: done when exactly the recallable memories are in the indexes."""

    async def _run(self) -> None:
        try:
            for settle in (text.settle, mentions.settle):
                while await self._database.write(lambda tx, settle=settle: settle(tx, limit=PAGE)):
                    pass
        except StorageError as error:
            logger.warning("indexes not settled, next start goes on: %s", error)
