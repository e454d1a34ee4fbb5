"""An episode ends where its topic does: while the talk goes on, and before it is learnt from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.conversation import EpisodeEnd, Role
from astrbot_plugin_tidemark.core.ports import Work, WorkKind
from astrbot_plugin_tidemark.core.scoring.boundaries import (
    BoundaryColumn,
    BoundaryModel,
    BoundaryModels,
)
from astrbot_plugin_tidemark.core.scoring.fitted import boundaries
from astrbot_plugin_tidemark.core.settings import CaptureSettings
from astrbot_plugin_tidemark.storage import open_journal

from ...kit import Fragile, Fuse, Interruption, learnt, place
from ...rig import Rig, open_rig
from ...samples import ANNS
from .conftest import PATIENT

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
        (learning,) = await _due(rig)
        yield rig, learning
    finally:
        fuse.blow_at = 0
        await rig.engine.close()


async def _due(rig: Rig) -> list[Work]:
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
        (rest,) = [work for work in await _due(rig) if work.id != learning.id]
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
        (second,) = [work for work in await _due(rig) if work.id != learning.id]
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
