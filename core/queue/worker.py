"""The supervised background loop over the journal's work queue.

One of the two places that catch everything: a failing unit of work is postponed with back-off and
buried after the last attempt; it never takes the loop or another unit with it. A full or locked
disk is no reason to give work up. While memories cannot be read or written nothing is started; work
that failed for that reason is tried again as soon as they can.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from ..model.errors import OUTAGES, StorageError
from ..ports import Clock, Journal, Work, WorkKind

SLOW = frozenset({WorkKind.LEARN})
ASLEEP = frozenset({WorkKind.SLEEP})
"""Slow too, one at a time, apart from learning: a sleep waits for what is still to be learnt."""

QUICK = frozenset(WorkKind) - SLOW - ASLEEP
PROMISED = frozenset({WorkKind.ERASE})
"""Never given up: somebody has been told that it will be done."""

MOST_DEAD = 1_000

type Job = Callable[[Work], Awaitable[None]]
"""What is done for a unit."""

type Report = Callable[[str, BaseException], None]


def backoff(attempts: int) -> float:
    """Seconds to wait after the `attempts`-th failure: 10 s, 1 min, 5 min, then 30 min."""
    return (10.0, 60.0, 300.0, 1800.0)[min(max(attempts, 1), 4) - 1]


async def ended(task: asyncio.Task[Any]) -> None:
    """Cancel the task and wait until it is over, however it ends."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def supervised(
    place: str, job: Callable[[], Awaitable[None]], report: Report, *, pause: float = 60.0
) -> None:
    """Run a job without end; a failure is reported and the job restarted after `pause` seconds."""
    while True:
        try:
            await job()
        except Exception as error:  # noqa: BLE001 - the supervisor outlives any failure
            report(place, error)
        await asyncio.sleep(pause)


async def perform(work: Work, job: Job, journal: Journal) -> None:
    """Do a unit of work and finish it."""
    await job(work)
    await journal.finish(work.id)


async def requeue_dead(journal: Journal) -> int:
    """Queue dead work anew, with all its attempts. Returns how many units."""
    dead = await journal.dead(limit=MOST_DEAD)
    for work, _ in dead:
        # Not in one transaction: after a crash between the two it is done twice, which is harmless.
        await journal.enqueue(work.kind, f"{work.key}'", work.payload)
        await journal.finish(work.id)
    return len(dead)


@dataclass(slots=True)
class Worker:
    """Runs due work, a bounded number of units at a time, slow kinds apart from quick ones.

    Slow work waits while `slow_ready` says no, because it would only use up its attempts. `tick` is
    called before units are started, every `pause` seconds; none is started if it raises. After a
    unit has failed by an outage none is started until `check`, called as often, raises no
    StorageError; then `returned` is called. Each unit is started after `gives_way`.
    """

    journal: Journal
    clock: Clock
    jobs: Mapping[WorkKind, Job]
    report: Report
    max_attempts: int
    slow_limit: int
    quick_limit: int = 4
    pause: float = 2.0
    tick: Callable[[], Awaitable[None]] | None = None
    slow_ready: Callable[[], bool] = lambda: True
    check: Callable[[], Awaitable[None]] | None = None
    returned: Callable[[], None] = lambda: None
    gives_way: Callable[[], Awaitable[None]] | None = None
    _away: bool = False
    _next_check: float = 0.0
    _next_tick: float = 0.0
    _halts: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _running: dict[int, asyncio.Task[None]] = field(default_factory=dict[int, asyncio.Task[None]])
    _kinds: dict[int, WorkKind] = field(default_factory=dict[int, WorkKind])

    def wake(self, delay: float = 0.0) -> None:
        """Look at the queue now, or `delay` seconds from now."""
        if delay > 0:
            asyncio.get_running_loop().call_later(delay, self._wake.set)
        else:
            self._wake.set()

    async def run(self) -> None:
        """Until cancelled; then running units are cancelled too and stay queued."""
        try:
            while True:
                await self._round()
                await self._sleep()
        finally:
            await self._stop()

    @asynccontextmanager
    async def halted(self) -> AsyncGenerator[None]:
        """Within it no other unit runs; those under way are cancelled and done again later."""
        self._halts += 1
        try:
            await self._stop()
            yield
        finally:
            self._halts -= 1
            self.wake()

    async def _round(self) -> None:
        self._wake.clear()
        try:
            await self._tick()
            if self._away and await self._still_away():
                return
            shares = [(QUICK, self.quick_limit)]
            if self.slow_ready():
                shares += [(SLOW, self.slow_limit), (ASLEEP, 1)]
            for kinds, limit in shares:
                busy = sum(kind in kinds for kind in self._kinds.values())
                for work in await self._due(kinds, limit - busy):
                    if self.gives_way is not None:
                        await self.gives_way()
                    if not self._halts:
                        self._start(work)
        except Exception as error:  # noqa: BLE001 - the supervisor outlives any failure
            self.report("queue", error)

    async def _tick(self) -> None:
        if self.tick is not None and time.monotonic() >= self._next_tick:
            await self.tick()
            self._next_tick = time.monotonic() + self.pause

    async def _still_away(self) -> bool:
        """Whether memories are still unavailable, as of now or of the last check."""
        if self.check is None or (self._away and time.monotonic() < self._next_check):
            return self._away
        before = self._away
        try:
            await self.check()
        except StorageError:
            self._away = True
            self._next_check = time.monotonic() + self.pause
        else:
            self._away = False
            if before:
                self.returned()
        return self._away

    async def _due(self, kinds: frozenset[WorkKind], limit: int) -> list[Work]:
        if limit <= 0:
            return []
        skip = frozenset(self._running)
        return await self.journal.due(self.clock.now(), kinds=kinds, limit=limit, skip=skip)

    async def _sleep(self) -> None:
        try:
            async with asyncio.timeout(self.pause):
                await self._wake.wait()
        except TimeoutError:
            pass

    def _start(self, work: Work) -> None:
        task = asyncio.create_task(self._perform(work), name=f"tidemark:{work.key}")
        self._running[work.id] = task
        self._kinds[work.id] = work.kind
        # Not in the task: one that is cancelled before it has begun runs no line of it.
        task.add_done_callback(lambda _: self._ended(work.id))

    def _ended(self, work: int) -> None:
        del self._running[work]
        del self._kinds[work]
        self.wake()

    async def _perform(self, work: Work) -> None:
        try:
            await perform(work, self.jobs[work.kind], self.journal)
        except Exception as error:  # noqa: BLE001 - the supervisor outlives any failure
            await self._failed(work, error)

    async def _failed(self, work: Work, error: Exception) -> None:
        self.report(f"{work.kind}:{work.key}", error)
        try:
            outage = isinstance(error, StorageError) and error.fault in OUTAGES
            # It stays due until memories are available again.
            if not (outage and await self._still_away()):
                await self._put_off(work, error, soon=outage)
        except Exception as broken:  # noqa: BLE001 - the work stays queued and is tried again
            self.report(f"{work.kind}:{work.key}", broken)
            await asyncio.sleep(self.pause)

    async def _put_off(self, work: Work, error: Exception, *, soon: bool) -> None:
        """Postpone a failed unit, or give it up; `soon`, once, if the failure may have passed."""
        attempts = work.attempts + 1
        text = f"{type(error).__name__}: {error}"[:500]
        spent = attempts >= self.max_attempts and work.kind not in PROMISED
        if spent and not isinstance(error, StorageError):
            await self.journal.bury(work.id, text)
            return
        wait = self.pause if soon and attempts == 1 else backoff(attempts)
        await self.journal.postpone(work.id, until=self.clock.now() + wait, error=text)

    async def _stop(self) -> None:
        own = asyncio.current_task()
        tasks = [task for task in self._running.values() if task is not own]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
