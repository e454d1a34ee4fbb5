"""What was said of "next week" is read weeks later with the days that it meant."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.settings import DisplaySettings

from ...kit import item, learnt
from ...rig import Rig
from ...samples import ANNS

HERE = ZoneInfo("Asia/Shanghai")
"""The first turn is said on Sunday, 15 June 2025, in the evening."""


@pytest.fixture
def changes() -> dict[str, object]:
    return {"display": DisplaySettings(timezone="Asia/Shanghai")}


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
