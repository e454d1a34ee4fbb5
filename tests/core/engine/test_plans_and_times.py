"""From what was said to the answer: plans on their day, days by what happened then, events."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.model.knowledge import Event, EventType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import DisplaySettings
from astrbot_plugin_tidemark.core.sleep.steps.enrichment import Events

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS, BENS, DAY

NEXT_DAY = ["明天有什么安排", "明天我有什么计划？", "what is planned for tomorrow"]
fitted = pytest.fixture(lambda: FITTED)

changes = pytest.fixture(lambda: {"display": DisplaySettings(timezone="Asia/Shanghai")})


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


HERE = ZoneInfo("Asia/Shanghai")
"""The first turn is said on Sunday, 15 June 2025, in the evening."""


async def asked_in_july(rig: Rig, question: str) -> str:
    await rig.embedded()
    rig.clock.at = datetime(2025, 7, 2, 9, tzinfo=HERE).timestamp()
    return (await rig.ask(ANNS, question)).block


async def test_a_raw_turn_tells_which_week_the_next_one_was(rig: Rig) -> None:
    await rig.say(ANNS, "my sister Jo is coming to stay next week")
    await rig.settle()
    block = await asked_in_july(rig, "when is Jo coming to stay?")
    assert "stay next week (2025-06-16 – 2025-06-22)" in block


async def test_what_a_model_learnt_with_such_a_word_tells_it_too(rig: Rig) -> None:
    await rig.say(ANNS, "我老公明天出差去西安，下周才回来")
    await rig.learn(learnt(item("Ann的老公明天出差去西安，下周回来", kind="episodic")))
    block = await asked_in_july(rig, "我老公什么时候去的西安")
    assert "2025-06-16" in block.split("明天")[0]
    assert "（2025-06-16" not in block


async def test_the_page_about_a_person_tells_it(rig: Rig) -> None:
    await rig.say(ANNS, "我哥下个月结婚")
    await rig.learn(learnt(item("Ann的哥哥下个月结婚", slot="brother_wedding", value="下个月")))
    page = await rig.engine.profiles.text(ANNS, ANNS.subject, "zh")
    assert "下个月（2025-07-01 – 2025-07-31）" in page


async def test_a_turn_whose_plan_was_put_off_says_so(rig: Rig) -> None:
    await rig.say(ANNS, "约了牙医周四上午拔智齿，在口腔医院三楼")
    plan = {"kind": "plan", "happened_at": "2025-06-19"}
    await rig.learn(learnt(item("Ann周四上午约了牙医拔智齿，在口腔医院三楼", 1, **plan)))
    await rig.say(ANNS, "牙医改到周五了")
    moved = item("Ann约的牙医改到周五", 1, kind="plan", happened_at="2025-06-20", updates=1)
    await rig.learn(learnt(moved))
    block = await asked_in_july(rig, "牙医拔智齿是在口腔医院几楼")
    [line] = [each for each in block.splitlines() if "三楼" in each and "原话" in each]
    assert "后来改到2025-06-20" in line


async def test_what_is_told_of_one_event_at_two_times_is_one_event_and_anothers_is_not(
    rig: Rig,
) -> None:
    bought, ill = Event("", EventType.PURCHASE), Event("", EventType.ILLNESS)
    told: list[Event | None] = []
    for text, scope, event in (
        ("Ann bought a red bike yesterday", ANNS, bought),
        ("Ann caught a cold", ANNS, ill),
        ("The red bike Ann bought yesterday is fast", ANNS, bought),
        ("Ben bought a red bike yesterday", BENS, bought),
    ):
        kept = await rig.keep(text, scope, kind=Kind.EPISODIC, event=event, id=f"b{len(told)}")
        known = (await Events(rig.store, rig.journal.id).told(kept)).event
        await rig.store.amend([kept.id], partial(replace, event=known))
        told.append(known)
    bike, cold, again, bens = told
    assert bike == again
    assert len({bike, cold, bens}) == 3


async def test_done_again_it_is_the_same_event(rig: Rig) -> None:
    bought = Event("", EventType.PURCHASE)
    first = await rig.keep("I bought a red bike", ANNS, kind=Kind.EPISODIC, event=bought)
    events = Events(rig.store, rig.journal.id)
    once, again = await events.told(first), await events.told(first)
    assert once == again
    assert await events.told(once) == once
