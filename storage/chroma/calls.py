"""The store's calls, each on its thread; what they could not read is set aside afterwards."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from ...core.model.errors import StorageError
from .executors import Executors
from .faults import CollectionGone
from .mending import Mender
from .namespace import CollectionRole, Label

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Calls:
    """Of one open store."""

    executors: Executors
    mender: Mender
    _mending: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def read[T](self, work: Callable[[], T]) -> T:
        """See `Executors.read`."""
        return await self._done(lambda: self.executors.read(work))

    async def load[T](self, work: Callable[[], T]) -> T:
        """See `Executors.load`."""
        return await self._done(lambda: self.executors.load(work))

    async def write[T](self, work: Callable[[], T]) -> T:
        """See `Executors.write`; `work` may be done again after it has failed half-way."""
        return await self._done(lambda: self.executors.write(work))

    async def mended(self) -> None:
        """Wait until all that was found so far has been dealt with."""
        while self._mending:
            await asyncio.wait(set(self._mending))

    async def _done[T](self, run: Callable[[], Awaitable[T]]) -> T:
        """What comes of the work; done again if a collection was gone that can be done without.

        Lost memories are told of once; the next call finds what the others say.
        """
        try:
            return await run()
        except CollectionGone:
            gone = await self.executors.write(self.mender.look_again)
            for label in gone:
                logger.warning("the Chroma server has lost the %s of %r", label.role, label.scope)
            if lost := sorted(each.scope for each in gone if each.role is CollectionRole.RECORDS):
                text = f"the Chroma server has lost the memories of {', '.join(lost)}"
                raise StorageError(text) from None
            return await run()
        finally:
            self._mend()

    def _mend(self) -> None:
        doubts, lost = self.mender.namespace.doubted(), self.mender.namespace.lost()
        if doubts or lost:
            task = asyncio.create_task(self._set_aside(doubts, lost))
            self._mending.add(task)
            task.add_done_callback(self._mending.discard)

    async def _set_aside(self, doubts: Mapping[str, str], lost: set[Label]) -> None:
        try:
            await self.executors.write(lambda: self.mender.set_aside(doubts, lost))
        except StorageError as error:
            logger.warning("what cannot be read stays where it is: %s", error)
