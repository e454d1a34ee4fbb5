"""A life that is played does one thing after the other: nothing waits for what comes later."""

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from astrbot_plugin_tidemark.benchmarks.living.installation import Installation
from astrbot_plugin_tidemark.core.ports import Work, WorkKind


async def test_a_sleep_that_was_queued_first_is_done_after_all_learning() -> None:
    queue = [(1, WorkKind.SLEEP), (2, WorkKind.LEARN), (3, WorkKind.INDEX_TURN)]
    done: list[WorkKind] = []

    class Queue:
        async def due(self, *_: float, kinds: frozenset[WorkKind], **__: Any) -> list[Any]:
            found = [SimpleNamespace(id=id, kind=kind) for id, kind in queue if kind in kinds]
            return found[:1]

        async def finish(self, id: int) -> None:
            queue[:] = [work for work in queue if work[0] != id]

    def job(kind: WorkKind) -> Callable[[Work], Awaitable[None]]:
        async def run(work: Work) -> None:
            done.append(kind)
            if kind is WorkKind.SLEEP and len(done) == 3:
                queue.append((4, WorkKind.LEARN))

        return run

    table = {kind: job(kind) for kind in WorkKind}
    engine = SimpleNamespace(
        parts=SimpleNamespace(journal=Queue()), jobs=SimpleNamespace(table=lambda: table)
    )
    playing: Any = SimpleNamespace(
        engine=engine, clock=SimpleNamespace(now=lambda: 0.0), _learn=job(WorkKind.LEARN)
    )
    await Installation.work(playing)
    assert done == [WorkKind.LEARN, WorkKind.INDEX_TURN, WorkKind.SLEEP, WorkKind.LEARN]
