"""/memory simulate: own rates, changes beside what is in force, refusals, an end on request."""

import asyncio
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.commands.chat.forgetting import BLOCKS, SPARKS, sparkline
from astrbot_plugin_tidemark.core.model.memory import Vitality
from hypothesis import given
from hypothesis import strategies as st

from ..command_rig import ANN, DAY, CommandRig, admin

BOSS = admin(ANN)
SHORT = "days=90 calls=5"


async def test_a_simulation_is_told_with_a_chart_beside_what_is_in_force(rig: CommandRig) -> None:
    lines = (await rig.ask("simulate", SHORT, by=BOSS)).splitlines()
    assert lines[0] == (
        "0.247 years: 5 new memories a day, 10 judged recalls for each, 5% useful, policy tmd"
    )
    assert "assumed" in lines[1]
    assert lines[2].startswith("450 made, ")
    assert lines[4].startswith("Alive every 30 days: ")
    assert lines[5] == "Left of each sort:"
    assert len(lines) == 12
    answer = await rig.ask("simulate", f"policy=lru {SHORT}", by=BOSS)
    assert "As set now (tmd):" in answer
    assert "With the change (lru):" in answer
    assert answer.index("450 made") < answer.rindex("450 made, 0.0% forgotten")
    kept = await rig.remember("soon gone", vitality=Vitality(1))
    await rig.ask("simulate", SHORT, by=BOSS)
    assert await rig.engine.store.get(kept.id) == kept


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_longest_answer_fits_a_message(rig: CommandRig, language: str) -> None:
    caller = replace(BOSS, language=language)
    argument = "days=500 calls=20 consolidate_speed=5 cycle_tier0_days=4"
    answer = await rig.ask("simulate", argument, by=caller)
    assert len(answer) <= 1_400
    assert answer.count("\n") >= 14


async def test_own_rates_are_those_of_the_last_month_and_of_the_ledger(rig: CommandRig) -> None:
    for number in range(90):
        await rig.remember(f"memory {number}", created_at=rig.clock.now() - number % 3 * DAY)
    journal = rig.engine.journal
    for useful, count in ((True, 36), (False, 144)):
        pairs = [(turn, f"m{useful}") for turn in range(count)]
        await journal.record_verdicts(pairs, useful=useful, source="test", at=rig.clock.now())
    answer = await rig.ask("simulate", "days=30", by=BOSS)
    assert "3 new memories a day, 2 judged recalls for each, 20% useful" in answer
    assert "assumed" not in answer


async def test_bad_parameters_are_told_together_and_a_giant_is_refused(rig: CommandRig) -> None:
    answer = await rig.ask("simulate", "-1 calls=0 top_k=x policy=magic colour=red", by=BOSS)
    lines = answer.splitlines()
    named = [line.split()[0].strip("“”\"'`") for line in lines]
    assert named == ["years", "calls", "top_k", "policy", "colour"]
    answer = await rig.ask("simulate", "100 calls=1000000", by=BOSS)
    assert answer.startswith("That is too large: about ")
    assert " MB of memory and " in answer
    assert "450 made" not in await rig.ask("simulate", SHORT)


@pytest.mark.parametrize("argument", ["1 2", "calls=5 please", "calls=5 stop"])
async def test_what_is_no_parameter_gets_the_usage(rig: CommandRig, argument: str) -> None:
    assert "/memory decay simulate" in await rig.ask("simulate", argument, by=BOSS)


async def test_one_runs_at_a_time_and_can_be_stopped(rig: CommandRig) -> None:
    running = asyncio.create_task(rig.ask("simulate", "50 calls=5", by=BOSS))
    while rig.services.simulations.done is None:  # noqa: ASYNC110 - it begins on a thread
        await asyncio.sleep(0)
    assert "under way" in await rig.ask("simulate", SHORT, by=BOSS)
    assert await rig.ask("simulate", "stop", by=BOSS) == "The simulation is being stopped."
    stopped = "The simulation was stopped; there is no result. To start again: /memory simulate"
    assert await running == stopped
    assert await rig.ask("simulate", "stop", by=BOSS) == "No simulation is under way."


@given(st.lists(st.integers(0, 10**9), max_size=200))
def test_a_sparkline_is_short_and_full_at_the_largest_value_shown(values: list[int]) -> None:
    drawn = sparkline(tuple(values))
    assert len(drawn) <= SPARKS
    assert set(drawn) <= set(BLOCKS)
    assert bool(drawn) is bool(values)
    if values and len(values) <= SPARKS and max(values) > 0:
        assert drawn[values.index(max(values))] == BLOCKS[-1]
