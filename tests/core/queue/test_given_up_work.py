"""Background work that failed too often, a full disk, and jobs that must not end."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.ports import Journal, Work, WorkKind, WorkState
from astrbot_plugin_tidemark.core.queue.worker import Worker, requeue_dead, supervised
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.sleep.sweep import LAST_SWEEP
from astrbot_plugin_tidemark.scripts.nights import drained

from ...kit import DOWN, FakeClock, item, learnt, until
from ...rig import Rig, open_rig
from ...samples import ANNS

LEARN = WorkKind.LEARN
DAY = 86_400.0


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, Settings())
    rig.engine.start()
    yield rig
    await rig.engine.close()


async def failed_for_ever(journal: Journal, error: Exception) -> Worker:
    """A worker of one attempt whose only unit fails with the error; after that attempt."""

    async def fail(work: Work) -> None:
        raise error

    clock = FakeClock(1000.0)
    jobs = dict.fromkeys(WorkKind, fail)
    worker = Worker(journal, clock, jobs, lambda *_: None, max_attempts=1, slow_limit=1)
    await journal.enqueue(LEARN, "learn:e", {"episode": "e"})
    task = asyncio.create_task(worker.run())
    assert await drained(worker, 5.0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return worker


async def test_a_full_disk_buries_no_work(journal: Journal) -> None:
    await failed_for_ever(journal, StorageError("the disk is full"))
    assert await journal.backlog() == {(LEARN, WorkState.READY): 1}


async def test_what_was_given_up_can_be_tried_again_with_all_its_attempts(journal: Journal) -> None:
    await failed_for_ever(journal, ValueError("broken"))
    assert await journal.backlog() == {(LEARN, WorkState.DEAD): 1}
    assert await requeue_dead(journal) == 1
    assert await journal.backlog() == {(LEARN, WorkState.READY): 1}
    (work,) = await journal.due(1000.0, kinds=frozenset({LEARN}), limit=9, skip=frozenset())
    assert (work.payload, work.attempts) == ({"episode": "e"}, 0)
    assert not await journal.enqueue(LEARN, "learn:e", {"episode": "e"})


async def test_an_episode_that_was_given_up_is_learnt_in_the_next_sleep(rig: Rig) -> None:
    await rig.say(ANNS, "I keep bees in Bath")
    await rig.settle()
    closed = await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
    (work,) = await rig.journal.due(
        rig.clock.at, kinds=frozenset({LEARN}), limit=1, skip=frozenset()
    )
    await rig.journal.bury(work.id, "a mistake of ours")
    assert len(closed) == 1
    memories = await rig.learn(learnt(item("Ann keeps bees", 1)))
    assert [memory.text for memory in memories] == ["Ann keeps bees"]
    assert await rig.journal.dead() == []


async def test_a_sleep_whose_learning_failed_does_not_say_that_it_learnt(rig: Rig) -> None:
    await rig.say(ANNS, "I keep bees in Bath")
    rig.model.answers = [DOWN]
    assert not (await rig.sleep(patience=20.0)).learnt_all
    rig.clock.at += 10
    rig.model.answers = [learnt()]
    assert (await rig.sleep(patience=20.0)).learnt_all


async def test_a_clock_set_back_does_not_end_decay_until_it_has_caught_up(rig: Rig) -> None:
    await rig.journal.set_note(LAST_SWEEP, repr(rig.clock.at + 300 * DAY))
    rig.engine.wake()

    async def swept() -> bool:
        return await rig.journal.note(LAST_SWEEP) == repr(rig.clock.at)

    await until(swept)


async def test_a_supervised_job_that_fails_is_reported_and_begun_again() -> None:
    reports: list[str] = []
    runs = 0

    async def job() -> None:
        nonlocal runs
        runs += 1
        raise AttributeError("a provider half gone")

    async def thrice() -> bool:
        return runs >= 3

    task = asyncio.create_task(
        supervised("embedding", job, lambda place, _: reports.append(place), pause=0.001)
    )
    await until(thrice)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(reports) == {"embedding"}
