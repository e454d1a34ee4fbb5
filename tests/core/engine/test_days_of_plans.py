"""A plan belongs to its day, and one that was moved to its new day, however it is asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_tidemark.core.scoring.decision import Fitted
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.settings import DisplaySettings, LearningSettings

from ...rig import Rig
from ...samples import ANNS, DAY

NOON = datetime(2026, 6, 15, 12, tzinfo=ZoneInfo("Asia/Shanghai")).timestamp()


@pytest.fixture
def changes() -> dict[str, object]:
    return {
        "learning": LearningSettings(extractor="rules"),
        "display": DisplaySettings(timezone="Asia/Shanghai"),
    }


@pytest.fixture(params=[True, False], ids=["decided", "everything found"])
def fitted(request: pytest.FixtureRequest, fitted: Fitted) -> Fitted:
    return FITTED if request.param else fitted


@dataclass(frozen=True)
class Life:
    """What was said at first and, after some days, later; and a question a day after that."""

    first: Sequence[str]
    days: float
    later: str
    asked: str

    async def block(self, rig: Rig) -> str:
        rig.clock.at = NOON
        for text in self.first:
            await rig.exchange(ANNS, text, "好")
        await rig.pass_time(self.days * DAY)
        await rig.exchange(ANNS, self.later, "好")
        await rig.pass_time(DAY)
        await rig.learn()
        await rig.embedded()
        return (await rig.ask(ANNS, self.asked)).block


@pytest.mark.parametrize(
    ("told", "asked", "word"),
    [
        ("今晚八点我有个会", "今晚我有安排吗？", "八点"),
        ("今晚要和老王吃饭", "今晚我有什么安排", "老王"),
        ("明天我要去面试", "明天有什么安排？", "面试"),
        ("I have a meeting at 8 tonight", "what am I doing tonight?", "meeting"),
        ("I'm seeing the dentist tomorrow", "do I have anything on tomorrow?", "dentist"),
        ("昨天我去爬山了", "昨天我干嘛了？", "爬山"),
    ],
)
async def test_the_time_of_another_day_is_none(rig: Rig, told: str, asked: str, word: str) -> None:
    assert word not in await Life([told], 20, "在吗", asked).block(rig)


async def test_what_shares_more_than_a_time_is_shown_with_its_day(rig: Rig) -> None:
    life = Life(["明天我要去协和医院体检"], 20, "在吗", "明天去协和医院要带什么？")
    assert "协和" in await life.block(rig)


@pytest.mark.parametrize(
    ("told", "asked", "word"),
    [
        ("I have a job interview tomorrow", "When was my job interview?", "interview"),
        ("明天我要去面试", "我哪天面试的？", "面试"),
        ("下周三我要飞东京", "我是哪天飞的东京？", "东京"),
    ],
)
async def test_a_past_plan_is_found_by_matter(rig: Rig, told: str, asked: str, word: str) -> None:
    assert word in await Life([told], 30, "hi", asked).block(rig)


@pytest.mark.parametrize(
    ("first", "later", "asked", "day", "old"),
    [
        (
            ["聚会是6月29日", "6月29日的聚会我带蛋糕", "6月29日的聚会几点来着"],
            "聚会改到7月5日了",
            "聚会是哪天？",
            "7月5日",
            "6月29日",
        ),
        (
            ["The party is on June 29", "I'll bring a cake to the party on June 29"],
            "The party got moved to July 5",
            "When is the party?",
            "July 5|07-05",
            "June 29|the 29th",
        ),
        (
            ["The offsite is on June 29", "what should I pack for the offsite on the 29th?"],
            "The offsite has been moved to July 5",
            "what day is the offsite?",
            "July 5|07-05",
            "June 29|the 29th",
        ),
    ],
)
async def test_what_was_moved_is_told_at_its_new_day(
    rig: Rig, first: list[str], later: str, asked: str, day: str, old: str
) -> None:
    """With the old day beside it."""
    block = await Life(first, 1, later, asked).block(rig)
    assert re.search(day, block), block
    assert re.search(old, block), block
