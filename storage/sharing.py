"""The queue of one writer: brief units that wait at the same time share a transaction.

With fifty chats at once a unit spends its time waiting for the event loop to start the one before
it, not in the disk. Sharing makes that one wait for all of them.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Protocol

from ..core.records.cancellation import uninterrupted

MOST_SHARED = 64
"""Units in one transaction: the first waits for the last."""

type Work[T] = Callable[[Connection], T]


class WriterThread(Protocol):
    """The one thread that writes."""

    def run[T](self, begin: str, work: Work[T]) -> asyncio.Future[T]:
        """Do `work` in a transaction, or outside of any if `begin` is empty."""
        ...


@dataclass(eq=False, slots=True)
class QueuedWrite[T]:
    """What somebody wants written; `brief` if it may share its transaction."""

    work: Work[T]
    begin: str
    brief: bool
    on_commit: Callable[[T], None] | None
    done: asyncio.Future[T]


class Queue:
    """Runs units one after the other, or several as one, in the order in which they came.

    A shared transaction in which anything fails is rolled back, and each of its units is run
    again by itself: whoever fails then neither commits nor breaks another.
    """

    def __init__(self, writer: WriterThread) -> None:
        self._writer = writer
        self._waiting: deque[QueuedWrite[Any]] = deque()
        self._busy = False

    async def run[T](
        self,
        begin: str,
        work: Work[T],
        *,
        brief: bool = False,
        on_commit: Callable[[T], None] | None = None,
    ) -> T:
        """The result of `work`, once it is committed. Cancelled before it began, it never runs."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        unit = QueuedWrite(work, begin, brief, on_commit, done)
        self._waiting.append(unit)
        self._go_on()
        return await uninterrupted(done, hasten=lambda: self._withdraw(unit))

    def refuse(self, error: Callable[[], Exception]) -> None:
        """Tell those who wait that nothing begins any more; what runs goes on to its end."""
        while self._waiting:
            self._waiting.popleft().done.set_exception(error())

    def _go_on(self) -> None:
        if self._busy or not self._waiting:
            return
        self._busy = True
        units = self._next()
        begin = units[0].begin
        step = self._writer.run(begin, lambda connection: [u.work(connection) for u in units])
        # Not a task, which the end of the event loop would cancel under the thread.
        step.add_done_callback(lambda step: self._over(units, step))

    def _next(self) -> Sequence[QueuedWrite[Any]]:
        """The first unit, and with a brief one the brief ones that follow it."""
        units = [self._waiting.popleft()]
        while (
            units[0].brief and self._waiting and self._waiting[0].brief and len(units) < MOST_SHARED
        ):
            units.append(self._waiting.popleft())
        return units

    def _over(self, units: Sequence[QueuedWrite[Any]], step: asyncio.Future[list[Any]]) -> None:
        self._busy = False
        # Whatever an `on_commit` raises: the others are told, the next units run.
        with ExitStack() as last:
            last.callback(self._go_on)
            error = step.exception()
            if error is None:
                for unit, result in reversed([*zip(units, step.result(), strict=True)]):
                    last.callback(_tell, unit, result)
            elif len(units) == 1:
                units[0].done.set_exception(error)
            else:
                for unit in reversed(units):
                    unit.brief = False
                    self._waiting.appendleft(unit)

    def _withdraw(self, unit: QueuedWrite[Any]) -> None:
        if unit in self._waiting:
            self._waiting.remove(unit)
            unit.done.cancel()


def _tell(unit: QueuedWrite[Any], result: object) -> None:
    try:
        if unit.on_commit is not None:
            unit.on_commit(result)
    finally:
        unit.done.set_result(result)
