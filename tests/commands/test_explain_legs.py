"""What `why` tells of times, intentions and causes, from recalls that really took place."""

from datetime import UTC, datetime

from astrbot_plugin_tidemark.core.engine.engine import RecallRequest
from astrbot_plugin_tidemark.core.graph.links import CAUSED_BY
from astrbot_plugin_tidemark.core.model.knowledge import Relation
from astrbot_plugin_tidemark.core.model.memory import Kind

from .command_rig import ANN, NOW, CommandRig

DAY = 86_400.0


async def why(rig: CommandRig, question: str) -> list[str]:
    turn = await rig.say(question)
    await rig.engine.recall(RecallRequest(ANN.scope, question, turn))
    await rig.engine.recorded()
    return (await rig.ask("why", "--numbers")).splitlines()


async def test_the_time_that_was_asked_about_is_told(rig: CommandRig) -> None:
    await rig.remember("Goats in the kitchen", created_at=NOW - DAY, happened_at=NOW - DAY)
    lines = await why(rig, "What did we talk about yesterday?")
    day = datetime.fromtimestamp(NOW - DAY, UTC).date().isoformat()
    (told,) = [line for line in lines if line.startswith("Time asked about: ")]
    assert day in told
    assert any(line.startswith("By time: 1 hits") for line in lines)
    assert any("Goats in the kitchen" in line for line in lines)


async def test_without_a_time_none_is_told(rig: CommandRig) -> None:
    lines = await why(rig, "What is Ann allergic to, peanuts?")
    assert not any(line.startswith(("Time asked about", "By time")) for line in lines)


async def test_a_cause_names_the_memory_that_led_to_it(rig: CommandRig) -> None:
    flood = await rig.remember("Water everywhere")
    text = "Ann moved the hives behind the chapel"
    moved = await rig.remember(
        text, relations=(Relation("moved", CAUSED_BY, flood.id),), id="moved"
    )
    lines = await why(rig, "Why did Ann move the hives behind the chapel?")
    (cause,) = [line for line in lines if "causes#1" in line]
    assert f"(from {moved.id})" in cause


async def test_intentions_beyond_the_quota_are_told_as_such(rig: CommandRig) -> None:
    for where in ("by the pond", "in spring", "of red bricks"):
        text = f"Ann wants to build a shed for goats {where}"
        await rig.remember(text, kind=Kind.PROSPECTIVE)
    await rig.engine.backfill.once()
    lines = await why(rig, "Which shed does Ann want to build for goats?")
    assert any(line.startswith("  other intentions fit better: 1") for line in lines)
