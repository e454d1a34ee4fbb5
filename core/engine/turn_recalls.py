"""Recalls of turns: within a deadline, disclosed before shown, recorded afterwards."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..model.conversation import Injected
from ..model.errors import StorageError, TidemarkError
from ..ports import Clock, Recalls, Recollection
from ..recall import trace_document
from ..recall.trace import LegState, Recalled, SilenceReason, Trace
from ..records.disclosure import owners_among
from .failure_reports import FailureReports
from .recall_requests import RecallRequest, RecallRequests
from .reminders import Reminders

LEG_SHARE = 0.8
MOST_AFTER_LEGS = 0.6
EASING = 0.95
"""Of a deadline that has passed with nothing ready, more is left for what follows the legs: on a
busy machine words alone then answer in time. With every recall that is ready it eases off again.
"""

CROWDED = 0.01
"""Of the deadline, more is left for each other recall that is under way."""

LATEST_RECALL = 10.0
"""Seconds, the longest deadline there is."""


class Own(Protocol):
    """Starts a task that outlives whoever waits for it."""

    def __call__[T](self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """The task."""
        ...


@dataclass(slots=True)
class TurnRecalls:
    """Those under way, and what of them is still to be recorded. `deadline` in seconds."""

    requests: RecallRequests
    journal: Recalls
    clock: Clock
    reminders: Reminders
    failures: FailureReports
    deadline: float
    own: Own
    _records: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _under_way: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    _after_legs: float = 1.0 - LEG_SHARE

    async def recall(self, ask: RecallRequest) -> Recalled | None:
        """Memories for the turn; None if nothing is ready at the deadline.

        What was recalled is recorded under the turn in the background, after what was shown
        earlier: the chat does not wait for that write, the answer's own record does. Private
        memories are shown in a group only once it is on disk that they are.
        """
        began = time.monotonic()
        deadline = self.deadline - ask.waited
        # Side by side they would wait for the same late vectors until the same moment.
        after = min(self._after_legs + CROWDED * len(self._under_way), MOST_AFTER_LEGS)
        legs = deadline * (1.0 - after)
        recalled = await self._in_time(self.requests.recall(ask, legs), deadline)
        if recalled is None:
            self.failures.note("recall", TimeoutError("nothing ready at the deadline"))
            self.record_late(ask)
            self._after_legs = min(2 * self._after_legs, MOST_AFTER_LEGS)
            return None
        self._after_legs = max(self._after_legs * EASING, 1.0 - LEG_SHARE)
        self._count_missing(recalled.trace)
        recalled = await self._showable(ask, recalled, deadline - (time.monotonic() - began))
        if ask.turn is not None:
            shown = recalled if ask.earlier is None else ask.earlier.followed_by(recalled)
            self._begin_record(ask.turn, shown)
        return recalled

    def record_late(self, ask: RecallRequest) -> None:
        """Record that a turn, if it is known, was answered without memory."""
        if ask.turn is not None and ask.earlier is None:
            late = Trace(ask.text, (ask.scope.key,), (), silence=SilenceReason.LATE)
            self._begin_record(ask.turn, Recalled((), "", late))

    def _begin_record(self, turn: int, recalled: Recalled) -> None:
        record = self.own(self._record(turn, recalled))
        self._records.add(record)
        record.add_done_callback(self._records.discard)

    async def all_recorded(self) -> None:
        """Wait for recalls under way and then their records; one that hangs is left behind."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LATEST_RECALL)
        # Whoever waited for them has its turn first, and starts to record.
        await asyncio.sleep(0)
        await self.recorded()

    async def recorded(self) -> None:
        """Wait until every recall so far is on disk."""
        # Not gather: a caller that is cancelled must not take the records with it.
        if self._records:
            await asyncio.wait(self._records)

    async def _showable(self, ask: RecallRequest, recalled: Recalled, seconds: float) -> Recalled:
        """All of it, once its disclosure is on disk; without private memories if that fails."""
        owners = owners_among(recalled.memories, ask.scope)
        if not owners or recalled.in_common is None:
            return recalled
        try:
            if await self._in_time(self.requests.disclose(ask, owners), seconds):
                return recalled
            late = TimeoutError("a disclosure is not on disk at the deadline")
            self.failures.count("record", late)
        except StorageError as error:
            self.failures.note("record", error)
        return recalled.in_common

    def _count_missing(self, told: Trace) -> None:
        reports = [(f"{report.leg} leg", report) for report in told.legs]
        for place, report in (*reports, ("rerank", told.rerank)):
            if report.state is LegState.LATE:
                self.failures.note(place, TimeoutError("no answer at the deadline"))
            elif report.state is LegState.FAILED:
                self.failures.note(place, TidemarkError(report.problem))

    async def _record(self, turn: int, recalled: Recalled) -> None:
        injected = tuple(
            Injected(turn, number, memory.id)
            for number, memory in enumerate(recalled.memories, start=1)
        )
        told = trace_document.recorded(recalled.trace)
        now = self.clock.now()
        recollection = Recollection(
            turn, now, told, recalled.block, injected, recalled.trace.tokens
        )
        try:
            await self.journal.record_recall(recollection)
            if due := frozenset(recalled.trace.due):
                await self.reminders.shown(due, now)
        except StorageError as error:
            self.failures.note("record", error)

    async def _in_time[T](self, work: Coroutine[Any, Any, T], seconds: float) -> T | None:
        # Cancelled and left behind: a read that hangs in the disk cannot be waited out.
        task = self.own(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            await asyncio.wait({task}, timeout=max(0.0, seconds))
            return task.result() if task.done() else None
        finally:
            task.cancel()
