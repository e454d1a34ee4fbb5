"""Intentions: marked while they are said, closed by reports, not recalled once they are over."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.intentions import IntentionStatus, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Extractor, Kind, Memory
from astrbot_plugin_tidemark.core.recall.trace import Drop
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...kit import item, learnt
from ...rig import Rig, drops
from ...samples import ANNS

DAY = 86_400.0
GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone="Asia/Shanghai")}


async def intentions(rig: Rig) -> list[Memory]:
    return await rig.memories(Kind.PROSPECTIVE)


async def say(rig: Rig, text: str, scope: Scope = ANNS) -> list[Memory]:
    """The intentions there are once it has been said."""
    await rig.say(scope, text)
    await rig.settle()
    return await intentions(rig)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("我打算下周去做个体检", IntentionType.PLAN),
        ("我决定年底搬家", IntentionType.DECISION),
        ("从今天起我们改用PostgreSQL", IntentionType.DECISION),
        ("我还没想好去哪个城市工作", None),
        ("我一直拿不准换工作的时机", IntentionType.QUESTION),
        ("我觉得可以试试用向量检索代替关键词", IntentionType.IDEA),
        ("我突然意识到认知负荷才是瓶颈", IntentionType.INSIGHT),
        ("I plan to visit Kyoto in spring", IntentionType.PLAN),
        ("I decided to quit my job", IntentionType.DECISION),
        ("I'm not sure whether to move to Lyon", IntentionType.QUESTION),
        ("I had an idea for a poetry recommender", IntentionType.IDEA),
        ("I realised that sleep matters more than training", IntentionType.INSIGHT),
        ("今天天气真好", None),
        ("I went home", None),
    ],
)
async def test_an_intention_is_marked_while_it_is_said(
    rig: Rig, text: str, sort: IntentionType | None
) -> None:
    found = await say(rig, text)
    assert [each.intention.type for each in found if each.intention] == ([sort] if sort else [])


async def test_learning_later_adds_no_second_one_and_tells_it_better(rig: Rig) -> None:
    [marked] = await say(rig, "我打算下周去做个体检")
    better = item("Ann 打算 2025-06-16 那一周去医院做体检", 1, kind="prospective", intention="plan")
    await rig.learn(learnt(better))
    [told] = await intentions(rig)
    assert told.id == marked.id
    assert (told.text, told.extractor) == (better["text"], Extractor.MODEL)


async def test_the_rules_learning_the_same_add_no_second_one(rig: Rig) -> None:
    rig.model.present = False
    [marked] = await say(rig, "我打算下周去做个体检")
    await rig.learn()
    await rig.engine.sleep(patience=20.0)
    assert await intentions(rig) == [marked]


async def test_what_learning_forgets_stays_marked(rig: Rig) -> None:
    [marked] = await say(rig, "我打算下周去做个体检")
    await rig.learn(learnt())
    assert [each.id for each in await intentions(rig)] == [marked.id]


async def test_a_report_closes_the_plan_and_says_when_and_by_what(rig: Rig) -> None:
    [plan] = await say(rig, "我打算下周去做个体检")
    rig.clock.at += 8 * DAY
    await say(rig, "体检做完了，一切正常")
    over = (await rig.store.get(plan.id)).intention
    assert over is not None
    assert (over.status, over.closed_at) == (IntentionStatus.CLOSED, rig.clock.at)
    [report] = [m for m in await rig.memories(Kind.EVIDENCE) if m.id == over.closed_by]
    assert report.text == "体检做完了，一切正常"
    assert [entry.action for entry in await rig.journal.audit_of(plan.id)] == ["created", "closed"]


async def test_a_cancelled_trip_is_given_up(rig: Rig) -> None:
    [plan] = await say(rig, "I'm planning to go on a trip to Kyoto")
    await say(rig, "we cancelled the Kyoto trip")
    over = (await rig.store.get(plan.id)).intention
    assert over is not None
    assert over.given_up


async def test_a_report_that_fits_two_plans_closes_none_and_both_are_named(rig: Rig) -> None:
    await say(rig, "我打算下周做体检")
    await say(rig, "我准备年底带全家做体检")
    plans = await say(rig, "体检做完了")
    assert len(plans) == 2
    assert all(plan.intended and plan.intended.pending for plan in plans)
    for plan in plans:
        entry = (await rig.journal.audit_of(plan.id))[-1]
        assert entry.action == "unclear"
        assert {other.id for other in plans if other.id in entry.detail} == {
            other.id for other in plans if other.id != plan.id
        }


async def test_in_a_group_nobody_reports_what_another_means_to_do(rig: Rig) -> None:
    [plan] = await say(rig, "我打算下周做体检", GROUP)
    raw = replace(plan, id="0" * 36, speaker=Speaker("someone else", "Ben"), text="别人打算做体检")
    await rig.store.purge([plan.id])
    await rig.store.put([raw])
    [left] = await say(rig, "体检做完了", GROUP)
    assert left.intended is not None
    assert left.intended.pending


async def test_the_model_closes_by_number_what_the_episode_reports(rig: Rig) -> None:
    await say(rig, "我打算下周去做个体检")
    await rig.learn(learnt())
    await say(rig, "医院那边都查过了，关于体检的事了结了")
    reply = learnt() | {"done": [1]}
    await rig.learn(reply)
    [plan] = await intentions(rig)
    assert plan.intention is not None
    assert plan.intention.status is IntentionStatus.CLOSED
    assert "体检" in rig.model.prompts[-1].user


@pytest.mark.parametrize("number", [0, 2, 99, "1", True, None, [1]])
async def test_a_number_that_was_not_shown_closes_nothing(rig: Rig, number: object) -> None:
    await say(rig, "我打算下周去做个体检")
    await rig.learn(learnt())
    await say(rig, "关于体检的事")
    await rig.learn(learnt() | {"done": [number]})
    [plan] = await intentions(rig)
    assert plan.intended is not None
    assert plan.intended.pending


async def test_a_plan_of_400_days_ago_that_was_reported_done_is_shown_as_done(rig: Rig) -> None:
    [plan] = await say(rig, "我打算去云南旅游")
    await rig.learn(learnt())
    rig.clock.at += 10 * DAY
    await say(rig, "我们从云南回来了")
    await rig.embedded()
    rig.clock.at += 390 * DAY
    recalled = await rig.ask(ANNS, "我打算去云南旅游吗")
    assert plan.id in [memory.id for memory in recalled.memories]
    (line,) = [each for each in recalled.block.splitlines() if "打算去云南" in each]
    assert "done by" in line or "已完成" in line


async def test_what_is_over_is_shown_with_its_end_if_the_past_is_asked_for(rig: Rig) -> None:
    [plan] = await say(rig, "我打算去云南旅游")
    await rig.learn(learnt())
    rig.clock.at += 10 * DAY
    await say(rig, "我们从云南回来了")
    await rig.embedded()
    recalled = await rig.ask(ANNS, "我以前打算去云南旅游吗")
    assert plan.id in [memory.id for memory in recalled.memories]
    assert "2025-06-25 已完成" in recalled.block


async def test_what_was_marked_a_moment_ago_is_not_told_to_who_still_reads_it(rig: Rig) -> None:
    await say(rig, "我打算去云南旅游")
    await rig.embedded()
    seq = await rig.say(ANNS, "云南旅游要带什么")
    text = "云南旅游要带什么"
    seen = await rig.ask(ANNS, text, turn=seq, history=["我打算去云南旅游"])
    [plan] = await intentions(rig)
    assert drops(seen)[plan.id] is Drop.IN_CONTEXT
    unseen = await rig.ask(ANNS, text, turn=seq)
    assert plan.id in [memory.id for memory in unseen.memories]


async def test_what_is_said_again_is_referenced(rig: Rig) -> None:
    await say(rig, "我打算去云南旅游")
    await rig.learn(learnt())
    rig.clock.at += 3 * DAY
    await say(rig, "我打算去云南旅游")
    await rig.learn(learnt())
    [plan] = await intentions(rig)
    assert plan.intention is not None
    assert plan.intention.status is IntentionStatus.REFERENCED
    assert plan.intention.confirmed == 1
