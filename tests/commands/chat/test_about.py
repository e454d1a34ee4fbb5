"""What is said in a group about somebody absent is theirs to see and to put right."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.conversation import Speaker
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory

from ..command_rig import ANN, BEN, GROUP, NOW, CommandRig, in_group

GOSSIP = "Ben is allergic to nuts"
ANN_HERE, BEN_HERE = in_group(ANN), in_group(BEN)


async def gossip(rig: CommandRig, text: str = GOSSIP, **changes: object) -> Memory:
    """What Ann says about Ben, who is known here."""
    await rig.say("Hello everybody", by=BEN_HERE)
    plain = {"scope": GROUP.key, "speaker": Speaker("901", "Ann"), "about": ("Ben",)}
    return await rig.remember(text, **(plain | changes))


async def test_it_is_listed_for_whom_it_is_about_and_nobody_else(rig: CommandRig) -> None:
    memory = await gossip(rig)
    answer = await rig.ask("mine", "about", by=BEN_HERE)
    assert f"{memory.id[:6]}" in answer
    assert GOSSIP in answer
    assert "Nobody else" in await rig.ask("mine", "about", by=ANN_HERE)
    assert "Nobody else" in await rig.ask("mine", "关于我", by=BEN)


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("BEN",)},
        {"about": (), "claim": Claim("ben", "allergy", "nuts", NOW)},
        {"about": (), "claim": Claim("ben/mother", "allergy", "nuts", NOW)},
        {"about": (), "text": "@Benny(902) is allergic to nuts"},
    ],
)
async def test_they_put_it_right(rig: CommandRig, changes: dict[str, object]) -> None:
    memory = replace(await gossip(rig), id="a1b2c3d4", **changes)  # pyright: ignore[reportArgumentType]
    await rig.engine.parts.store.put([memory])
    answer = await rig.ask("correct", "a1b2c3d4 Ben eats nuts every day", by=BEN_HERE)
    assert "Ben eats nuts every day" in answer
    assert not (await rig.engine.parts.store.get("a1b2c3d4")).recallable


@pytest.mark.parametrize(
    "changes",
    [
        {"about": ("Carol",)},
        {"about": (), "text": "@Bea(9021) is allergic to nuts"},
        {"kind": Kind.EVIDENCE},
    ],
)
async def test_nobody_changes_what_others_said(rig: CommandRig, changes: dict[str, object]) -> None:
    memory = replace(await gossip(rig), id="a1b2c3d4", **changes)  # pyright: ignore[reportArgumentType]
    await rig.engine.parts.store.put([memory])
    answer = await rig.ask("correct", "a1b2c3d4 Ben eats nuts every day", by=BEN_HERE)
    assert "what you said yourself" in answer
    assert (await rig.engine.parts.store.get("a1b2c3d4")).recallable


async def test_a_name_that_two_bear_is_nobodys(rig: CommandRig) -> None:
    memory = await gossip(rig)
    impostor = replace(BEN_HERE, person="903")
    await rig.say("I am Ben too", by=impostor)
    for caller in (BEN_HERE, impostor):
        await rig.ask("correct", f"{memory.id} Ben eats nuts every day", by=caller)
    assert (await rig.engine.parts.store.get(memory.id)).recallable


async def test_it_is_put_right_only_where_it_was_said(rig: CommandRig) -> None:
    memory = await gossip(rig)
    assert "no such memory" in await rig.ask("correct", f"{memory.id} Not so", by=BEN)
    assert "1 memories" in await rig.ask("mine", "about 9", by=BEN_HERE)
    assert "/memory mine" in await rig.ask("mine", "about x", by=BEN_HERE)
