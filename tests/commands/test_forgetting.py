"""Forecasts under other policies, what a sweep by another one says, and two compared."""

import pytest
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES
from astrbot_plugin_tidemark.core.model.memory import Kind, Standing, Status

from .command_rig import ANN, DAY, NOW, CommandRig, admin

BOSS = admin(ANN)


@pytest.mark.parametrize("name", NAMES)
async def test_every_policy_can_be_forecast(rig: CommandRig, name: str) -> None:
    await rig.remember("trifle", kind=Kind.EPISODIC)
    answer = await rig.ask("decay", f"--preview 400 {name.upper()}", by=BOSS)
    assert f"This is by the policy {name}; the one in force would forget 1." in answer
    assert ("trifle" in answer) is (name != "lru")


async def test_an_unknown_policy_is_answered_with_those_there_are(rig: CommandRig) -> None:
    answer = await rig.ask("decay", "--preview 30 lfu", by=BOSS)
    assert answer.startswith("There is no policy “lfu”. Policies: tmd, tmd+, ebbinghaus, ")
    assert "Usage" in await rig.ask("decay", "--preview 30 tmd tmd", by=BOSS)


async def test_what_a_policy_archived_is_listed_shown_and_restored(rig: CommandRig) -> None:
    shelved = Standing(Status.ARCHIVED, NOW - DAY, "policy decay_score")
    kept = await rig.remember("trifle", standing=shelved)
    assert "trifle" not in await rig.ask("search", "trifle")
    assert "trifle" in await rig.ask("list", "status=archived", by=BOSS)
    assert "Archived since 2025-06-14" in await rig.ask("show", kept.id)
    assert "Restored" in await rig.ask("restore", kept.id, by=BOSS)
    assert "trifle" in await rig.ask("search", "trifle")


async def test_the_bin_names_the_policy_that_let_go(rig: CommandRig) -> None:
    gone = Standing(Status.BINNED, NOW, "policy ebbinghaus", NOW + 30 * DAY)
    folded = Standing(Status.BINNED, NOW, "summarised 0123", NOW + 30 * DAY)
    await rig.remember("trifle", standing=gone)
    await rig.remember("detail", standing=folded)
    answer = await rig.ask("bin", by=BOSS)
    assert "[forgotten by the policy ebbinghaus] trifle" in answer
    assert "[became part of a summary] detail" in answer
