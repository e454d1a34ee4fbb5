"""A wrong number in a model's reply: nothing replaces what is of another slot, person or matter."""

import pytest
from astrbot_plugin_tidemark.core.model.conversation import NewTurn, Role, Scope, ScopeKind, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind

from ...kit import item, learnt, place
from ...rig import Rig
from ...samples import ANNS

GROUP = Scope(ScopeKind.GROUP, "qq", "5000", "default")


@pytest.mark.parametrize("how", ["corrects", "updates"])
@pytest.mark.parametrize("claimed", [True, False], ids=["with slots", "without"])
async def test_a_wrong_number_takes_nothing_of_another_matter_out_of_recall(
    rig: Rig, how: str, claimed: bool
) -> None:
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


async def test_a_wrong_number_takes_nothing_of_another_person_out_of_recall(rig: Rig) -> None:
    first = NewTurn(
        place(GROUP), Role.USER, Speaker("901", "Ann"), "I keep my hives in Bath", rig.clock.at
    )
    await rig.engine.observe(first)
    await rig.learn(learnt(item("Ann's hives are in Bath", 1)))
    rig.clock.at += 60
    rig.clock.at += 1
    text = "my hives are in Wells, where are yours, Bath?"
    turn = NewTurn(place(GROUP), Role.USER, Speaker("904", "Ben"), text, rig.clock.at)
    seq = (await rig.engine.observe(turn)).turn.seq
    await rig.ask(GROUP, turn.text, turn=seq)
    await rig.say(GROUP, "In Bath", Role.ASSISTANT)
    await rig.learn(learnt(item("Ben's hives are in Wells", 1, corrects=1)))
    assert all(memory.successor is None for memory in await rig.memories())
