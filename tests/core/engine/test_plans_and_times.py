"""From what was said to the answer: plans are found on their day, days by what happened then."""

import pytest
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.recall.trace import Leg
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

DAY = 86_400.0
NEXT_DAY = ["明天有什么安排", "明天我有什么计划？", "what is planned for tomorrow"]


@pytest.fixture
def fitted() -> Fitted:
    return FITTED


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone="Asia/Shanghai")}


async def planned(rig: Rig, text: str) -> Memory:
    await rig.say(ANNS, text)
    learnt_all = await rig.learn(learnt(item(text, 1, kind="prospective")))
    await rig.embedded()
    (plan,) = [memory for memory in learnt_all if memory.kind is Kind.PROSPECTIVE]
    return plan


@pytest.mark.parametrize("question", NEXT_DAY)
@pytest.mark.parametrize("text", ["明天下午三点开会", "Board meeting at 3pm tomorrow"])
async def test_a_plan_for_tomorrow_is_found_by_that(rig: Rig, text: str, question: str) -> None:
    plan = await planned(rig, text)
    # Noon of the 15th is 20:00 in Shanghai; the 16th, 15:00 there, is 07:00 UTC.
    assert plan.happened_at - plan.created_at == pytest.approx(15.9 * 3600, abs=1800)
    await rig.keep("Ann keeps goats", ANNS)
    recalled = await rig.ask(ANNS, question)
    assert [memory.text for memory in recalled.memories] == [text]


async def test_the_day_after_it_is_what_happened_yesterday(rig: Rig) -> None:
    await planned(rig, "明天下午三点开会")
    rig.clock.at += 2 * DAY
    assert "明天下午三点开会" not in await rig.texts(ANNS, "明天有什么安排")
    assert "明天下午三点开会" in await rig.texts(ANNS, "昨天有什么安排")


async def test_what_was_talked_about_yesterday_is_found_unlearnt(rig: Rig) -> None:
    await rig.say(ANNS, "我的山羊生病了")
    await rig.say(ANNS, "屋顶又漏水了")
    await rig.settle()
    rig.clock.at += DAY
    recalled = await rig.ask(ANNS, "昨天我们聊了什么")
    assert [memory.text for memory in recalled.memories] == ["屋顶又漏水了", "我的山羊生病了"]


async def test_chit_chat_with_a_time_in_it_brings_up_nothing(rig: Rig) -> None:
    await rig.keep("The goats are ill", ANNS)
    for text in (
        "今天天气真好",
        "你今天在干嘛呢",
        "What are you doing today?",
        "See you tomorrow!",
    ):
        assert await rig.texts(ANNS, text) == []


async def test_with_the_embedder_down_times_are_still_found(rig: Rig) -> None:
    await planned(rig, "明天下午三点开会")
    rig.embedder.down = True
    recalled = await rig.ask(ANNS, "明天有什么安排")
    assert [memory.text for memory in recalled.memories] == ["明天下午三点开会"]
    assert {hit.leg for c in recalled.trace.candidates for hit in c.hits} == {Leg.TIME}
