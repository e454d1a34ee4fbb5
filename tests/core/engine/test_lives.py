"""Lives of several days, told in passing and learnt by rules alone: what holds at their end."""

import pytest
from astrbot_plugin_tidemark.core.settings import LearningSettings

from ...rig import Rig
from ...samples import ANNS

DAY = 86_400.0


@pytest.fixture
def changes() -> dict[str, object]:
    return {"learning": LearningSettings(extractor="rules", pace="prompt")}


async def live(rig: Rig, *days: tuple[str, ...]) -> set[tuple[str, str]]:
    for said in days:
        for text in said:
            await rig.say(ANNS, text)
        await rig.learn()
        rig.clock.at += 7 * DAY
    memories = await rig.learn()
    return {(m.claim.slot.split("\n")[0], m.claim.value) for m in memories if m.claim and m.holds}


async def test_a_medicine_that_was_changed_is_taken_no_more(rig: Rig) -> None:
    held = await live(
        rig,
        ("I'm on ramipril for my blood pressure", "I'm on metformin"),
        ("I've come off ramipril, I'm on losartan now",),
    )
    assert {value for slot, value in held if slot == "medication"} >= {"metformin", "losartan"}
    assert ("medication", "ramipril") not in await _affirmed(rig)


async def test_a_medicine_in_chinese_that_was_changed_is_taken_no_more(rig: Rig) -> None:
    await live(rig, ("我长期吃缬沙坦", "我在吃二甲双胍"), ("缬沙坦不用吃了，换成氨氯地平",))
    assert await _affirmed(rig) == {("medication", "二甲双胍"), ("medication", "氨氯地平")}


async def test_who_has_settled_in_a_new_house_lives_in_its_town(rig: Rig) -> None:
    held = await live(
        rig,
        ("I live in Leeds and work as a pharmacist at Boots",),
        ("we've moved! all settled in the new house in Otley",),
    )
    assert {value for slot, value in held if slot == "residence"} == {"Otley"}


async def test_who_lives_out_has_not_moved(rig: Rig) -> None:
    held = await live(rig, ("我在成都住",), ("我在外面住，没跟我妈一起",))
    assert held == {("residence", "成都")}


async def _affirmed(rig: Rig) -> set[tuple[str, str]]:
    memories = await rig.learn()
    return {
        (m.claim.attribute, m.claim.value)
        for m in memories
        if m.claim and m.holds and not m.claim.denied
    }
