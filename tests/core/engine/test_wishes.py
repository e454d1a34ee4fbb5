"""Plain wishes are heard at once: what is to be forgotten is gone, what is to be unkept too."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.actions import tools
from astrbot_plugin_tidemark.core.actions.tools import MovedToBin, ToolContext, ToolRefusal
from astrbot_plugin_tidemark.core.engine.wishes import ALONE, SURELY
from astrbot_plugin_tidemark.core.model.conversation import Role, Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Status, Vector
from astrbot_plugin_tidemark.core.similarity.calibration import Scales, VectorScale

from ...kit import FakeEmbedder, place
from ...rig import Rig
from ...samples import ANN, ANNS, BEN, GROUP

PHONE = "My phone number is 5550137"
SESSION = place(ANNS).session


async def say(rig: Rig, *texts: str) -> None:
    for text in texts:
        await rig.exchange(ANNS, text, "ok")


async def live(rig: Rig) -> set[str]:
    memories = await rig.memories(*Kind)
    return {memory.said for memory in memories if memory.recallable}


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ((PHONE, "Can you forget my phone number?"), PHONE),
        ((PHONE, "Please forget what I said about my phone number."), PHONE),
        (("我和阿杰在一起了", "忘了我说的阿杰的事吧"), "我和阿杰在一起了"),
        (("我的生日是五月三号", "你把我的生日忘掉吧"), "我的生日是五月三号"),
        (("我住在南京", "别记我住哪里了，把这条删掉"), "我住在南京"),
        (("I live in Bath", "delete that"), "I live in Bath"),
    ],
)
@pytest.mark.parametrize("apart", [True, False], ids=["later", "at once"])
async def test_what_is_to_be_forgotten_is_neither_recalled_nor_learnt(
    rig: Rig, said: tuple[str, ...], gone: str, apart: bool
) -> None:
    rig.model.present = False
    for text in said:
        await say(rig, text)
        if apart:
            await rig.settle()
    await rig.pass_time()
    assert gone not in await live(rig)
    assert not [m for m in await rig.memories(Kind.SEMANTIC) if m.recallable]
    # It lies in the bin, from where an admin can bring it back.
    binned = [m for m in await rig.memories(*Kind) if m.standing.status is Status.BINNED]
    assert gone in {memory.said for memory in binned}


@pytest.mark.parametrize(
    "said",
    ["这句话不要记：我暗恋小周", "off the record, I hate my boss", "Don't save this: I am broke"],
)
async def test_what_is_not_to_be_kept_is_not_even_on_record(rig: Rig, said: str) -> None:
    rig.model.present = False
    await say(rig, "I live in Bath", said)
    await rig.pass_time()
    assert await live(rig) == {"I live in Bath", "Ann lives in Bath"}
    turns = await rig.journal.last_turns(SESSION, 9)
    assert said not in [turn.text for turn in turns]


@pytest.mark.parametrize(
    ("secret", "wish"),
    [
        ("我暗恋小周", "别记这个"),
        ("门锁密码是0812，怕忘了", "这个别记了 我瞎说的"),
        ("门锁密码是0812，怕忘了", "刚才说的别记"),
        ("I have a crush on Zoe", "please don't store that, I was joking"),
        ("I have a crush on Zoe", "that was off the record"),
    ],
)
async def test_a_wish_about_this_withdraws_what_was_said(rig: Rig, secret: str, wish: str) -> None:
    await say(rig, secret, wish)
    await rig.pass_time()
    assert await live(rig) == set()
    assert not {secret, wish} & {t.text for t in await rig.journal.last_turns(SESSION, 9)}


@pytest.mark.parametrize(
    "said",
    [
        "别忘了我对花生过敏",
        "我忘了带手机",
        "忘了我把手机放哪了",
        "Don't forget my phone number",
        "I forgot my phone number",
        "I'll never forget my phone number",
        "I don't remember this phone number",
        "Forget it",
        "老师说上课不要记笔记",
        "不要记恨我",
        "The minister told them off the record that he would go",
        ". ".join(["The paper wrote: delete my phone number"] * 6),
    ],
)
async def test_who_only_speaks_of_forgetting_loses_nothing(rig: Rig, said: str) -> None:
    await say(rig, PHONE, "我的手机号是5550137", said)
    await rig.settle()
    assert {PHONE, "我的手机号是5550137", said} <= await live(rig)


class Knowing(FakeEmbedder):
    """One to whom "hush now" is a wish, and what holds it is none for sure."""

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        await self._admit(texts)
        told = [1.0 if text == "hush now" else 0.1 if "hush" in text else -1.0 for text in texts]
        return [np.array([each], np.float32) for each in told]


class Reading:
    def scales(self, *asked: str) -> Scales:
        scale = VectorScale(np.array([SURELY], np.float32), 0.0)
        return Scales(scale, scale, scale, scale)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I hit the neighbour's car, hush now", set()),
        (f"I hit {' '.join(f'tree{n}' for n in range(ALONE))}, hush now", {"I live in Bath"}),
        ("my baby likes hush puppies", {"I live in Bath", "my baby likes hush puppies"}),
    ],
)
async def test_a_wish_that_no_form_has_is_heard_by_its_vector(
    rig: Rig, said: str, left: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(rig, "I live in Bath", said)
    await rig.settle()
    wishes = replace(rig.engine.wishes, embedders=Knowing(), frames=Reading())
    *_, turn, _ = await rig.journal.last_turns(SESSION, 9)
    monkeypatch.setattr("astrbot_plugin_tidemark.core.engine.wishes.PATIENCE", 0.01)
    for other in (FakeEmbedder(present=False), Knowing(down=True), Knowing(gate=asyncio.Event())):
        assert not await replace(wishes, embedders=other).heard(turn, rig.engine.jobs._index)
    assert await wishes.heard(turn, rig.engine.jobs._index) is (said not in left)
    await rig.settle()
    kept = await rig.journal.last_turns(SESSION, 9)
    assert {turn.text for turn in kept if turn.role is Role.USER} == left


async def test_this_is_not_what_was_said_yesterday(rig: Rig) -> None:
    rig.model.present = False
    await say(rig, "我住在南京")
    await rig.pass_time()
    rig.clock.at += 86_400
    await say(rig, "别记这个")
    await rig.settle()
    assert "我住在南京" in await live(rig)


async def test_in_a_group_nobody_makes_others_forgotten(rig: Rig) -> None:
    await rig.say(GROUP, "My phone number is 777", by=BEN)
    await rig.say(GROUP, PHONE)
    await rig.say(GROUP, "Can you forget my phone number?")
    await rig.settle()
    assert await live(rig) == {"My phone number is 777"}


def context(seq: int | None, by: Speaker = ANN) -> ToolContext:
    return ToolContext(ANNS, place(ANNS), by, seq)


async def test_the_tool_moves_what_the_message_names(rig: Rig) -> None:
    await say(rig, PHONE, "I keep bees")
    await rig.settle()
    seq = await rig.say(ANNS, "I'd rather you did not know my phone number")
    moved = await tools.forget_memory("phone number", context(seq), rig.engine)
    assert [text.split("\n")[0] for text in moved.texts] == [PHONE]
    assert await tools.forget_memory("phone number", context(seq), rig.engine) == MovedToBin(())
    await rig.settle()
    assert {"I keep bees"} <= await live(rig)
    assert PHONE not in await live(rig)


@pytest.mark.parametrize(
    ("about", "asked"),
    [("bees", "I'd rather you did not know my phone number"), ("", "Forget me"), ("bees", None)],
)
async def test_the_tool_does_nothing_unasked_for(rig: Rig, about: str, asked: str | None) -> None:
    await say(rig, PHONE, "I keep bees")
    await rig.settle()
    seq = None if asked is None else await rig.say(ANNS, asked)
    assert await tools.forget_memory(about, context(seq), rig.engine) is ToolRefusal.NOT_ASKED
    scheduled = replace(context(seq), scheduled=True)
    assert await tools.forget_memory("bees", scheduled, rig.engine) is ToolRefusal.NOBODY_SPEAKS
    assert {PHONE, "I keep bees"} <= await live(rig)
