"""What is in quarantine: listed for whom it belongs to, kept or dropped."""

import pytest
from astrbot_plugin_tidemark.core.model.memory import Memory, Standing, Status

from ..command_rig import ANN, BEN, GROUP, NOW, CommandRig, admin, in_group

ASIDE = Standing(Status.QUARANTINED, NOW, "number")


async def aside(rig: CommandRig, text: str = "Ann keeps 40 bees", **changes: object) -> Memory:
    return await rig.remember(text, standing=ASIDE, **changes)


async def test_it_is_listed_with_the_reason(rig: CommandRig) -> None:
    assert await rig.ask("quarantine") == "Nothing is in quarantine here."
    memory = await aside(rig)
    answer = await rig.ask("quarantine")
    assert "1 in quarantine" in answer
    assert f"{memory.id[:6]} 2025-06-15 [a number in it was not said] Ann keeps 40 bees" in answer


@pytest.mark.parametrize("word", ["keep", "KEEP", "保留"])
async def test_what_is_kept_is_live(rig: CommandRig, word: str) -> None:
    memory = await aside(rig)
    assert await rig.ask("quarantine", f"{word} {memory.id[:6]}") == "Kept: Ann keeps 40 bees"
    assert (await rig.engine.parts.store.get(memory.id)).recallable
    assert "not in quarantine" in await rig.ask("quarantine", f"keep {memory.id}")


async def test_what_is_dropped_lies_in_the_bin(rig: CommandRig) -> None:
    memory = await aside(rig)
    assert "Dropped" in await rig.ask("quarantine", f"drop {memory.id[:6]}")
    kept = await rig.engine.parts.store.get(memory.id)
    assert kept.standing.status is Status.BINNED


async def test_nobody_else_sees_or_decides(rig: CommandRig) -> None:
    memory = await aside(rig)
    assert await rig.ask("quarantine", by=BEN) == "Nothing is in quarantine here."
    for word in ("keep", "drop"):
        answer = await rig.ask("quarantine", f"{word} {memory.id}", by=BEN)
        assert "bees" not in answer
    kept = await rig.engine.parts.store.get(memory.id)
    assert kept.standing.status is Status.QUARANTINED


async def test_in_a_group_one_decides_on_what_one_said_oneself(rig: CommandRig) -> None:
    await aside(rig, scope=GROUP.key)
    assert "40 bees" in await rig.ask("quarantine", by=in_group(ANN))
    assert "40 bees" not in await rig.ask("quarantine", by=in_group(BEN))
    assert "40 bees" in await rig.ask("quarantine", by=in_group(admin(BEN)))


@pytest.mark.parametrize("command", ["pin", "important", "restore", "correct"])
async def test_nothing_else_is_done_with_it(rig: CommandRig, command: str) -> None:
    memory = await aside(rig)
    more = " Ann keeps two bees" if command == "correct" else ""
    answer = await rig.ask(command, memory.id + more, by=admin(ANN))
    assert "It is in quarantine" in answer
    assert (await rig.engine.parts.store.get(memory.id)).standing == ASIDE


async def test_show_tells_what_is_to_be_decided(rig: CommandRig) -> None:
    memory = await aside(rig)
    assert "In quarantine: a number in it was not said" in await rig.ask("show", memory.id)
