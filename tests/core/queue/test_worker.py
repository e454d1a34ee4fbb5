"""The background loop: nothing it runs can stop it, and nothing queued is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.errors import Fault, StorageError
from astrbot_plugin_tidemark.core.ports import Journal, Work, WorkKind, WorkState
from astrbot_plugin_tidemark.core.queue.worker import Worker, backoff, requeue_dead, supervised
from astrbot_plugin_tidemark.core.settings import Settings
from astrbot_plugin_tidemark.core.sleep.sweep import LAST_SWEEP
from astrbot_plugin_tidemark.scripts.nights import drained

from ...kit import DOWN, FakeClock, item, learnt, until
from ...rig import Rig, open_rig
from ...samples import ANNS, DAY

UNSHARE, LEARN = WorkKind.UNSHARE, WorkKind.LEARN
type Do = Callable[[Work], Awaitable[None]]


@dataclass
class Bench:
    """A worker whose jobs do what `jobs` says by key, otherwise nothing."""

    journal: Journal
    clock: FakeClock = field(default_factory=lambda: FakeClock(1000.0))
    jobs: dict[str, Do] = field(default_factory=dict[str, Do])
    ran: list[str] = field(default_factory=list[str])
    reports: list[str] = field(default_factory=list[str])
    ticks: int = 0
    bad_tick: bool = False

    def worker(self, **options: Any) -> Worker:
        return Worker(
            self.journal,
            self.clock,
            dict.fromkeys(WorkKind, self._job),
            lambda place, error: self.reports.append(f"{place}: {error}"),
            max_attempts=options.pop("max_attempts", 3),
            slow_limit=options.pop("slow_limit", 1),
            pause=0.02,
            tick=self._tick,
            **options,
        )

    async def add(self, *keys: str, kind: WorkKind = UNSHARE) -> None:
        for key in keys:
            await self.journal.enqueue(kind, key, {})

    async def has_run(self, key: str) -> bool:
        return key in self.ran

    async def _tick(self) -> None:
        self.ticks += 1
        if self.bad_tick:
            raise ValueError("tick")

    async def _job(self, work: Work) -> None:
        self.ran.append(work.key)
        if work.key in self.jobs:
            await self.jobs[work.key](work)


@pytest.fixture
def bench(journal: Journal) -> Bench:
    return Bench(journal)


@asynccontextmanager
async def running(worker: Worker) -> AsyncIterator[Worker]:
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def fail(work: Work) -> None:
    raise ValueError("broken")


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(0, 10), (1, 10), (2, 60), (3, 300), (4, 1800), (50, 1800)]
)
def test_each_failure_makes_the_wait_longer_to_half_an_hour(attempts: int, seconds: float) -> None:
    assert backoff(attempts) == seconds


async def test_a_failing_unit_is_retried_then_buried_and_the_others_go_on(bench: Bench) -> None:
    bench.jobs["bad"] = fail
    await bench.add("bad", "good")
    async with running(bench.worker()) as worker:
        assert await drained(worker, 5.0)
        assert sorted(bench.ran) == ["bad", "good"]
        for wait in (10, 60):
            bench.clock.at += wait
            assert await drained(worker, 5.0)
    assert bench.ran.count("bad") == 3
    ((work, error),) = await bench.journal.dead()
    assert (work.key, error) == ("bad", "ValueError: broken")
    assert bench.reports == ["unshare:bad: broken"] * 3


async def test_a_failed_unit_waits_its_time(bench: Bench) -> None:
    bench.jobs["bad"] = fail
    await bench.add("bad")
    async with running(bench.worker()) as worker:
        assert await drained(worker, 5.0)
        bench.clock.at += 9.9
        assert await drained(worker, 5.0)
    assert bench.ran == ["bad"]


async def test_slow_work_does_not_hold_up_quick_work(bench: Bench) -> None:
    go_on = asyncio.Event()

    async def slow(work: Work) -> None:
        await go_on.wait()

    bench.jobs |= {"slow 1": slow, "slow 2": slow}
    await bench.add("slow 1", "slow 2", kind=LEARN)
    await bench.add(*"abcdef")

    async def quick_done() -> bool:
        return set("abcdef") <= set(bench.ran)

    async with running(bench.worker(slow_limit=1)) as worker:
        await until(quick_done)
        assert "slow 2" not in bench.ran
        go_on.set()
        assert await drained(worker, 5.0)
    assert "slow 2" in bench.ran


@pytest.mark.parametrize(("kind", "limit"), [(LEARN, 2), (UNSHARE, 4)])
async def test_no_more_units_run_than_allowed(bench: Bench, kind: WorkKind, limit: int) -> None:
    at_once = most = 0

    async def counted(work: Work) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1

    keys = [f"unit {number}" for number in range(12)]
    bench.jobs = dict.fromkeys(keys, counted)
    await bench.add(*keys, kind=kind)
    async with running(bench.worker(slow_limit=2)) as worker:
        assert await drained(worker, 10.0)
    assert len(bench.ran) == 12
    assert most <= limit


async def test_cancellation_leaves_running_and_waiting_work_queued(bench: Bench) -> None:
    started = asyncio.Event()
    ended: list[str] = []

    async def endless(work: Work) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(work.key)

    bench.jobs["running"] = endless
    await bench.add("running", "waiting", kind=LEARN)
    async with running(bench.worker(slow_limit=1)):
        await started.wait()
    assert ended == ["running"]
    assert await bench.journal.backlog() == {(LEARN, WorkState.READY): 2}
    (first, *_) = await bench.journal.due(0.0, kinds=frozenset({LEARN}), limit=1, skip=frozenset())
    assert (first.key, first.attempts) == ("running", 0)


async def test_a_failing_tick_is_reported_and_the_loop_goes_on(bench: Bench) -> None:
    bench.bad_tick = True

    async def ticked() -> bool:
        return bench.ticks > 2

    async with running(bench.worker()) as worker:
        await until(ticked)
        bench.bad_tick = False
        await bench.add("a")
        worker.wake()
        assert await drained(worker, 5.0)
    assert bench.ran == ["a"]
    assert set(bench.reports) == {"queue: tick"}


async def test_an_unnoted_failure_is_queued(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise OSError("disk")

    bench.jobs["bad"] = fail
    await bench.add("bad")
    with monkeypatch.context() as patched:
        patched.setattr(type(bench.journal), "postpone", broken)
        async with running(bench.worker()):

            async def reported() -> bool:
                return "unshare:bad: disk" in bench.reports

            await until(reported)
    assert await bench.journal.backlog() == {(UNSHARE, WorkState.READY): 1}


async def test_a_cold_start_uses_up_no_attempt_of_queued_learning(bench: Bench) -> None:
    ready = False
    await bench.add("lesson", kind=LEARN)
    await bench.add("sweep")
    async with running(bench.worker(slow_ready=lambda: ready)):
        await until(lambda: bench.has_run("sweep"))
        assert "lesson" not in bench.ran
        ready = True
        await until(lambda: bench.has_run("lesson"))
    assert bench.reports == []


async def test_nothing_runs_while_the_worker_is_halted(bench: Bench) -> None:
    async with running(bench.worker()) as worker:
        async with worker.halted():
            await bench.add("later", kind=LEARN)
            worker.wake()
            ticks = bench.ticks
            await until(lambda: bench.ticks > ticks + 1)
            assert bench.ran == []
        await until(lambda: bench.ran == ["later"])


async def test_halting_cancels_what_runs_and_it_is_done_again_afterwards(bench: Bench) -> None:
    ended: list[str] = []

    async def hang(work: Work) -> None:
        if len(bench.ran) == 1:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(work.key)

    bench.jobs["model"] = hang
    await bench.add("model", kind=LEARN)
    async with running(bench.worker()) as worker:
        await until(lambda: bench.ran == ["model"])
        async with worker.halted():
            assert ended == ["model"]
        await until(lambda: bench.ran == ["model", "model"])
    assert bench.reports == []


async def test_two_who_halt_both_hold_it_and_a_long_drain_says_so(bench: Bench) -> None:
    async with running(bench.worker()) as worker, worker.halted():
        async with worker.halted():
            await bench.add("later")
        ticks = bench.ticks
        await until(lambda: bench.ticks > ticks + 1)
        assert bench.ran == []
    await bench.add("never")
    assert not await drained(bench.worker(), 0.05)


async def test_no_unit_is_started_while_the_tick_fails(bench: Bench) -> None:
    bench.bad_tick = True
    await bench.add("later")
    async with running(bench.worker()):
        await until(lambda: bench.ticks > 2)
        assert bench.ran == []
        bench.bad_tick = False
        await until(lambda: bench.ran == ["later"])


class Outage:
    """Memories that cannot be had until told otherwise."""

    def __init__(self) -> None:
        self.over = False
        self.checks = 0

    async def check(self) -> None:
        self.checks += 1
        if not self.over:
            raise StorageError("gone", fault=Fault.UNREACHABLE)

    async def needed(self, work: Work) -> None:
        if not self.over:
            raise StorageError("gone", fault=Fault.UNREACHABLE)


async def test_after_an_outage_everything_is_taken_up_at_once(bench: Bench) -> None:
    outage, returns = Outage(), list[str]()
    keys = [f"turn:{n}" for n in range(9)]
    bench.jobs = dict.fromkeys(keys, outage.needed)
    await bench.add(*keys)
    options = {"check": outage.check, "returned": lambda: returns.append("back")}

    async def nothing_left() -> bool:
        return await bench.journal.backlog() == {}

    async with running(bench.worker(**options)):
        await until(lambda: outage.checks > 5)
        tried = list(bench.ran)
        assert len(tried) <= 4
        assert (await bench.journal.backlog())[(UNSHARE, WorkState.READY)] == 9
        outage.over = True
        await until(lambda: set(bench.ran[len(tried) :]) == set(keys))
        await until(lambda: bench.clock.at == 1000.0 and returns == ["back"])
        await until(nothing_left)


async def test_an_outage_over_before_it_was_looked_for_costs_a_moment(bench: Bench) -> None:
    """So does a unit whose own request is what memories fail at: the others go on."""
    outage = Outage()

    async def fine() -> None:
        return

    bench.jobs["bad"] = outage.needed
    await bench.add("bad", "good")
    async with running(bench.worker(check=fine)) as worker:
        assert await drained(worker, 5.0)
        assert bench.ran.count("bad") == 1
        bench.clock.at += 0.02
        assert await drained(worker, 5.0)
        assert bench.ran.count("bad") == 2
        bench.clock.at += 10
        assert await drained(worker, 5.0)
        assert bench.ran.count("bad") == 2
        bench.clock.at += 50
        assert await drained(worker, 5.0)
    assert bench.ran.count("bad") == 3
    assert "good" in bench.ran


async def test_a_record_that_is_no_good_stops_no_other_work(bench: Bench) -> None:
    async def damaged(work: Work) -> None:
        raise StorageError("no record", fault=Fault.DAMAGED)

    outage = Outage()
    bench.jobs["bad"] = damaged
    await bench.add("bad", "good")
    async with running(bench.worker(check=outage.check)) as worker:
        assert await drained(worker, 5.0)
    assert sorted(bench.ran) == ["bad", "good"]
    assert outage.checks == 0


async def test_a_unit_that_is_stopped_before_it_has_begun_is_done_later(bench: Bench) -> None:
    """It counted as running for ever: nothing did it, and whatever waited for it hung."""
    await bench.add("first", "second")
    worker = bench.worker()

    async def halt(work: Work) -> None:
        # Both are started in one round: the other has not run a line yet.
        async with worker.halted():
            assert bench.ran == ["first"]

    bench.jobs["first"] = halt
    async with running(worker):
        await until(lambda: bench.has_run("second"))
        assert await drained(worker, 5.0)


LEARN = WorkKind.LEARN


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
