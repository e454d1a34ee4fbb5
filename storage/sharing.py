"""Units of work of one file: those that wait at the same time share a transaction.

A turn asks for a dozen things at once, and fifty chats write at once. Each by itself would pay for
two thread switches and a transaction, which cost more than most of the answers and have the next
one wait for the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Protocol

from ..core.records.cancellation import uninterrupted

type Work[T] = Callable[[Connection], T]


class ConnectionThread(Protocol):
    """A connection with a thread of its own."""

    def run[T](self, begin: str, work: Work[T]) -> asyncio.Future[T]:
        """Do `work` in a transaction, or outside of any if `begin` is empty."""
        ...

    def interrupt(self) -> None:
        """End the statement that runs, if one does."""
        ...


@dataclass(eq=False, slots=True)
class QueuedWork[T]:
    """What somebody wants done; `brief` if it may share its transaction."""

    work: Work[T]
    begin: str
    brief: bool
    on_commit: Callable[[T], None] | None
    done: asyncio.Future[T]
    thread: ConnectionThread | None = None


class Queue:
    """Hands units to the threads that are idle, several as one, in the order in which they came.

    A shared transaction in which anything fails is rolled back, and each of its units is run
    again by itself: whoever fails then neither commits nor breaks another. With `reading` those
    that are asked for in the same step of the event loop come along, and a cancelled one that
    runs is interrupted.
    """

    def __init__(self, threads: Sequence[ConnectionThread], most: int, *, reading: bool) -> None:
        self._idle = list(threads)
        self._most = most
        """Units in one transaction: the first waits for the last."""
        self._reading = reading
        self._waiting: deque[QueuedWork[Any]] = deque()

    async def run[T](
        self,
        begin: str,
        work: Work[T],
        *,
        brief: bool = False,
        on_commit: Callable[[T], None] | None = None,
    ) -> T:
        """The result of `work`, once it is committed. Cancelled before it began, it never runs."""
        loop = asyncio.get_running_loop()
        unit = QueuedWork(work, begin, brief, on_commit, loop.create_future())
        self._waiting.append(unit)
        if not self._reading:
            self._go_on()
        elif len(self._waiting) == 1:
            loop.call_soon(self._go_on)
        return await uninterrupted(unit.done, hasten=lambda: self._withdraw(unit))

    def refuse(self, error: Callable[[], Exception]) -> None:
        """Tell those who wait that nothing begins any more; what runs goes on to its end."""
        while self._waiting:
            self._waiting.popleft().done.set_exception(error())

    def _go_on(self) -> None:
        while self._idle and self._waiting:
            thread, units = self._idle.pop(), self._next()
            for unit in units:
                unit.thread = thread
            step = thread.run(units[0].begin, lambda con, units=units: [u.work(con) for u in units])
            # Not a task, which the end of the event loop would cancel under the thread.
            step.add_done_callback(
                lambda step, thread=thread, units=units: self._over(thread, units, step)
            )

    def _next(self) -> Sequence[QueuedWork[Any]]:
        """The first unit, and with a brief one the brief ones that follow it."""
        units = [self._waiting.popleft()]
        while self._waiting and len(units) < self._most:
            if not (units[0].brief and self._waiting[0].brief):
                break
            units.append(self._waiting.popleft())
        return units

    def _over(
        self,
        thread: ConnectionThread,
        units: Sequence[QueuedWork[Any]],
        step: asyncio.Future[list[Any]],
    ) -> None:
        self._idle.append(thread)
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
                    unit.brief, unit.thread = False, None
                    self._waiting.appendleft(unit)

    def _withdraw(self, unit: QueuedWork[Any]) -> None:
        if unit in self._waiting:
            self._waiting.remove(unit)
            unit.done.cancel()
        # Once it is done, its thread may be about another one.
        elif self._reading and unit.thread is not None and not unit.done.done():
            unit.thread.interrupt()


def _tell(unit: QueuedWork[Any], result: object) -> None:
    try:
        if unit.on_commit is not None:
            unit.on_commit(result)
    finally:
        unit.done.set_result(result)
