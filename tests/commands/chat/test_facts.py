"""What holds, by person and topic, and the chain of what was said of one thing."""

from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Memory, Standing, Status

from ..command_rig import ANN, BEN, DAY, GROUP, NOW, CommandRig, admin, in_group


async def fact(
    rig: CommandRig,
    value: str,
    since: float,
    until: float | None = None,
    *,
    topic: str = "residence",
    subject: str = "@",
    denied: bool = False,
    **changes: object,
) -> Memory:
    end = None if until is None else NOW + until * DAY
    claim = Claim(subject, topic, value, NOW + since * DAY, end, denied)
    at = {"created_at": NOW + since * DAY, "happened_at": NOW + since * DAY}
    return await rig.remember(f"It is {value}", claim=claim, **at, **changes)


async def test_what_holds_is_listed_by_person_and_topic(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -10)
    oslo = await fact(rig, "Oslo", -10)
    job = await fact(rig, "baker", -30, topic="job")
    mother = await fact(rig, "Salthill", -5, subject="@/mother")
    meat = await fact(rig, "meat", -3, topic="like", denied=True)
    assert (await rig.ask("mine", "now")).splitlines() == [
        "4 current facts, page 1 of 1:",
        "Ann:",
        f"  job = baker, since 2025-05-16 · {job.id[:6]}",
        f"  likes: no longer meat, since 2025-06-12 · {meat.id[:6]}",
        f"  home = Oslo, since 2025-06-05 · {oslo.id[:6]}",
        "Ann, mother:",
        f"  home = Salthill, since 2025-06-10 · {mother.id[:6]}",
        "Details: /memory show ID",
    ]
    assert "4 current facts: /memory mine now" in (await rig.ask("mine")).splitlines()
    assert "facts" not in await rig.ask("mine", "2")


async def test_where_nothing_holds_that_is_said(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -10)
    assert await rig.ask("mine", "now") == "No current facts are known here."
    assert (await rig.ask("mine", "now then")).startswith("Usage")


async def test_in_a_group_only_what_was_said_there_is_listed(rig: CommandRig) -> None:
    await fact(rig, "Oslo", -10)
    await fact(rig, "Bergen", -10, subject="@901", scope=GROUP.key)
    told = await rig.ask("mine", "now", by=in_group(ANN))
    assert "Bergen" in told
    assert "Oslo" not in told


async def test_a_fact_of_a_group_is_told_with_whose_it_is(rig: CommandRig) -> None:
    await fact(rig, "Bergen", -10, subject="dev", scope=GROUP.key)
    assert "dev:" in (await rig.ask("mine", "now", by=in_group(ANN))).splitlines()


async def test_the_chain_of_a_slot_is_shown_oldest_first(rig: CommandRig) -> None:
    lyon = await fact(rig, "Lyon", -90, -40)
    paris = await fact(rig, "Paris", -40, -40)
    oslo = await fact(rig, "Oslo", -40)
    await fact(rig, "baker", -30, topic="job")
    lines = (await rig.ask("show", lyon.id)).splitlines()
    start = lines.index("What was said of it:")
    assert set(lines[start + 1 : start + 4]) == {
        f"  2025-03-17 to 2025-05-06: Lyon · {lyon.id[:6]}",
        f"  2025-05-06: Paris · {paris.id[:6]}, was never so",
        f"  2025-05-06: Oslo · {oslo.id[:6]}, holds",
    }
    assert lines[start + 1].endswith(f"Lyon · {lyon.id[:6]}")


async def test_what_somebody_wanted_forgotten_is_no_link_of_the_chain(rig: CommandRig) -> None:
    gone = Standing(Status.BINNED, NOW, "by hand", NOW + DAY)
    await fact(rig, "Lyon", -90, -40, standing=gone)
    oslo = await fact(rig, "Oslo", -40)
    assert "Lyon" not in await rig.ask("show", oslo.id)


async def test_the_chain_is_not_shown_to_an_admin_who_may_not_read_it(rig: CommandRig) -> None:
    await fact(rig, "Lyon", -90, -40, of=BEN)
    oslo = await fact(rig, "Oslo", -40, of=BEN)
    shown = await rig.ask("show", oslo.id, by=admin(ANN))
    assert "Lyon" not in shown
    assert "Oslo" not in shown
