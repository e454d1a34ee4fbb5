"""A sleep of everything that is waited for: for tests, and programs that look at what it did."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.engine.engine import MemoryEngine
from ..core.model.sleeping import Deed
from ..core.ports import Journal, WorkKind, WorkState
from ..core.queue.worker import Worker


@dataclass(frozen=True, slots=True)
class SleepReport:
    """What one sleep of the whole installation did. `over` unless something is still to be done."""

    episodes_closed: int
    learnt_all: bool
    over: bool
    counts: Mapping[Deed, int]


async def asleep(engine: MemoryEngine, *, patience: float = 60.0) -> SleepReport:
    """Put every scope to sleep and wait up to `patience` s; what was done until then."""
    closed, sleeps = await engine.begin_sleep()
    over = await drained(engine.worker, patience)
    # What failed is not due before its back-off is over.
    learnt = over and (WorkKind.LEARN, WorkState.READY) not in await engine.journal.backlog()
    return SleepReport(closed, learnt, over, await counted(engine.journal, sleeps))


async def drained(worker: Worker, seconds: float) -> bool:
    """Wait until no work is due or under way, at most so long. True if that was reached."""
    every, nothing = frozenset(WorkKind), frozenset[int]()
    try:
        async with asyncio.timeout(seconds):
            while await worker.journal.due(worker.clock.now(), kinds=every, limit=1, skip=nothing):
                worker.wake()
                await asyncio.sleep(0.02)
    except TimeoutError:
        return False
    return True


async def counted(journal: Journal, sleeps: Sequence[int]) -> Mapping[Deed, int]:
    """What these sleeps did altogether."""
    counts = Counter[Deed]()
    for id in sleeps:
        if (sleep := await journal.sleep(id)) is not None:
            counts.update(sleep.counts)
    return counts
