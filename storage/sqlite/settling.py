"""Brings the indexes into step with what may be recalled."""

import logging
from collections.abc import Callable, Iterable, Mapping

from ...core.model.errors import StorageError
from ...core.records.background import Background
from ..connections import Database
from . import text

PAGE = 500
"""Index entries brought into step per transaction: a writer waits for one page at most."""

logger = logging.getLogger(__name__)


class Settler(Background):
    """Done when exactly the recallable memories are in the indexes of a file.

    `follow` is told which rows words find from then on.
    """

    def __init__(
        self, database: Database, follow: Callable[[Mapping[int, Iterable[int]]], None]
    ) -> None:
        super().__init__()
        self._database = database
        self._follow = follow

    async def _run(self) -> None:
        try:
            while await self._database.write(
                lambda tx: text.settle(tx, limit=PAGE), on_commit=self._follow
            ):
                pass
        except StorageError as error:
            logger.warning("indexes not settled, next start goes on: %s", error)
