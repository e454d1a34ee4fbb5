"""Deleting for good: one by one, or all after a code."""

from astrbot_plugin_tidemark.core.model.memory import Memory, Standing, Status
from astrbot_plugin_tidemark.core.ports import Filter

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin

BOSS = admin(ANN)
BINNED = Standing(Status.BINNED, NOW, "decayed", NOW + 30 * DAY)


async def left(rig: CommandRig) -> int:
    return await rig.engine.parts.store.count(Filter(status=None))


async def code(rig: CommandRig) -> str:
    return (await rig.ask("purge", "all", by=BOSS)).split()[-1]


async def binned(rig: CommandRig, text: str, **changes: object) -> Memory:
    return await rig.remember(text, standing=BINNED, **changes)


async def test_what_lies_in_the_bin_can_be_deleted_for_good(rig: CommandRig) -> None:
    memory = await binned(rig, "trifle")
    answer = await rig.ask("purge", memory.id[:6], by=BOSS)
    assert answer == "Deleted for good, with 0 recorded message(s): trifle"
    assert await left(rig) == 0
    assert (await rig.ask("purge", memory.id[:6], by=BOSS)).startswith("There is no such memory.")


async def test_what_is_alive_is_not_deleted_and_the_way_is_told(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    answer = await rig.ask("purge", memory.id, by=BOSS)
    assert answer == (
        f"It is not in the bin; first run /memory forget {memory.id[:6]}: Ann keeps bees"
    )
    assert await left(rig) == 1


async def test_the_message_behind_a_purged_memory_goes_too(rig: CommandRig) -> None:
    rig.engine.start()
    seq = await rig.say("I keep bees in Lugano")
    assert await rig.engine.worker.drain(20.0)
    (raw,) = await rig.engine.parts.store.page(Filter())
    await rig.ask("forget", raw.id)
    assert "with 1 recorded message(s)" in await rig.ask("purge", raw.id, by=BOSS)
    assert await rig.engine.parts.journal.turn(seq) is None


async def test_the_whole_bin_is_deleted_only_with_the_code_that_was_given(rig: CommandRig) -> None:
    for number in range(3):
        await binned(rig, f"trifle {number}")
    await rig.remember("alive")
    answer = await rig.ask("purge", "all", by=BOSS)
    assert answer.startswith("This deletes 3 memories in the bin of this chat for good")
    given = answer.split()[-1]
    assert answer.endswith(f"/memory purge all {given}")
    refusal = await rig.ask("purge", "all WRONG1", by=BOSS)
    assert refusal.startswith("That code is wrong or no longer valid; nothing was deleted.")
    assert await left(rig) == 4
    done = await rig.ask("purge", f"ALL {given.lower()}", by=BOSS)
    assert done == "Deleted for good: 3 memories and 0 recorded messages."
    assert await left(rig) == 1
    assert (await rig.ask("purge", f"all {given}", by=BOSS)).startswith("That code is wrong")


async def test_only_the_bin_of_this_chat_is_emptied(rig: CommandRig) -> None:
    await binned(rig, "trifle")
    of_ben = await binned(rig, "Ben's", of=BEN)
    await rig.ask("purge", f"all {await code(rig)}", by=BOSS)
    assert await rig.engine.parts.store.find([of_ben.id]) == [of_ben]


async def test_an_empty_bin_needs_no_code(rig: CommandRig) -> None:
    await rig.remember("alive")
    assert await rig.ask("purge", "all", by=BOSS) == "The bin of this chat is empty."
