"""What holds of a person: told, changed, corrected, kept for a year, and said again."""

import pytest
from astrbot_plugin_tidemark.core.conflict.trust import CORROBORATES, linked
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory, Status
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import ForgettingSettings

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS, GROUP
from ...strength import only_long

forgetting = pytest.fixture(lambda: ForgettingSettings())


@pytest.fixture
def changes(forgetting: ForgettingSettings) -> dict[str, object]:
    return {"forgetting": forgetting}


async def tell(rig: Rig, day: float, *texts: str) -> None:
    await rig.tell(day, *texts)
    await rig.sleep(patience=20.0)


async def facts(rig: Rig) -> dict[str, Memory]:
    return {each.claim.value: each for each in await rig.learnt() if each.claim is not None}


@pytest.mark.parametrize(
    ("forgetting", "status"),
    [
        (ForgettingSettings(), Status.LIVE),
        (ForgettingSettings(keep_current=False), Status.BINNED),
        (ForgettingSettings(policy="tmd+"), Status.LIVE),
        (ForgettingSettings(policy="ebbinghaus"), Status.LIVE),
        (ForgettingSettings(policy="lru"), Status.LIVE),
    ],
)
async def test_an_allergy_told_once_is_there_after_a_year(rig: Rig, status: Status) -> None:
    rig.model.present = False
    await tell(rig, 0, "I am allergic to peanuts")
    for day in (*range(10, 60, 10), 365):
        rig.clock.at = START + day * DAY
        await rig.engine.sweeper.decay(rig.clock.at, frozenset({ANNS.key}))
    (allergy,) = (await facts(rig)).values()
    assert allergy.standing.status is status


async def test_what_was_replaced_fades_from_then_on(rig: Rig) -> None:
    rig.model.present = False
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 200, "I moved to Oslo")
    await rig.engine.sweeper.decay(START + 203 * DAY, frozenset({ANNS.key}))
    assert (await facts(rig))["Lyon"].standing.status is Status.LIVE
    await rig.engine.sweeper.decay(START + 260 * DAY, frozenset({ANNS.key}))
    known = await facts(rig)
    assert known["Lyon"].standing.status is Status.BINNED
    assert known["Oslo"].standing.status is Status.LIVE


async def test_a_change_is_told_in_one_line_whether_now_or_before_is_asked_for(rig: Rig) -> None:
    rig.model.present = False
    await tell(rig, 0, "I live in Lyon")
    await tell(rig, 100, "I moved to Oslo")
    for asked in ("Where do I live, in Lyon?", "Where did I live before, in Lyon?"):
        recalled = await rig.ask(ANNS, asked)
        assert [m.claim.value for m in recalled.memories if m.claim] == ["Oslo"]
        (line,) = [each for each in recalled.block.splitlines() if "moved to Oslo" in each]
        assert "(before that: Lyon, 2025-06-15 to 2025-09-23)" in line
        assert "no longer so" not in line


async def test_a_model_names_the_slot_or_leaves_it_out(rig: Rig) -> None:
    told = {"slot": "residence", "value": "Lyon", "over": False}
    await rig.exchange(ANNS, "My flat in Lyon is tiny", "Noted")
    await rig.learn(learnt({**item("Ann lives in Lyon", 1), **told}))
    rig.clock.at += DAY
    await rig.exchange(ANNS, "The fjord is right outside my window in Oslo", "Noted")
    await rig.learn(learnt({**item("Ann lives in Oslo", 1), **told, "value": "Oslo"}))
    rig.clock.at += DAY
    await rig.exchange(ANNS, "I saw a whale", "Noted")
    await rig.learn(learnt(item("Ann saw a whale", 1)))
    known = await facts(rig)
    assert {value: each.holds for value, each in known.items()} == {"Lyon": False, "Oslo": True}


async def test_a_story_of_the_past_told_later_does_not_come_before_what_is_so(rig: Rig) -> None:
    """The newest came first: old times in Karachi, told after the move to Toronto."""
    told = {"slot": "residence", "value": "Toronto", "over": False}
    await rig.exchange(ANNS, "We live in Toronto, the house with the blue door", "Noted")
    await rig.learn(learnt({**item("Ann lives in Toronto, behind a blue door", 1), **told}))
    rig.clock.at += 90 * DAY
    await rig.exchange(ANNS, "My cousin posted our street in Karachi, I lived there at four", "Ah")
    story = {"slot": "residence", "value": "Karachi", "over": True}
    await rig.learn(learnt({**item("Ann lived in Karachi when she was four", 1), **story}))
    recalled = await rig.ask(ANNS, "Where do I live?")
    assert recalled.memories[0].text == "Ann lives in Toronto, behind a blue door"
    assert "said before" not in recalled.block
    for line in recalled.block.splitlines():
        assert "lived in Karachi" not in line or "(formerly: Karachi)" in line


async def test_statements_that_are_only_alike_are_left_alone(rig: Rig) -> None:
    rig.model.present = False
    await tell(rig, 0, "I like green tea", "I like black tea", "I have two cats", "I have a dog")
    await rig.ask(ANNS, "What do I like, tea, cats or dogs?")
    await rig.settle()
    learnt_ones = await rig.learnt()
    assert all(each.successor is None for each in learnt_ones)
    assert {r.predicate for each in learnt_ones for r in each.relations} == set()


async def test_who_has_left_work_does_it_no_more(rig: Rig) -> None:
    rig.model.present = False
    await tell(rig, 0, "I work as a baker")
    rig.model.present = True
    rig.clock.at = START + 9 * DAY
    await rig.exchange(ANNS, "I quit my job at the bakery", "Noted")
    left = item("Ann has quit her job at the bakery", 1)
    await rig.learn(learnt({**left, "slot": "workplace", "value": "", "over": True}))
    assert not (await facts(rig))["baker"].holds
    rig.model.present = False
    await tell(rig, 20, "I work as a bookseller")
    told = await facts(rig)
    assert (told["baker"].holds, told["bookseller"].holds) == (False, True)


@pytest.mark.parametrize(
    ("said", "taught", "value"),
    [
        (
            "I will be starting at st lukes hospice on 4 july",
            "Ann is starting at St Lukes hospice on 4 July",
            "St Lukes hospice",
        ),
        ("我打算下周一去协和医院上班", "Ann下周一去协和医院上班", "协和医院"),
    ],
)
async def test_what_holds_is_not_laid_on_the_plan_that_was_told_with_it(
    rig: Rig, said: str, taught: str, value: str
) -> None:
    """A new workplace was kept with the plan to begin there, and went stale with it."""
    await rig.say(ANNS, said)
    await rig.settle()
    [plan] = await rig.memories(Kind.PROSPECTIVE)
    await rig.learn(learnt({**item(taught, 1), "slot": "workplace", "value": value, "over": False}))
    [held] = await rig.memories(Kind.SEMANTIC)
    assert (held.claim.attribute, held.claim.value) == ("workplace", value)
    [still] = await rig.memories(Kind.PROSPECTIVE)
    assert (still.id, still.claim) == (plan.id, None)


@pytest.mark.parametrize("how", ["corrects", "updates"])
@pytest.mark.parametrize("claimed", [True, False], ids=["with slots", "without"])
async def test_a_wrong_number_takes_no_other_matter_away(rig: Rig, how: str, claimed: bool) -> None:
    allergy = {"slot": "allergy", "value": "花生"} if claimed else {}
    await rig.say(ANNS, "我对花生过敏，有什么适合下班吃的？")
    await rig.learn(learnt(item("用户对花生过敏", 1, **allergy)))
    known = (await rig.memories(Kind.SEMANTIC, Kind.EPISODIC))[0]
    rig.clock.at += 60
    await rig.exchange(ANNS, "我搬到苏州了，花生过敏的人在那边吃什么", "松鼠鳜鱼")
    moved = {"slot": "residence", "value": "苏州"} if claimed else {}
    await rig.learn(learnt(item("用户搬到了苏州", 1, **{how: 1}, **moved)))
    assert (await rig.store.get(known.id)).successor is None
    assert any("花生" in text for text in await rig.texts(ANNS, "我对什么过敏？"))
    assert "用户搬到了苏州" in [memory.text for memory in await rig.memories()]
    every = await rig.memories()
    assert all(memory.successor is None for memory in every)


async def test_a_wrong_number_takes_no_other_person_away(rig: Rig) -> None:
    await rig.say(GROUP, "I keep my hives in Bath", by=Speaker("901", "Ann"))
    await rig.learn(learnt(item("Ann's hives are in Bath", 1)))
    rig.clock.at += 60
    text = "my hives are in Wells, where are yours, Bath?"
    seq = await rig.say(GROUP, text, by=Speaker("904", "Ben"))
    await rig.ask(GROUP, text, turn=seq)
    await rig.say(GROUP, "In Bath", Role.ASSISTANT)
    await rig.learn(learnt(item("Ben's hives are in Wells", 1, corrects=1)))
    assert all(memory.successor is None for memory in await rig.memories())


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
