"""Friends, books and places that were named once are found again by their names."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.core.recall.trace import Leg, LegState

from ...kit import place
from ...rig import Rig
from ...samples import ANNS

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")
BOBS = replace(ANNS, subject="902")


async def test_a_friend_named_only_in_an_older_turn_is_found_by_name(rig: Rig) -> None:
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    for number in range(5):
        await rig.say(ANNS, f"Hives and honey, day {number} of the season")
    await rig.settle()
    recalled = await rig.ask(ANNS, "Where does Rosalind live?")
    assert "lighthouse" in recalled.memories[0].text
    found = {hit.leg for candidate in recalled.trace.candidates for hit in candidate.hits}
    assert Leg.ENTITY in found


@pytest.mark.usefixtures("jieba_loaded")
async def test_a_chinese_friend_is_found_by_name(rig: Rig) -> None:
    await rig.say(ANNS, "我的朋友王小明搬到海边去了")
    await rig.say(ANNS, "今天的蜂蜜收成不错")
    await rig.settle()
    (raw, _) = await rig.memories(Kind.EVIDENCE)
    assert [entity.name for entity in raw.entities] == ["王小明"]
    assert "海边" in (await rig.texts(ANNS, "王小明现在住在哪里？"))[0]


async def test_a_name_is_recognised_again_however_it_is_written(rig: Rig) -> None:
    await rig.say(ANNS, "I gave the key to Rosalind")
    await rig.settle()
    await rig.say(ANNS, "rosalind lost it in the snow")
    await rig.settle()
    mentions = [[entity.id for entity in raw.entities] for raw in await rig.memories()]
    assert mentions == [["rosalind"], ["rosalind"]]


async def test_nobody_elses_friends_are_known(rig: Rig) -> None:
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    await rig.settle()
    recalled = await rig.ask(BOBS, "Where does Rosalind live?")
    assert recalled.memories == ()
    assert recalled.trace.candidates == ()


async def test_with_the_embedder_down_names_are_still_found(rig: Rig) -> None:
    rig.embedder.down = True
    await rig.say(ANNS, "My neighbour Rosalind has moved to a lighthouse")
    await rig.settle()
    recalled = await rig.ask(ANNS, "Where does Rosalind live?")
    states = {report.leg: report.state for report in recalled.trace.legs}
    assert states[Leg.ENTITY] is LegState.OK
    assert ["lighthouse" in memory.text for memory in recalled.memories] == [True]


async def test_who_has_changed_names_is_found_by_either(rig: Rig) -> None:
    for name, text in (("小明", "我的船停在北边的码头"), ("大明", "我养了三只山羊")):
        rig.clock.at += 1
        speaker = Speaker("901", name)
        await rig.engine.observe(NewTurn(place(GROUP), Role.USER, speaker, text, rig.clock.at))
    await rig.settle()
    for asked in ("小明有什么？", "大明有什么？"):
        recalled = await rig.ask(GROUP, asked)
        named = [c for c in recalled.trace.candidates if any(h.leg is Leg.ENTITY for h in c.hits)]
        assert len(named) == 2
