"""Sleeps of scopes: steps in order, each kept as it goes, done again after whatever happens."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role
from astrbot_plugin_tidemark.core.model.memory import Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import (
    INSTALLATION,
    Decided,
    Decision,
    Deed,
    Sleep,
    SleepCause,
    Undone,
)
from astrbot_plugin_tidemark.core.ports import Prompt, WorkKind
from astrbot_plugin_tidemark.core.settings import LearningSettings, RecallSettings, Settings
from astrbot_plugin_tidemark.core.settings.groups import SleepSettings
from astrbot_plugin_tidemark.core.sleep.pipeline import FULL, LEARNING, Pipeline, StepRun, Steps

from ...kit import until
from ...rig import START, Rig, open_rig
from ...samples import ANNS, BENS

PATIENT = Settings(
    recall=RecallSettings(deadline_ms=10_000), learning=LearningSettings(max_attempts=5)
)
PROMPT = Prompt("system", "user", {}, "test")


@dataclass
class Listed:
    """A step that goes through ten items and notes each; `trouble` is called before each."""

    name: ClassVar[str] = "listed"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    seen: list[tuple[str, int]] = field(default_factory=list)
    trouble: Callable[[int], Any] = lambda item: None
    replies: list[str | None] = field(default_factory=list)
    asks: int = 0

    async def run(self, run: StepRun) -> None:
        for item in range(10):
            self.trouble(item)
            key = f"item:{item}"
            if key not in run.refused:
                self.seen.append((run.scope, item))
                await run.decide(Decision(key, Deed.MERGED, (f"m{item}",), "alike"))
            for _ in range(self.asks):
                self.replies.append(await run.ask(PROMPT))

    async def undo(self, decided: Decided, now: float) -> Undone:
        return Undone.DONE


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(tmp_path, PATIENT)
    yield rig
    await rig.engine.close()


def listening(rig: Rig, step: Listed, **settings: Any) -> Pipeline:
    """A pipeline of this step alone, in the engine's place; the engine is not started."""
    asking = replace(rig.engine.pipeline.asking, settings=SleepSettings(**settings))
    steps = Steps(of_scope=(step,), of_installation=())
    return replace(rig.engine.pipeline, steps=steps, asking=asking)


async def begun(rig: Rig, cause: SleepCause = SleepCause.COMMAND) -> int:
    [id] = await rig.journal.begin_sleeps([ANNS.key], cause, at=rig.clock.at)
    return id


async def worked(rig: Rig, pipeline: Pipeline) -> None:
    """Do the sleeps that are due, as the worker would; nothing is left to be learnt."""
    for work in await rig.journal.due(rig.clock.at, kinds=LEARNING, limit=9, skip=frozenset()):
        await rig.journal.finish(work.id)
    kinds = frozenset({WorkKind.SLEEP})
    for work in await rig.journal.due(rig.clock.at, kinds=kinds, limit=9, skip=frozenset()):
        await pipeline.work(work)
        await rig.journal.finish(work.id)


async def told(rig: Rig, id: int) -> Sleep:
    sleep = await rig.journal.sleep(id)
    assert sleep is not None
    return sleep


@pytest.mark.parametrize("item", range(10))
async def test_cut_short_anywhere_it_is_done_again_and_decides_nothing_twice(
    rig: Rig, item: int
) -> None:
    def trouble(reached: int) -> None:
        if reached == item:
            raise asyncio.CancelledError

    id = await begun(rig)
    with pytest.raises(asyncio.CancelledError):
        await worked(rig, listening(rig, Listed(trouble=trouble)))
    step = Listed()
    await worked(rig, listening(rig, step))
    assert [number for _, number in step.seen] == list(range(10))
    assert (await told(rig, id)).counts == {Deed.MERGED: 10}


async def test_a_second_sleep_joins_the_first_and_one_given_up_ends(rig: Rig) -> None:
    first = await begun(rig, SleepCause.INTERVAL)
    assert await begun(rig, SleepCause.COMMAND) == first
    step = Listed()
    await worked(rig, listening(rig, step))
    # It has become a greater one, with all its steps, and was done once.
    assert len(step.seen) == 10
    assert (await told(rig, first)).cause is SleepCause.COMMAND
    assert await begun(rig) != first
    first = await begun(rig)
    [work] = await rig.journal.due(
        rig.clock.at, kinds=frozenset({WorkKind.SLEEP}), limit=1, skip=frozenset()
    )
    await rig.journal.bury(work.id, "broken")
    assert await begun(rig) != first


async def test_a_sleep_at_the_interval_has_only_the_steps_of_the_sweep(rig: Rig) -> None:
    step = Listed()
    id = await begun(rig, SleepCause.INTERVAL)
    await worked(rig, listening(rig, step))
    assert step.seen == []
    assert (await told(rig, id)).ended_at is not None


async def test_a_step_that_fails_is_left_out_and_the_others_are_done(rig: Rig) -> None:
    def broken(item: int) -> None:
        raise ValueError("broken")

    class Other(Listed):
        name: ClassVar[str] = "other"

    other, id = Other(), await begun(rig)
    steps = Steps(of_scope=(Listed(trouble=broken), other), of_installation=())
    pipeline = replace(rig.engine.pipeline, steps=steps)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"):
            await worked(rig, pipeline)
    await worked(rig, pipeline)
    sleep = await told(rig, id)
    assert len(other.seen) == 10
    assert (sleep.steps["listed"].failures, sleep.steps["listed"].done) == (3, False)


async def test_no_more_calls_than_the_night_allows(rig: Rig) -> None:
    await rig.say(ANNS, "hello")
    step = Listed(asks=1)
    await begun(rig)
    await worked(rig, listening(rig, step, calls=3))
    assert sum(reply is not None for reply in step.replies) == 3
    # The same night again.
    rig.clock.at += 60
    again = Listed(asks=1)
    id = await begun(rig)
    await worked(rig, listening(rig, again, calls=3))
    assert again.replies == [None] * 10
    assert (await told(rig, id)).calls == 0
    assert (await rig.journal.usage("2025-06-15")).calls == 3


async def test_a_bill_that_makes_no_sense_does_not_fail_the_step_that_asked(rig: Rig) -> None:
    rig.model.tokens = None
    await rig.say(ANNS, "hello")
    step = Listed(asks=1)
    id = await begun(rig)
    await worked(rig, listening(rig, step, calls=1))
    assert len(step.seen) == 10
    assert (await told(rig, id)).calls == 1
    assert 0 < (await told(rig, id)).tokens < 100


async def test_an_undone_decision_is_not_made_again_in_later_nights(rig: Rig) -> None:
    pipeline = listening(rig, Listed())
    id = await begun(rig)
    await worked(rig, pipeline)
    first = (await rig.journal.decisions(id))[0]
    assert await pipeline.undo(first.id) is Undone.DONE
    assert await pipeline.undo(first.id) is Undone.DONE
    later = await begun(rig)
    await worked(rig, pipeline)
    keys = [decided.decision.key for decided in await rig.journal.decisions(later)]
    assert "item:0" not in keys
    assert len(keys) == 9


async def test_a_person_erased_in_the_middle_of_a_sleep_leaves_nothing_of_it(rig: Rig) -> None:
    reached, going = asyncio.Event(), asyncio.Event()

    class Held(Listed):
        async def run(self, run: StepRun) -> None:
            await run.decide(Decision("early", Deed.MERGED, ("m1",)))
            reached.set()
            await going.wait()
            await run.decide(Decision("late", Deed.MERGED, ("m1",)))

    await rig.keep("Ann keeps bees", ANNS)
    await rig.keep("Ben keeps goats", BENS, id="m2")
    steps = Steps(of_scope=(Held(),), of_installation=())
    rig.engine.worker.jobs = {
        **rig.engine.worker.jobs,
        WorkKind.SLEEP: replace(rig.engine.pipeline, steps=steps).work,
    }
    id = await begun(rig)
    rig.engine.start()
    await asyncio.wait_for(reached.wait(), 10)
    await rig.engine.eraser.erase(ANNS)
    going.set()
    await rig.settle()
    assert await rig.journal.sleep(id) is None
    assert await rig.journal.decisions(id) == []
    assert [memory.id for memory in await rig.memories()] == ["m2"]


async def test_a_night_begins_once_whatever_the_clock_does(rig: Rig) -> None:
    await rig.keep("Ann keeps bees", ANNS)
    rhythm = rig.engine.rhythm
    await rhythm.beat(START, [])
    assert SleepCause.NIGHT not in {sleep.cause for sleep in await rig.journal.sleeping()}
    for at in (START + DAY, START + DAY + 60, START + DAY - 1):
        await rhythm.beat(at, [])
    nights = [s for s in await rig.journal.sleeping() if s.cause is SleepCause.NIGHT]
    assert [sleep.scope for sleep in nights] == [INSTALLATION, ANNS.key]
    # Set back by a year, it sleeps in that night, and again when it is right.
    await worked(rig, rig.engine.pipeline)
    await rhythm.beat(START - 365 * DAY, [])
    await worked(rig, rig.engine.pipeline)
    await rhythm.beat(START + DAY, [])
    assert len([s for s in await rig.journal.sleeping() if s.cause is SleepCause.NIGHT]) == 2


async def test_quiet_with_news_puts_a_scope_to_sleep_and_speech_does_not(rig: Rig) -> None:
    await rig.say(ANNS, "I keep bees")
    rig.clock.at += 1_800
    await rig.engine.jobs.tick()
    asleep = {sleep.scope: sleep for sleep in await rig.journal.sleeping()}
    assert asleep[ANNS.key].cause is SleepCause.QUIET
    await rig.say(ANNS, "and goats")
    rig.clock.at += 61
    step = Listed()
    await worked(rig, listening(rig, step))
    assert step.seen == []
    rig.clock.at += 1_800
    await rig.engine.jobs.tick()
    rig.clock.at += 61
    await worked(rig, listening(rig, step))
    assert len(step.seen) == 10


async def test_what_is_let_go_of_is_told_with_its_id_and_can_be_brought_back(rig: Rig) -> None:
    await rig.keep("old and weak", ANNS, created_at=START - 40 * DAY)
    await rig.keep("weaker", ANNS, id="m2", created_at=START - 4 * DAY, vitality=Vitality(5))
    rig.engine.start()
    report = await rig.sleep(patience=20.0)
    assert report.counts == {Deed.BINNED: 1, Deed.WEAKENED: 2}
    [sleep] = await rig.journal.reports([ANNS.key])
    [decided] = await rig.journal.decisions(sleep.id)
    assert (decided.decision.deed, decided.decision.memories) == (Deed.BINNED, ("m1",))
    assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert (await rig.store.get("m1")).standing.status is Status.LIVE


async def test_a_sleep_leaves_a_report_unless_it_is_empty(rig: Rig) -> None:
    for _ in range(3):
        await begun(rig)
        await worked(rig, rig.engine.pipeline)
    assert await rig.journal.reports([ANNS.key]) == []
    step, id = Listed(), await begun(rig)
    await worked(rig, listening(rig, step))
    sleep = await told(rig, id)
    assert sleep.ended_at == rig.clock.at
    assert sleep.counts == {Deed.MERGED: 10}
    assert [d.decision.memories for d in await rig.journal.decisions(id)][:2] == [("m0",), ("m1",)]


async def test_a_sleep_waits_for_what_was_said_before_to_be_learnt(rig: Rig) -> None:
    await rig.say(ANNS, "I keep bees", Role.USER)
    rig.engine.start()
    await rig.sleep(patience=20.0)
    assert rig.model.prompts != []
    await until(lambda: _is_over(rig))


@pytest.mark.parametrize("before", [SleepCause.QUIET, SleepCause.INTERVAL])
async def test_a_sleep_queued_before_waits_for_what_is_learnt(rig: Rig, before: SleepCause) -> None:
    """A command joined the sleep of a quiet chat, and put it to sleep unlearnt."""
    id = await begun(rig, before)
    await rig.say(ANNS, "I keep bees", Role.USER)
    await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)
    assert await begun(rig, SleepCause.COMMAND) == id
    kinds, nothing = frozenset({WorkKind.SLEEP}), frozenset[int]()
    [sleep] = await rig.journal.due(rig.clock.at, kinds=kinds, limit=9, skip=nothing)
    to_learn = await rig.journal.due(rig.clock.at, kinds=LEARNING, limit=9, skip=nothing)
    assert min(work.id for work in to_learn) > sleep.id
    step = Listed()
    sleeping = asyncio.create_task(listening(rig, step).work(sleep))
    await asyncio.sleep(0.3)
    assert step.seen == []
    for work in to_learn:
        await rig.journal.finish(work.id)
    await sleeping
    assert len(step.seen) == 10


async def _is_over(rig: Rig) -> bool:
    return not [s for s in await rig.journal.sleeping() if s.cause is SleepCause.COMMAND]
