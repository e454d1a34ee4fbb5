"""Intentions: a dated plan is marked while it is said; what became of it a model says."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.knowledge import Intention, IntentionStatus, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...kit import item, learnt
from ...rig import Rig, drops
from ...samples import ANNS, DAY, GROUP
from ...strength import strength

changes = pytest.fixture(lambda: {"display": DisplaySettings(timezone="Asia/Shanghai")})


async def intentions(rig: Rig) -> list[Memory]:
    return await rig.memories(Kind.PROSPECTIVE)


async def say(rig: Rig, text: str, scope: Scope = ANNS) -> list[Memory]:
    """The intentions there are once it has been said."""
    await rig.say(scope, text)
    await rig.settle()
    return await intentions(rig)


async def test_learning_later_adds_no_second_one_and_tells_it_better_once(rig: Rig) -> None:
    [marked] = await say(rig, "我打算下周去做个体检")
    better = item("Ann 打算 2025-06-16 那一周去医院做体检", 1, kind="prospective", intention="plan")
    await rig.learn(learnt(better))
    [told] = await intentions(rig)
    assert told.id == marked.id
    assert (told.text, told.extractor) == (better["text"], Extractor.MODEL)
    await rig.learn(learnt(better) | {"again": [1]})
    [plan] = await intentions(rig)
    assert (plan.id, plan.text) == (marked.id, better["text"])


async def test_what_learning_or_rules_find_again_adds_nothing(rig: Rig) -> None:
    rig.model.present = False
    [marked] = await say(rig, "我打算下周去做个体检")
    await rig.learn()
    await rig.sleep(patience=20.0)
    assert await intentions(rig) == [marked]
    [marked] = await say(rig, "我打算下周去做个体检")
    await rig.learn(learnt())
    assert [each.id for each in await intentions(rig)] == [marked.id]


async def test_what_is_reported_done_is_closed_with_its_time_and_by_whom(rig: Rig) -> None:
    [plan] = await say(rig, "我打算下周去做个体检")
    await rig.learn(learnt())
    rig.clock.at += 8 * DAY
    await say(rig, "体检做完了，一切正常")
    await rig.learn(learnt() | {"done": [1]})
    over = (await rig.store.get(plan.id)).intention
    assert (over.status, over.closed_at) == (IntentionStatus.CLOSED, rig.clock.at)
    entries = await rig.journal.audit_of(plan.id)
    assert [(each.action, each.by) for each in entries][-1] == ("closed", "learning")


async def test_who_calls_every_plan_done_has_named_those_that_are_spoken_of(rig: Rig) -> None:
    for said in ("我打算下周去做个体检", "我打算下周去看画展", "我打算下周把车送去保养"):
        await say(rig, said)
        await rig.learn(learnt())
    rig.clock.at += 8 * DAY
    await say(rig, "体检做完了，给我讲个笑话")
    await rig.learn(learnt() | {"done": [1, 2, 3]})
    over = [
        each.text for each in await intentions(rig) if each.intention and each.intention.closed_at
    ]
    assert len(over) == 1
    assert "体检" in over[0]


TELLINGS = (
    ("也许我可以做个讲家乡小吃的播客", "Ann 想做一个讲家乡小吃的播客"),
    ("老想着录一档聊吃喝的播客", "Ann 想录一档聊吃喝的播客"),
    ("说不定该买个麦克风，播客就聊老家的味道", "Ann 考虑买麦克风聊老家的味道"),
    ("还是想把小吃背后的故事录下来", "Ann 想把小吃背后的故事录下来"),
)


async def test_an_idea_told_again_in_other_words_counts_and_becomes_a_fact(rig: Rig) -> None:
    for number, (said, told) in enumerate(TELLINGS):
        await say(rig, said)
        again = {"again": [1]} if number else {}
        await rig.learn(learnt(item(told, 1, kind="prospective", intention="idea")) | again)
        rig.clock.at += DAY
    [idea] = await intentions(rig)
    assert idea.text == TELLINGS[0][1]
    assert (idea.intention.status, idea.intention.confirmed) == (IntentionStatus.REFERENCED, 3)
    facts = await rig.memories(Kind.SEMANTIC)
    assert [(each.text, each.intention) for each in facts] == [(idea.text, None)]


async def test_in_a_group_nobody_reports_what_another_means_to_do(rig: Rig) -> None:
    [plan] = await say(rig, "我打算下周做体检", GROUP)
    raw = replace(plan, id="0" * 36, speaker=Speaker("someone else", "Ben"), text="别人打算做体检")
    await rig.store.purge([plan.id])
    await rig.store.put([raw])
    await say(rig, "体检做完了", GROUP)
    await rig.learn(learnt() | {"done": [1]})
    left = await rig.store.get(raw.id)
    assert left.intention.pending


async def test_what_is_over_is_shown_with_its_end_if_the_past_is_asked_for(rig: Rig) -> None:
    plan = await travelled(rig)
    recalled = await rig.ask(ANNS, "我以前打算去云南旅游吗")
    assert plan.id in [memory.id for memory in recalled.memories]
    assert "2025-06-25 已完成" in recalled.block
    plan = await travelled(rig)
    rig.clock.at += 390 * DAY
    recalled = await rig.ask(ANNS, "我打算去云南旅游吗")
    assert plan.id in [memory.id for memory in recalled.memories]
    (line,) = [each for each in recalled.block.splitlines() if "打算" in each and "云南" in each]
    assert "done by" in line or "已完成" in line


async def travelled(rig: Rig) -> Memory:
    """A plan told and, ten days later, said to be done."""
    await say(rig, "我打算下周去云南旅游")
    await rig.learn(learnt())
    rig.clock.at += 10 * DAY
    await say(rig, "我们从云南旅游回来了")
    await rig.learn(learnt() | {"done": [1]})
    await rig.embedded()
    [plan] = await intentions(rig)
    return plan


async def test_what_was_marked_a_moment_ago_is_not_told_to_who_still_reads_it(rig: Rig) -> None:
    await say(rig, "我打算下周去云南旅游")
    await rig.embedded()
    seq = await rig.say(ANNS, "云南旅游要带什么")
    text = "云南旅游要带什么"
    seen = await rig.ask(ANNS, text, turn=seq, history=["我打算下周去云南旅游"])
    [plan] = await intentions(rig)
    assert drops(seen)[plan.id] is Drop.IN_CONTEXT
    unseen = await rig.ask(ANNS, text, turn=seq)
    assert plan.id in [memory.id for memory in unseen.memories]


IDEA = {"kind": Kind.PROSPECTIVE, "intention": Intention(IntentionType.IDEA)}


async def test_an_idea_counts_when_it_is_told_in_another_language_among_others(rig: Rig) -> None:
    idea = "Ann is considering swapping the car for a cargo bike"
    for text in ("想学吉他", "想养只鹦鹉", "想换个键盘", "想给阳台装个灯", "想去冰岛", "想练书法"):
        await rig.keep(f"Ann {text}", ANNS, id=str(uuid4()), **IDEA)
    await rig.keep(idea, ANNS, **IDEA)
    await rig.embedded()
    await say(rig, "载货自行车替掉汽车，好像真行")
    await rig.learn()
    assert idea in rig.model.judging[-1].user


FACT = "Ann 每周二上钢琴课"


@pytest.mark.parametrize("verdict", ["changed", "given_up", "wrong"])
async def test_a_fact_that_is_overturned_comes_back_as_a_question(rig: Rig, verdict: str) -> None:
    fact = await known_and_overturned(rig, verdict, "钢琴课先不上了")
    [question] = await intentions(rig)
    assert question.intention.type is IntentionType.QUESTION
    assert FACT in question.text
    left = await rig.store.get(fact.id)
    assert left.successor.memory == question.id
    assert left.recallable is (verdict != "wrong")


async def test_nothing_that_was_said_overturns_nothing(rig: Rig) -> None:
    fact = await known_and_overturned(rig, "changed", "今天下雨了")
    assert (await rig.store.get(fact.id)).successor is None
    assert await intentions(rig) == []


async def known_and_overturned(rig: Rig, verdict: str, said: str) -> Memory:
    """A fact that was shown for what is said, and is so no longer as far as a model can tell."""
    fact = await rig.keep(FACT, ANNS, speaker=Speaker(ANNS.subject, "Ann"))
    await rig.embedded()
    await rig.exchange(ANNS, "钢琴课是周几？", "周二")
    await say(rig, said)
    await rig.learn(learnt() | {verdict: [1]})
    return fact


DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("said_intentions.json").read_text("utf-8")
)
CASES: dict[str, dict[str, Any]] = {each["said"]: each for each in DATA["cases"]}
SAID_ON = datetime.fromisoformat(DATA["said_on"])
ENDS = {"done": (IntentionStatus.CLOSED, False), "dropped": (IntentionStatus.CLOSED, True)}
ENDS |= {"again": (IntentionStatus.REFERENCED, False)}


async def told(rig: Rig, text: str, *facts: Any, verdict: str = "") -> list[Memory]:
    """The intentions that can be recalled once an episode has said this, and the model that."""
    await rig.say(ANNS, text)
    await rig.settle()
    judged = {{"dropped": "given_up"}.get(verdict, verdict): [1]} if verdict else {}
    rig.model.answers = [{"facts": facts, "memories": []} | judged]
    await rig.pass_time()
    return [each for each in await rig.memories(Kind.PROSPECTIVE) if each.recallable]


@pytest.mark.parametrize("said", list(CASES)[:: strength(3, 1)])
async def test_it_is_kept_as_what_it_is_and_becomes_what_is_said_of_it(rig: Rig, said: str) -> None:
    case = CASES[said]
    rig.clock.at = SAID_ON.timestamp()
    [kept] = await told(rig, said, case["reply"])
    expected = case["kept"] or case["reply"]["fact"], case["reply"]["kind"]
    assert (kept.text, kept.intention.type) == expected
    due = kept.intention.due_at
    day = due and datetime.fromtimestamp(due, ZoneInfo("Asia/Shanghai")).date().isoformat()
    assert day == case["due"]
    if not case["later"]:
        return
    rig.clock.at += 9 * DAY
    left = await told(rig, case["later"], verdict=case["ends"])
    after = (await rig.store.get(kept.id)).intention
    assert (after.status, after.given_up) == ENDS[case["ends"]]
    overturned = (case["reply"]["kind"], case["ends"]) == ("decision", "dropped")
    asked = [each.text for each in left if each.id != kept.id]
    assert [kept.text in each for each in asked] == [True] * overturned
