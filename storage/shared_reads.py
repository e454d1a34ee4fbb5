"""Reads of one file: those that wait at the same time share a snapshot and one way to a thread.

A turn asks for a dozen things at once. Each by itself would pay for two thread switches and a
transaction, which cost more than most of the answers.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Protocol

from ..core.records.cancellation import uninterrupted
from .sharing import Work

MOST_TOGETHER = 16
"""Reads in one snapshot: the first waits for the last."""


class ReaderThread(Protocol):
    """A connection that only reads, with a thread of its own."""

    def run[T](self, begin: str, work: Work[T]) -> asyncio.Future[T]:
        """Do `work` in a transaction."""
        ...

    def interrupt(self) -> None:
        """End the statement that runs, if one does."""
        ...


@dataclass(eq=False, slots=True)
class _Read[T]:
    """What somebody wants read; `alone` if it may not share its snapshot."""

    work: Work[T]
    done: asyncio.Future[T]
    alone: bool = False
    reader: ReaderThread | None = None


class SharedReads:
    """Hands reads to the threads that are idle. Every statement of a read sees the same state.

    Where one of those that share a snapshot fails or is cancelled, the others are done again, each
    by itself: whoever fails does not break another.
    """

    def __init__(self, readers: Sequence[ReaderThread]) -> None:
        self._idle = list(readers)
        self._waiting: deque[_Read[Any]] = deque()

    async def run[T](self, work: Work[T]) -> T:
        """The result of `work`. Cancelled before it began, it never runs."""
        loop = asyncio.get_running_loop()
        read = _Read(work, loop.create_future())
        self._waiting.append(read)
        if len(self._waiting) == 1:
            # Whatever is asked for in the same step of the event loop comes along.
            loop.call_soon(self._go_on)
        return await uninterrupted(read.done, hasten=lambda: self._withdraw(read))

    def refuse(self, error: Callable[[], Exception]) -> None:
        """Tell those who wait that nothing begins any more; what runs goes on to its end."""
        while self._waiting:
            self._waiting.popleft().done.set_exception(error())

    def _go_on(self) -> None:
        while self._idle and self._waiting:
            reader, reads = self._idle.pop(), self._next()
            for read in reads:
                read.reader = reader
            step = reader.run("BEGIN", lambda snapshot, reads=reads: _all(snapshot, reads))
            # Not a task, which the end of the event loop would cancel under the thread.
            step.add_done_callback(
                lambda step, reader=reader, reads=reads: self._over(reader, reads, step)
            )

    def _next(self) -> Sequence[_Read[Any]]:
        """The first read, and with it those behind it that may come along."""
        reads = [self._waiting.popleft()]
        while self._waiting and len(reads) < MOST_TOGETHER:
            if reads[0].alone or self._waiting[0].alone:
                break
            reads.append(self._waiting.popleft())
        return reads

    def _over(
        self, reader: ReaderThread, reads: Sequence[_Read[Any]], step: asyncio.Future[list[Any]]
    ) -> None:
        self._idle.append(reader)
        error = step.exception()
        if error is None:
            for read, result in zip(reads, step.result(), strict=True):
                read.done.set_result(result)
        elif len(reads) == 1:
            reads[0].done.set_exception(error)
        else:
            for read in reversed(reads):
                read.alone, read.reader = True, None
                self._waiting.appendleft(read)
        self._go_on()

    def _withdraw(self, read: _Read[Any]) -> None:
        if read.done.done():
            # By now its reader may be about another one.
            return
        if read.reader is not None:
            read.reader.interrupt()
        elif read in self._waiting:
            self._waiting.remove(read)
            read.done.cancel()


def _all(snapshot: Connection, reads: Sequence[_Read[Any]]) -> list[Any]:
    return [read.work(snapshot) for read in reads]
