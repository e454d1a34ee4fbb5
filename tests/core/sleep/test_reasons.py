"""A night that changed nothing says what it looked at, and why that stayed as it was."""

from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Left, Sleep, SleepCause
from astrbot_plugin_tidemark.core.ports import WorkKind
from astrbot_plugin_tidemark.core.settings.sleep import SleepSettings
from astrbot_plugin_tidemark.core.sleep.pipeline import Pipeline, Steps

from ...kit import DOWN
from ...rig import Rig
from ...samples import ANNS

BEES = "Ann keeps bees"
NIGHTLY = {Left.SEEN: 1}


@pytest.fixture
def running() -> bool:
    return False


async def life(rig: Rig, days: float) -> None:
    """A turn, so that there is a chat to ask in, and a memory so many days old."""
    await rig.say(ANNS, "Good evening")
    works = await rig.journal.due(9e9, kinds=frozenset(WorkKind), limit=9, skip=frozenset())
    for work in works:
        await rig.journal.finish(work.id)
    at = rig.clock.at - days * DAY
    told = {"created_at": at, "happened_at": at, "speaker": Speaker("901", "Ann")}
    await rig.keep(BEES, ANNS, kind=Kind.SEMANTIC, vitality=Vitality(1_000_000), **told)


async def night(rig: Rig, *steps: str, **settings: Any) -> Sleep:
    """The next night of these steps, as the worker would do it."""
    rig.clock.at += DAY
    [id] = await rig.engine.rhythm.begin([ANNS.key], SleepCause.NIGHT, rig.clock.at)
    pipeline = _of(rig.engine.pipeline, steps, SleepSettings(**settings))
    [work] = await rig.journal.due(
        rig.clock.at, kinds=frozenset({WorkKind.SLEEP}), limit=9, skip=frozenset()
    )
    await pipeline.work(work)
    await rig.journal.finish(work.id)
    sleep = await rig.journal.sleep(id)
    assert sleep is not None
    return sleep


def _of(pipeline: Pipeline, steps: tuple[str, ...], settings: SleepSettings) -> Pipeline:
    own = [step for step in pipeline.steps.of_scope if step.name in steps]
    asking = replace(pipeline.asking, settings=settings)
    return replace(pipeline, steps=Steps(own, []), asking=asking)


async def test_without_news_it_says_that_nothing_is_new(rig: Rig) -> None:
    await life(rig, 0)
    assert (await night(rig, "merging")).left == NIGHTLY
    later = await night(rig, "merging")
    assert (later.left, later.counts, later.empty) == ({Left.UNCHANGED: 1}, {}, True)


async def test_it_tells_what_is_too_young_and_what_waits_for_a_model(rig: Rig) -> None:
    await life(rig, 0)
    assert (await night(rig, "merging", "enrichment")).left == {Left.SEEN: 1, Left.YOUNG: 1}
    await rig.keep(BEES, ANNS, id="m2", kind=Kind.SEMANTIC, vitality=Vitality(1_000_000))
    rig.clock.at += 3 * DAY
    rig.model.present = False
    assert (await night(rig, "enrichment")).left == {Left.NO_MODEL: 1}


@pytest.mark.parametrize(
    ("settings", "answer", "why"),
    [
        ({"calls": 1}, "no notes", Left.BUDGET),
        ({}, DOWN, Left.FAILED),
        ({"calls": 0}, "no notes", None),
    ],
)
async def test_it_tells_a_spent_budget_from_a_model_that_does_not_answer(
    rig: Rig, settings: dict[str, Any], answer: Any, why: Left | None
) -> None:
    await life(rig, 9)
    rig.model.answers = [answer] * 9
    sleep = await night(rig, "enrichment", **settings)
    assert sleep.left == ({} if why is None else {why: 1})


async def test_pairs_that_a_judge_finds_to_differ_are_counted(rig: Rig) -> None:
    from .test_conflicts import exams, slept, started, vectored

    await exams(rig)
    await started(rig, {"A": "both", "B": "both"})
    await vectored(rig, start=False)
    assert await slept(rig) == {}
    [sleep] = await rig.journal.reports([ANNS.key])
    assert sleep.left[Left.DIFFERENT] == 1


async def test_of_nights_that_changed_nothing_only_the_last_is_kept(rig: Rig) -> None:
    await life(rig, 0)
    nights = [await night(rig, "merging") for _ in range(3)]
    for each in nights[:2]:
        assert await rig.journal.sleep(each.id) is None
    await rig.engine.rhythm.begin([ANNS.key], SleepCause.INTERVAL, rig.clock.at + 1)
    [work] = await rig.journal.due(
        rig.clock.at + 1, kinds=frozenset({WorkKind.SLEEP}), limit=9, skip=frozenset()
    )
    await rig.engine.pipeline.work(work)
    last = await rig.journal.last_sleep([ANNS.key])
    assert last is not None
    assert last.id == nights[-1].id
    assert Deed.MERGED not in last.counts
    assert await rig.journal.last_sleep(["elsewhere"]) is None
