"""Learning jobs: cut where the topic ends, and done again after a crash as if done once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Role
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.ports import Work, WorkKind
from astrbot_plugin_tidemark.core.scoring.boundaries import (
    BoundaryColumn,
    BoundaryModel,
    BoundaryModels,
)
from astrbot_plugin_tidemark.core.scoring.fitted import boundaries
from astrbot_plugin_tidemark.core.settings import CaptureSettings
from astrbot_plugin_tidemark.storage import open_journal, open_store

from ...kit import Fragile, Fuse, Interruption, item, learnt, place
from ...rig import Rig, open_rig
from ...samples import ANNS
from ...strength import strength
from .conftest import PATIENT


def reply(hives: int, smoker: int) -> dict[str, Any]:
    """What the model says of the two known memories, by the numbers they were shown under."""
    return learnt(
        item("Ann's hives are in Wells", 1, corrects=hives),
        item("Ann sold the smoker", 1, updates=smoker),
        item("Ann's hives are in Wells", 1),
        useful=[smoker],
    )


@asynccontextmanager
async def prepared(folder: Path, fuse: Fuse) -> AsyncIterator[tuple[Rig, Work]]:
    """An episode with two injected memories is closed; its work is queued, nothing runs it."""
    store = Fragile(await open_store("sqlite", folder), fuse)
    journal = Fragile(await open_journal(folder), fuse)
    rig = await open_rig(folder, PATIENT, store=store, journal=journal)
    try:
        await _talk(rig)
        (learning,) = await _due(rig, WorkKind.LEARN)
        yield rig, learning
    finally:
        fuse.blow_at = 0
        await rig.engine.close()


async def _talk(rig: Rig) -> None:
    await rig.keep("Ann's hives are in Bath", ANNS, id="hives")
    await rig.keep("Ann lent out the smoker", ANNS, id="smoker")
    told = "The hives in Bath are in Wells now, and the smoker that was lent out is sold"
    recalled, _ = await rig.exchange(ANNS, told, "I see")
    numbers = {memory.id: number for number, memory in enumerate(recalled.memories, start=1)}
    rig.model.answers = [reply(**numbers)]
    for work in await _due(rig, WorkKind.INDEX_TURN):
        await rig.engine.jobs.index_turn(work)
    await rig.journal.close_silent(quiet_since=rig.clock.at, at=rig.clock.at)


async def _due(rig: Rig, kind: WorkKind) -> list[Work]:
    return await rig.journal.due(rig.clock.at, kinds=frozenset({kind}), limit=100, skip=frozenset())


async def _outcome(rig: Rig) -> dict[str, Any]:
    """All that learning leaves behind, without what differs between any two journals."""
    memories = await rig.memories()
    names = {memory.id: f"{memory.kind} {memory.text}" for memory in memories}
    return {
        "memories": [_anonymous(memory, names) for memory in memories],
        "audit": [
            [(entry.action, entry.by) for entry in await rig.journal.audit_of(memory.id)]
            for memory in memories
        ],
        "verdicts": await rig.journal.verdict_counts(),
    }


def _anonymous(memory: Memory, names: dict[str, str]) -> tuple[Any, ...]:
    heir = memory.successor
    return (
        names[memory.id],
        None if heir is None else (heir.how, names[heir.memory]),
        replace(memory.vitality, judged=()),
        len(memory.vitality.judged),
        memory.access,
        memory.feedback,
        memory.standing,
        [(relation.predicate, names.get(relation.object)) for relation in memory.relations],
    )


async def test_a_clean_run_stores_links_and_judges(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, learning):
        await rig.engine.jobs.learn(learning)
        outcome = await _outcome(rig)
        assert outcome["verdicts"] == (1, 1)
        assert len(outcome["memories"]) == 5
        hives, smoker = await rig.store.find(["hives", "smoker"])
        assert (hives.recallable, smoker.recallable) == (False, True)
        assert (hives.vitality.useful_count, smoker.vitality.useful_count) == (0, 1)


@pytest.mark.parametrize("after", [False, True], ids=["before the step", "after the step"])
async def test_learning_interrupted_at_any_step_and_redone_leaves_the_same(
    tmp_path_factory: pytest.TempPathFactory, after: bool
) -> None:
    fuse = Fuse()
    async with prepared(tmp_path_factory.mktemp("clean"), fuse) as (rig, learning):
        began = fuse.calls
        await rig.engine.jobs.learn(learning)
        steps = fuse.calls - began
        expected = await _outcome(rig)
    assert steps > 10
    for step in range(1 + after, steps + 1, strength(4, 1)):
        fuse = Fuse(after=after)
        async with prepared(tmp_path_factory.mktemp(f"step{step}-"), fuse) as (rig, learning):
            fuse.blow_at = fuse.calls + step
            with pytest.raises(Interruption):
                await rig.engine.jobs.learn(learning)
            await rig.engine.jobs.learn(learning)
            assert await _outcome(rig) == expected, f"interrupted at step {step}"


async def test_learning_done_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, learning):
        await rig.engine.jobs.learn(learning)
        once = await _outcome(rig)
        rig.clock.at += 3600
        await rig.engine.jobs.learn(learning)
        assert await _outcome(rig) == once
        assert len(rig.model.prompts) == 1


async def test_indexing_done_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with prepared(tmp_path, Fuse()) as (rig, _):
        before = await _outcome(rig)
        for work in await _due(rig, WorkKind.INDEX_TURN):
            await rig.engine.jobs.index_turn(work)
        assert await _outcome(rig) == before


BEES = ("The hives hum", "Bees hum in the hives", "The hives need frames", "Frames for the hives")
BOATS = ("The boat leaks", "A leak in the boat", "Tar for the boat", "The boat wants tar")
APART = BoundaryModel({BoundaryColumn.T_APART: 1.0}, none=0.5)
MODELS = BoundaryModels(APART, APART)
FULL = replace(PATIENT, capture=CaptureSettings(episode_max_turns=8))
BEFORE_THE_CUT, OF_THE_CUT = 3, 4
"""Steps of the journal in a learning job."""


@asynccontextmanager
async def full(
    folder: Path, fuse: Fuse, models: BoundaryModels | None = MODELS
) -> AsyncIterator[tuple[Rig, Work]]:
    """Bees, then boats, then one more about the boats; each half was shown a memory of its own."""
    journal = Fragile(await open_journal(folder), fuse)
    rig = await open_rig(folder, FULL, journal=journal, boundaries=models)
    try:
        await rig.keep("Ann keeps bees in hives", ANNS, id="bees")
        await rig.keep("Ann has a boat", ANNS, id="boats")
        for asked, answered in zip((*BEES, *BOATS)[::2], (*BEES, *BOATS)[1::2], strict=True):
            await rig.exchange(ANNS, asked, answered)
        await rig.say(ANNS, "The boat is tarred")
        (learning,) = await _learning_due(rig)
        yield rig, learning
    finally:
        fuse.blow_at = 0
        await rig.engine.close()


async def _learning_due(rig: Rig) -> list[Work]:
    kinds = frozenset({WorkKind.LEARN})
    return await rig.journal.due(rig.clock.at, kinds=kinds, limit=9, skip=frozenset())


async def _texts(rig: Rig, episode: str) -> list[str]:
    return [turn.text for turn in await rig.journal.turns_of(episode)]


@pytest.mark.parametrize("present", [True, False], ids=["with vectors", "by words alone"])
async def test_the_cut_moves_to_where_the_topic_ends(tmp_path: Path, present: bool) -> None:
    async with full(tmp_path, Fuse()) as (rig, learning):
        rig.embedder.present = present
        await rig.engine.jobs.learn(learning)
        assert await _texts(rig, learning.payload["episode"]) == list(BEES)
        (rest,) = [work for work in await _learning_due(rig) if work.id != learning.id]
        assert await _texts(rig, rest.payload["episode"]) == list(BOATS)
        following = await rig.journal.open_episode(place(ANNS).session)
        assert await _texts(rig, following.id) == ["The boat is tarred"]


async def test_an_embedder_that_is_down_leaves_the_words(tmp_path: Path) -> None:
    async with full(tmp_path, Fuse()) as (rig, learning):
        rig.embedder.down = True
        await rig.engine.jobs.learn(learning)
        assert await _texts(rig, learning.payload["episode"]) == list(BEES)


async def test_without_the_fitted_numbers_its_size_ends_an_episode(tmp_path: Path) -> None:
    async with full(tmp_path, Fuse(), None) as (rig, learning):
        await rig.engine.jobs.learn(learning)
        assert await _texts(rig, learning.payload["episode"]) == [*BEES, *BOATS]


@pytest.mark.parametrize("step", [BEFORE_THE_CUT, OF_THE_CUT])
async def test_a_crash_around_the_cut_leaves_each_verdict_once(tmp_path: Path, step: int) -> None:
    fuse = Fuse(after=True)
    async with full(tmp_path, fuse) as (rig, learning):
        rig.model.answers = [learnt(useful=[1])]
        fuse.blow_at = fuse.calls + step
        with pytest.raises(Interruption):
            await rig.engine.jobs.learn(learning)
        cut = len(await _texts(rig, learning.payload["episode"])) == len(BEES)
        assert cut is (step == OF_THE_CUT)
        await rig.engine.jobs.learn(learning)
        bees, boats = await rig.store.find(["bees", "boats"])
        assert (bees.vitality.useful_count, boats.vitality.useful_count) == (1, 0)
        (second,) = [work for work in await _learning_due(rig) if work.id != learning.id]
        await rig.engine.jobs.learn(second)
        bees, boats = await rig.store.find(["bees", "boats"])
        assert (bees.vitality.useful_count, boats.vitality.useful_count) == (1, 1)


CATS = (
    "My cat Luna has stopped eating since Sunday",
    "Has she seen the vet? Cats that do not eat for a day should.",
    "The vet thinks it is her kidneys, she gets a new food now",
)
TAX = (
    "I also have to hand in my tax return by Friday",
    "Do you have all your receipts for the return?",
    "Only the ones for the office chair, the rest of the receipts is lost",
)
TRIP = (
    "Where should we go in August, Norway or Portugal?",
    "Portugal is hot in August, Norway is milder for hiking.",
    "Then Norway, Tom loves hiking by the fjords",
)
SKIING = (
    "My brother Paul broke his arm skiing",
    "Ouch, how long does Paul wear the cast?",
    "Six weeks, and Paul is bored with his arm in the cast",
)


@asynccontextmanager
async def talking(folder: Path) -> AsyncIterator[Rig]:
    rig = await open_rig(folder, PATIENT, boundaries=boundaries(pytest.fail))
    rig.embedder.present = False
    rig.engine.start()
    try:
        yield rig
    finally:
        await rig.engine.close()


async def said(rig: Rig, *texts: str) -> int:
    """Tell it, every second of three turns by the bot; the number of the first."""
    seqs = list[int]()
    for number, text in enumerate(texts):
        role = Role.ASSISTANT if number % 3 == 1 else Role.USER
        seqs.append(await rig.say(ANNS, text, role))
        await rig.settle()
    return seqs[0]


async def test_three_topics_in_nine_turns_are_three_episodes(tmp_path: Path) -> None:
    async with talking(tmp_path) as rig:
        await said(rig, *CATS, *TAX, *TRIP)
        rig.model.prompts.clear()
        await rig.pass_time()
        asked = [prompt.user for prompt in rig.model.prompts if prompt.name == "learn"]
        told = [[text in user for text in (CATS[0], TAX[0], TRIP[0])] for user in asked]
        assert sorted(told, reverse=True) == [
            [True, False, False],
            [False, True, False],
            [False, False, True],
        ]


async def test_a_long_chat_is_cut_while_it_goes_on(tmp_path: Path) -> None:
    async with talking(tmp_path) as rig:
        began = await said(rig, *CATS, *TAX, *TRIP, *SKIING)
        session = place(ANNS).session
        open_now = await rig.journal.open_episode(session)
        first = await rig.journal.episode((await rig.journal.turn(began)).episode)
        assert (first.end, open_now.end) == (EpisodeEnd.TOPIC, None)
        assert first.id != open_now.id
        assert any(CATS[0] in prompt.user for prompt in rig.model.prompts)


async def test_a_long_chat_about_one_thing_is_not_cut(tmp_path: Path) -> None:
    async with talking(tmp_path) as rig:
        about = ("The boat leaks", "Where does the boat leak?", "At the keel the boat leaks")
        await said(rig, *about * 6)
        assert (await rig.journal.open_episode(place(ANNS).session)).turns == 18
