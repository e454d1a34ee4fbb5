"""Important, pinned, judged: what keeps a memory and what a verdict does."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.memory import Standing, Status, UserFeedback, Vitality

from ...kit import swept
from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, admin, in_group

BOSS = admin(ANN)


# important


@pytest.mark.parametrize("switch", ["", " on", " ON", " 开"])
async def test_what_is_marked_important_is_never_forgotten(rig: CommandRig, switch: str) -> None:
    memory = await rig.remember("Ann keeps bees")
    answer = await rig.ask("important", memory.id[:6] + switch)
    assert answer == "Marked important, never forgotten: Ann keeps bees"
    rig.clock.at += 400 * DAY
    await swept(rig.engine.sweeper, rig.clock.now())
    assert (await rig.engine.store.get(memory.id)).recallable


@pytest.mark.parametrize("switch", ["off", "Off", "关"])
async def test_what_is_no_longer_important_ages_from_now_on(rig: CommandRig, switch: str) -> None:
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("important", memory.id)
    rig.clock.at += 400 * DAY
    assert await rig.ask("important", f"{memory.id} {switch}") == (
        "No longer marked important: Ann keeps bees\n"
        "Will be forgotten about 2026-08-07 if it is not used"
    )
    await swept(rig.engine.sweeper, rig.clock.now())
    assert (await rig.engine.store.get(memory.id)).recallable


async def test_marking_again_changes_nothing_and_a_pin_stays(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    assert "It is not marked important" in await rig.ask("important", f"{memory.id} off")
    await rig.ask("important", memory.id)
    assert "It is marked important already" in await rig.ask("important", memory.id)
    memory = await rig.remember(
        "bees", vitality=Vitality(6, pinned=True), feedback=UserFeedback(important=True)
    )
    answer = await rig.ask("important", f"{memory.id} off")
    assert answer.endswith("Time alone will not make it forgotten")


async def test_in_a_group_one_marks_only_what_one_said(rig: CommandRig) -> None:
    memory = await rig.remember("Ben keeps bees", of=in_group(BEN))
    assert "only what you said yourself" in await rig.ask("important", memory.id, by=in_group(ANN))
    assert "Marked" in await rig.ask("important", memory.id, by=in_group(BEN))


async def test_what_is_not_live_is_neither_marked_nor_judged(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    await rig.ask("forget", memory.id)
    for command in ("important", "pin", "feedback"):
        argument = f"{memory.id} useful" if command == "feedback" else memory.id
        assert (await rig.ask(command, argument, by=BOSS)).startswith("It is in the bin")
    memory = await rig.remember("old", standing=Standing(Status.ARCHIVED, NOW, "unused"))
    answer = await rig.ask("feedback", f"{memory.id} useful", by=BOSS)
    assert answer == "It is archived; bring it back with /memory restore first: old"


# pin


async def test_a_pinned_memory_is_kept_until_it_is_unpinned(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees")
    assert await rig.ask("pin", memory.id, by=BOSS) == "Pinned, never forgotten: Ann keeps bees"
    assert "pinned already" in await rig.ask("pin", memory.id, by=BOSS)
    assert "[fading 6 · kept for good]" in await rig.ask("mine")
    assert await rig.ask("unpin", memory.id, by=BOSS) == (
        "Unpinned: Ann keeps bees\nWill be forgotten about 2025-07-03 if it is not used"
    )
    assert "It is not pinned" in await rig.ask("unpin", memory.id, by=BOSS)


# feedback


@pytest.mark.parametrize("verdict", ["useful", "USEFUL", "有用"])
async def test_a_useful_verdict_says_what_it_did(rig: CommandRig, verdict: str) -> None:
    memory = await rig.remember("Ann keeps bees", vitality=Vitality(6, useful_score=2.5))
    assert await rig.ask("feedback", f"{memory.id[:6]} {verdict}", by=BOSS) == (
        "Judged useful: strength 6 → 7, useful score 5, settling: Ann keeps bees"
    )


async def test_a_useless_verdict_weakens_a_settling_memory(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees", vitality=Vitality(6, useful_score=5.0))
    answer = await rig.ask("feedback", f"{memory.id} useless", by=BOSS)
    assert answer == "Judged useless: strength 6 → 5, settling: Ann keeps bees"


@pytest.mark.parametrize(("score", "tier"), [(0.0, "fading"), (10.0, "lasting")])
async def test_a_useless_verdict_on_any_other_memory_says_that_nothing_changed(
    rig: CommandRig, score: float, tier: str
) -> None:
    memory = await rig.remember("Ann keeps bees", vitality=Vitality(6, useful_score=score))
    assert await rig.ask("feedback", f"{memory.id} useless", by=BOSS) == (
        "Nothing changed: only a settling memory loses strength when useless; this one is "
        f"{tier}, strength 6: Ann keeps bees"
    )


async def test_a_verdict_that_takes_the_last_strength_says_it_is_binned(rig: CommandRig) -> None:
    memory = await rig.remember("Ann keeps bees", vitality=Vitality(1, useful_score=5.0))
    answer = await rig.ask("feedback", f"{memory.id} 无用", by=replace(BOSS, language="zh"))
    assert answer == "判定后强度为 0，已放进回收站：Ann keeps bees"
    assert "[put there by hand]" in await rig.ask("bin", by=BOSS)
