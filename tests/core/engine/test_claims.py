"""What holds of a person, through a real engine: told, changed, corrected, kept for a year."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.lifecycle import DAY
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Status
from astrbot_plugin_tidemark.core.settings import ForgettingSettings

from ...kit import item, learnt
from ...rig import START, Rig
from ...samples import ANNS, GROUP

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


@pytest.mark.parametrize(
    ("said", "meant", "wrong", "right"),
    [
        ("I live in Lyon", "Wrong, it's Paris", "Lyon", "Paris"),
        ("我住在苏州", "不对，是杭州", "苏州", "杭州"),
        ("我住在苏州", "说错了，我住在杭州", "苏州", "杭州"),
    ],
)
async def test_what_is_corrected_at_once_is_not_learnt(
    rig: Rig, said: str, meant: str, wrong: str, right: str
) -> None:
    rig.model.present = False
    await tell(rig, 0, said, meant)
    known = await facts(rig)
    assert wrong not in known
    assert known[right].holds
    assert known[right].created_at > START


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
