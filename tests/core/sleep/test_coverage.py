"""What learning overlooked is read once more; a night that changed nothing says why."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Status, Vitality
from astrbot_plugin_tidemark.core.model.sleeping import Deed, Left, Sleep, SleepCause, Undone
from astrbot_plugin_tidemark.core.ports import Completion, Extraction, Filter, Prompt, WorkKind
from astrbot_plugin_tidemark.core.settings import RecallSettings, Settings
from astrbot_plugin_tidemark.core.settings.groups import SleepSettings
from astrbot_plugin_tidemark.core.sleep.pipeline import LEARNING, Pipeline, Steps
from astrbot_plugin_tidemark.core.sleep.steps.coverage import CoverageStep

from ...kit import DOWN, item, learnt, place
from ...rig import Rig, open_rig
from ...samples import ANNS
from .conftest import decisions, killed_anywhere, slept

SAID = (
    "I moved to Leeds in spring",
    "My sister Ruth keeps two beehives",
    "My bicycle was stolen at the station",
    "I am learning the cello with Mr Brandt",
    "We painted the kitchen green yesterday",
    "My dentist found a broken tooth",
)
SOME = learnt(
    item("Ann moved to Leeds in spring", 1), item("Ann's sister Ruth keeps two beehives", 2)
)
ALL = learnt(*(item(text, number) for number, text in enumerate(SAID, start=1)))
AGAIN = learnt(item("Ann's bicycle was stolen", 2), item("Ann learns the cello with Mr Brandt", 3))
OWN = (Deed.REREAD, Deed.OVERLOOKED)
FIRST = ["Ann moved to Leeds in spring", "Ann's sister Ruth keeps two beehives"]
MORE = ["Ann's bicycle was stolen", "Ann learns the cello with Mr Brandt"]
running = pytest.fixture(lambda: False)


async def heard(rig: Rig, *replies: Any, start: bool = True) -> None:
    """An episode of Ann's, learnt from by the first reply; sleep is answered by the others."""
    rig.model.answers = list(replies)
    for text in SAID:
        await rig.say(ANNS, text)
    session = place(ANNS).session
    await rig.journal.close_episode(session, EpisodeEnd.COMMAND, at=rig.clock.at)
    if start:
        rig.engine.start()
        await rig.settle()
    while not start and (
        works := await rig.journal.due(rig.clock.at, kinds=LEARNING, limit=99, skip=frozenset())
    ):
        for work in works:
            await rig.engine.jobs.table()[work.kind](work)
            await rig.journal.finish(work.id)


async def known(rig: Rig) -> list[str]:
    where = Filter(recallable=True, kinds=frozenset({Kind.SEMANTIC}))
    found = [memory async for memory in rig.store.iterate(where)]
    return [memory.text for memory in sorted(found, key=lambda each: each.origin.turns)]


async def test_an_episode_of_which_most_was_overlooked_is_read_once_more(rig: Rig) -> None:
    await heard(rig, SOME, AGAIN)
    assert await slept(rig, *OWN) == {Deed.REREAD: 1}
    assert await known(rig) == [*FIRST, *MORE]
    _, prompt = rig.model.prompts
    shown = prompt.user
    # A turn that is told is shown only if it is the one before.
    assert [text for text in SAID if text in shown] == list(SAID[1:])
    [decided] = await decisions(rig, Deed.REREAD)
    found = await rig.store.find(decided.decision.memories)
    assert len(found) == 2
    # Numbered as they were shown, they rest on the turns they were said in.
    turns = {m.text: [await rig.journal.turn(seq) for seq in m.origin.turns] for m in found}
    assert [t.text for t in turns[MORE[0]] if t] == [SAID[2]]
    assert await slept(rig, *OWN) == {}
    assert len(rig.model.prompts) == 2


async def test_an_episode_well_read_or_forgotten_since_is_left_alone(rig: Rig) -> None:
    await heard(rig, ALL)
    assert await slept(rig, *OWN) == {}
    assert len(rig.model.prompts) == 1
    await rig.engine.curation.forget([m.id for m in await rig.memories()], by="ann")
    assert await slept(rig, *OWN) == {}
    assert len(rig.model.prompts) == 1


async def test_with_no_calls_allowed_it_is_only_told(tmp_path: Path) -> None:
    settings = Settings(recall=RecallSettings(deadline_ms=10_000), sleep=SleepSettings(calls=0))
    rig = await open_rig(tmp_path, settings)
    try:
        await heard(rig, SOME, AGAIN)
        assert await slept(rig, *OWN) == {Deed.OVERLOOKED: 1}
        assert await slept(rig, *OWN) == {}
        assert len(rig.model.prompts) == 1
        [decided] = await decisions(rig, Deed.OVERLOOKED)
        raw = await rig.store.find(decided.decision.memories)
        assert {memory.text for memory in raw} == {*SAID[2:]}
        assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    finally:
        await rig.engine.close()


async def test_where_the_model_is_down_it_is_read_another_night(rig: Rig) -> None:
    await heard(rig, SOME, DOWN, AGAIN)
    assert Deed.REREAD not in await slept(rig, *OWN)
    assert await slept(rig, *OWN) == {Deed.REREAD: 1}


@pytest.mark.parametrize(
    "nonsense",
    [
        "no JSON at all",
        {"memories": "none"},
        learnt(item("foreign", 99)),
        learnt(item("corrects what is known", 2, corrects=1)),
        learnt(item("rests on what was told already", 1)),
    ],
)
async def test_a_reply_that_does_not_fit_teaches_nothing(rig: Rig, nonsense: Any) -> None:
    await heard(rig, SOME, nonsense)
    await slept(rig, *OWN)
    await slept(rig, *OWN)
    assert await known(rig) == FIRST
    assert len(rig.model.prompts) == 2


async def test_undone_what_was_read_is_in_the_bin_and_is_not_read_again(rig: Rig) -> None:
    await heard(rig, SOME, AGAIN)
    await slept(rig, *OWN)
    [decided] = await decisions(rig, Deed.REREAD)
    for _ in range(2):
        assert await rig.engine.pipeline.undo(decided.id) is Undone.DONE
    assert await known(rig) == FIRST
    found = await rig.store.find(decided.decision.memories)
    assert {memory.standing.status for memory in found} == {Status.BINNED}
    assert await slept(rig, *OWN) == {}
    assert len(rig.model.prompts) == 2


@pytest.mark.parametrize("after", [False, True])
async def test_killed_anywhere_it_comes_to_the_same(rig: Rig, after: bool) -> None:
    await heard(rig, SOME, AGAIN, start=False)
    _, attempts = await killed_anywhere(rig, CoverageStep.name, after=after)
    assert attempts > 20
    assert await known(rig) == [*FIRST, *MORE]
    [decided] = await decisions(rig, Deed.REREAD)
    assert len(decided.decision.memories) == 2
    assert await rig.journal.uncompared(ANNS.key, limit=9) == []


async def test_a_person_erased_while_the_model_reads_leaves_nothing(rig: Rig) -> None:
    await heard(rig, SOME, AGAIN)
    reading, going = asyncio.Event(), asyncio.Event()
    complete = rig.model.complete

    async def held(prompt: Prompt, *, session: str) -> Completion:
        reading.set()
        await going.wait()
        return await complete(prompt, session=session)

    rig.model.complete = held
    [episode] = await rig.journal.uncompared(ANNS.key, limit=9)
    await rig.journal.begin_sleeps([ANNS.key], SleepCause.COMMAND, at=rig.clock.at)
    rig.engine.wake()
    await asyncio.wait_for(reading.wait(), 20)
    await rig.engine.eraser.erase(ANNS)
    going.set()
    await rig.settle()
    assert await rig.memories() == []
    assert await rig.journal.extraction(episode.id, again=True) is None
    # What comes late is not kept either.
    late = Extraction(episode.id, {}, "{}", "model", again=True)
    await rig.journal.save_extraction(late)
    assert await rig.journal.extraction(episode.id, again=True) is None


BEES = "Ann keeps bees"
NIGHTLY = {Left.SEEN: 1}


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
    assert await slept(rig, *OWN) == {}
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
    assert last.id == nights[-1].id
    assert Deed.MERGED not in last.counts
    assert await rig.journal.last_sleep(["elsewhere"]) is None
