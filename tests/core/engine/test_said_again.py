"""What is said again is kept: it corroborates what is known, once, and is never in vain."""

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CORROBORATES, linked
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Status
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import ForgettingSettings

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS, GROUP
from ...strength import only_long

ALLERGIC = "I am allergic to peanuts"
STAMPS = "I collect stamps of islands"
DAYS = (0, 7, 14, 20)
BY_ACCESS = [name for name in NAMES if name != "random_drop"]
"""Chance asks for nothing."""
AT_EVERY_CHANGE = ("tmd+",)


async def night(rig: Rig, day: int) -> None:
    """Sleep through to the morning after the day."""
    rig.clock.at = START + day * DAY + 0.5 * DAY
    await rig.sleep(patience=20.0)


forgetting = pytest.fixture(lambda: ForgettingSettings())


@pytest.fixture
def changes(forgetting: ForgettingSettings) -> dict[str, object]:
    return {"forgetting": forgetting}


every_policy = pytest.mark.parametrize(
    "forgetting",
    [
        pytest.param(
            ForgettingSettings(policy=name),
            id=name,
            marks=() if name in AT_EVERY_CHANGE else only_long,
        )
        for name in BY_ACCESS
    ],
)


@every_policy
@pytest.mark.parametrize(
    ("said", "learnt_by"), [(ALLERGIC, Extractor.RULES), (STAMPS, Extractor.MODEL)]
)
async def test_a_fact_said_on_four_days_lasts(rig: Rig, said: str, learnt_by: Extractor) -> None:
    rig.model.present = learnt_by is Extractor.MODEL
    rig.model.answers = [learnt(item("Ann collects stamps of islands", 1))]
    for day in (*range(21), 30, 40, 50, 60):
        if day in DAYS:
            await rig.tell(day, said)
        await night(rig, day)
    (fact,) = [each for each in await rig.learnt() if each.standing.status is Status.LIVE]
    assert fact.extractor is learnt_by
    assert len(fact.origin.turns) == len(DAYS)


async def test_a_repetition_counts_once_however_often_its_work_is_done(rig: Rig) -> None:
    rig.model.present = False
    await rig.tell(0, ALLERGIC)
    await night(rig, 0)
    (before,) = await rig.learnt()
    await rig.tell(2, ALLERGIC)
    at = rig.clock.at
    await night(rig, 2)
    (after,) = await rig.learnt()
    assert after.vitality.strength == before.vitality.strength + 1
    assert at - 5 < after.vitality.last_recalled_at <= at
    assert len(linked(after, CORROBORATES)) == 1
    episode = (await rig.journal.turn(max(after.origin.turns))).episode
    extraction, closed = await rig.journal.extraction(episode), await rig.journal.episode(episode)
    assert extraction is not None
    assert closed is not None
    for _ in range(2):
        applied = await rig.engine.jobs.capture.apply(extraction, closed)
        assert applied.repeated == {after.id}
    assert await rig.learnt() == [after]


async def test_a_model_that_leaves_out_what_is_known_does_not_lose_its_repetition(rig: Rig) -> None:
    await rig.keep("Ann is allergic to peanuts", ANNS, about=("Ann",))
    await rig.tell(0, f"{ALLERGIC}, by the way. How are you?")
    await rig.learn(learnt())
    known = await rig.store.get("m1")
    assert (known.vitality.strength, known.vitality.useful_count) == (5, 1)
    assert len(linked(known, CORROBORATES)) == 1


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann is not allergic to peanuts", ALLERGIC),
        ("Ann was allergic to peanuts, once", ALLERGIC),
        ("Ann's mother is allergic to peanuts", ALLERGIC),
        ("Ann has 2 dogs called Rex and Max", "I have 3 dogs called Rex and Max"),
        ("Ann is allergic to peanuts", "Am I allergic to peanuts?"),
        ("Ann is allergic to peanuts", "Translate: I am allergic to peanuts"),
        ("用户不吃香菜", "我吃香菜"),
        ("用户的妈妈对花生过敏", "我对花生过敏"),
    ],
)
async def test_what_says_something_else_repeats_nothing(rig: Rig, known: str, said: str) -> None:
    await rig.keep(known, ANNS, about=("Ann",), created_at=START - DAY)
    await rig.tell(0, said)
    await rig.learn(learnt())
    assert not linked(await rig.store.get("m1"), CORROBORATES)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ann对花生过敏", "我对花生过敏！"),
        ("用户对花生过敏", "跟你说一下，我对花生过敏"),
        ("Ann likes green tea", "I really like green tea. Do you?"),
    ],
)
async def test_the_person_it_is_told_in_does_not_matter(rig: Rig, known: str, said: str) -> None:
    await rig.keep(known, ANNS, about=("Ann",), created_at=START - DAY)
    await rig.tell(0, said)
    await rig.learn(learnt())
    assert len(linked(await rig.store.get("m1"), CORROBORATES)) == 1


async def test_what_the_bot_says_again_corroborates_nothing(rig: Rig) -> None:
    await rig.keep("Ann keeps bees", ANNS, created_at=START - DAY)
    await rig.tell(0, "Hello there, old friend", reply="Ann keeps bees")
    await rig.learn(learnt(item("Ann keeps bees", 2)))
    assert not linked(await rig.store.get("m1"), CORROBORATES)


@pytest.mark.parametrize("user", ["901", "902"])
async def test_in_a_group_a_person_repeats_only_themselves(rig: Rig, user: str) -> None:
    await rig.keep(ALLERGIC, GROUP, created_at=START - DAY, speaker=Speaker("901", "Ann"))
    await rig.say(GROUP, ALLERGIC, by=Speaker(user, "Ann"))
    await rig.learn(learnt())
    known = await rig.store.get("m1")
    assert bool(linked(known, CORROBORATES)) is (user == "901")


async def test_a_raw_turn_said_again_lasts_though_nothing_was_learnt_from_it(rig: Rig) -> None:
    for day in (*range(12), 20, 30, 39):
        if day in (0, 5, 10):
            await rig.tell(day, "My bicycle has a green saddle")
        rig.model.answers = [learnt()]
        await night(rig, day)
    raw = await rig.memories(Kind.EVIDENCE)
    assert [memory.standing.status for memory in raw].count(Status.LIVE) == 1
    assert all(len(memory.origin.turns) == 1 for memory in raw)


async def test_a_fact_often_said_is_found_among_all_its_raw_turns(rig: Rig) -> None:
    rig.model.present = False
    for day in range(12):
        await rig.tell(day, ALLERGIC)
        await night(rig, day)
    assert len(await rig.learnt()) == 1


async def test_a_memory_that_says_only_what_was_asked_gets_no_verdict(rig: Rig) -> None:
    about = ("Ann",)
    await rig.keep("Ann keeps bees behind the chapel", ANNS, about=about)
    await rig.keep("Ann keeps bees and hens behind the chapel", ANNS, id="m2", about=about)
    await rig.exchange(ANNS, "Do I keep bees behind the chapel?", "Indeed you do")
    await rig.learn(learnt(useful=None))
    assert await rig.journal.verdict_counts() == (0, 1)
    assert (await rig.store.get("m1")).vitality.judged == ()


@pytest.mark.parametrize("fitted", [FITTED])
async def test_only_turns_with_an_answer_are_judged(rig: Rig) -> None:
    await rig.keep("Ann's hives stand behind the chapel", ANNS)
    await rig.exchange(ANNS, "Lovely weather today, is it not", "Yes")
    seq = await rig.say(ANNS, "Where are the hives?", Role.USER)
    assert (await rig.ask(ANNS, "Where are the hives?", turn=seq)).memories
    await rig.learn(learnt(useful=[]))
    assert await rig.journal.verdict_counts() == (0, 0)
