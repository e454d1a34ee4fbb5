"""What is planned, what is due, and closing by hand."""

from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.intentions import Intention, IntentionStatus, IntentionType
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Standing, Status

from ..command_rig import ANN, BEN, DAY, NOW, CommandRig, in_group


async def intend(rig: CommandRig, text: str, **changes: object) -> Memory:
    intention = Intention(**changes)  # pyright: ignore
    return await rig.remember(text, kind=Kind.PROSPECTIVE, intention=intention)


async def test_open_plans_are_listed_with_their_sort_and_day(rig: CommandRig) -> None:
    trip = await intend(rig, "Ann plans to go to Rome", due_at=NOW + 3 * DAY)
    await intend(rig, "Ann wonders whether to move", type=IntentionType.QUESTION)
    await rig.remember("Ann keeps bees")
    told = await rig.ask("plans")
    assert told.startswith("2 open, page 1 of 1:")
    assert f"{trip.id[:6]} 2025-06-15 [plan · for 2025-06-18 15:06] Ann plans to go to Rome" in told
    assert "[question] Ann wonders whether to move" in told
    assert told.endswith("Open 2, due 0, done 0, not heard of for long 0")


async def test_what_is_due_is_for_today_or_earlier(rig: CommandRig) -> None:
    await intend(rig, "Ann plans to go to Rome", due_at=NOW - 3 * DAY)
    await intend(rig, "Ann will see the dentist", due_at=NOW + 60)
    await intend(rig, "Ann plans to go to Oslo", due_at=NOW + 2 * DAY)
    told = await rig.ask("plans", "due")
    assert told.startswith("2 due up to today")
    assert "Oslo" not in told


async def test_what_is_over_is_listed_apart_also_once_it_is_archived(rig: CommandRig) -> None:
    over = {"status": IntentionStatus.CLOSED, "closed_at": NOW}
    await intend(rig, "Ann plans to go to Rome", **over)
    dropped = await intend(rig, "Ann plans to go to Oslo", given_up=True, **over)
    await rig.engine.parts.store.amend(
        [dropped.id], lambda m: replace(m, standing=Standing(Status.ARCHIVED, NOW))
    )
    stale = await intend(rig, "Ann plans to learn Greek", status=IntentionStatus.STALE)
    told = await rig.ask("plans", "closed")
    assert told.startswith("2 done or given up")
    assert "[plan · done 2025-06-15] Ann plans to go to Rome" in told
    assert "[plan · given up 2025-06-15] Ann plans to go to Oslo" in told
    assert stale.text in await rig.ask("plans", "搁置")
    assert await rig.ask("plans") == (
        "Nothing is planned or left open here.\nOpen 0, due 0, done 2, not heard of for long 1"
    )


async def test_thousands_of_open_ones_come_page_by_page(rig: CommandRig) -> None:
    for number in range(30):
        await intend(rig, f"Ann plans to visit city {number}")
    assert (await rig.ask("plans", "2")).startswith("30 open, page 2 of 4:")
    assert (await rig.ask("plans", "open 9")).startswith("30 open, page 4 of 4:")


@pytest.mark.parametrize("argument", ["nonsense", "0", "due -1", "open 1 2", "1 due"])
async def test_what_is_no_list_tells_how_to_ask(rig: CommandRig, argument: str) -> None:
    assert "plans [open|due|closed|stale] [PAGE]" in await rig.ask("plans", argument)


async def test_a_plan_is_done_and_open_again(rig: CommandRig) -> None:
    plan = await intend(rig, "Ann plans to go to Rome", due_at=NOW)
    assert await rig.ask("done", plan.id[:8]) == "Done: Ann plans to go to Rome"
    assert "That was over already" in await rig.ask("done", plan.id)
    kept = await rig.engine.parts.store.get(plan.id)
    assert kept.intention is not None
    assert kept.intention.closed_at == NOW
    assert "Open again" in await rig.ask("done", f"{plan.id} off")
    assert "still open" in await rig.ask("done", f"{plan.id} off")
    assert (await rig.engine.parts.store.get(plan.id)).due_at == NOW
    assert "reported done · Ann (901)" in await rig.ask("audit", plan.id)


async def test_what_was_archived_comes_back_when_it_is_meant_again(rig: CommandRig) -> None:
    plan = await intend(rig, "Ann plans to learn Greek", status=IntentionStatus.STALE)
    await rig.engine.parts.store.amend(
        [plan.id], lambda m: replace(m, standing=Standing(Status.ARCHIVED, NOW))
    )
    await rig.ask("done", f"{plan.id} off")
    assert (await rig.engine.parts.store.get(plan.id)).recallable
    assert "Greek" in await rig.ask("plans")


async def test_a_fact_and_what_others_mean_to_do_cannot_be_done(rig: CommandRig) -> None:
    fact = await rig.remember("Ann keeps bees")
    assert "no plan" in await rig.ask("done", fact.id)
    theirs = await rig.remember(
        "Ben plans to fly", of=in_group(BEN), kind=Kind.PROSPECTIVE, intention=Intention()
    )
    await rig.ask("done", theirs.id, by=in_group(ANN))
    await rig.ask("done", theirs.id)
    assert (await rig.engine.parts.store.get(theirs.id)).intention == Intention()
    assert "Ben plans to fly" not in await rig.ask("plans")
    assert "Ben plans to fly" in await rig.ask("plans", by=in_group(ANN))
