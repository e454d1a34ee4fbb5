"""Experiments as they are typed, what they cost, and how they are run and ended."""

import asyncio
import threading
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.forgetting.tmd import TmdParameters
from astrbot_plugin_tidemark.core.queue.job_list import JobCancelled
from astrbot_plugin_tidemark.core.simulation.experiment import WANTED, Experiment, read_experiment
from astrbot_plugin_tidemark.core.simulation.run import Conditions
from astrbot_plugin_tidemark.core.simulation.runner import Limits, Simulations, cost_of
from hypothesis import given
from hypothesis import strategies as st

SMALL = Experiment(Conditions(days=40, fewest_calls=3, most_calls=3))
LONG = Experiment(Conditions(days=20_000, fewest_calls=1, most_calls=1, top_k=1))


def test_parameters_are_taken_by_name() -> None:
    asked = {"calls": "400-600", "useful_prob": "0.1", "policy": "lru", "forget_speed": "2"}
    found = read_experiment({"years": "2", "top_k": "8"} | asked, Experiment())
    assert found.conditions == Conditions(730, 400, 600, 8, 0.1)
    assert found.policy == "lru"
    assert found.parameters == TmdParameters(forget_speed=2.0)
    given = {"days": "0", "calls": "9-3", "seed": "1.5", "policy": "no", "speed": "1"}
    problems = read_experiment(given | {"top_k": "3"}, Experiment())
    assert not isinstance(problems, Experiment)
    assert [problem.name for problem in problems] == list(given)


@given(st.dictionaries(st.sampled_from([*WANTED, "x"]), st.text(max_size=12)))
def test_whatever_is_typed_is_an_experiment_or_problems(given: dict[str, str]) -> None:
    found = read_experiment(given, SMALL)
    if isinstance(found, Experiment):
        assert 1 <= found.conditions.fewest_calls <= found.conditions.most_calls
        assert found.conditions.days >= 1
        assert "x" not in given
    else:
        assert {problem.name for problem in found} <= set(given)


def test_a_larger_simulation_or_one_that_forgets_nothing_is_to_cost_more() -> None:
    policy = Experiment().forgetting()
    sizes = [Conditions(365, calls, calls) for calls in (10, 500, 10_000, 1_000_000)]
    costs = [cost_of(policy, size, Experiment().profiles) for size in sizes]
    assert sorted(costs, key=lambda cost: cost.seconds) == costs
    assert costs[1].seconds < 3
    assert costs[2].megabytes < 1_500
    assert costs[2].seconds < 60
    conditions, profiles = Conditions(), Experiment().profiles
    tmd = cost_of(Experiment().forgetting(), conditions, profiles)
    lru = cost_of(Experiment(policy="lru").forgetting(), conditions, profiles)
    assert lru.megabytes > 5 * tmd.megabytes


async def test_experiments_run_in_their_order_unless_they_take_too_much() -> None:
    other = replace(SMALL, seed=2)
    done = await Simulations().run(SMALL, other)
    assert isinstance(done, list)
    assert [summary.to_json() for summary in done] == [SMALL.run().to_json(), other.run().to_json()]
    refused = await Simulations(Limits(megabytes=0.01)).run(SMALL)
    assert refused.cost.megabytes > 0.01


async def begun(simulations: Simulations) -> None:
    while not simulations.done:  # noqa: ASYNC110 - it begins on a thread
        await asyncio.sleep(0.001)


async def test_a_second_one_is_told_how_far_the_first_is_and_who_watches_ends_it() -> None:
    over = threading.Event()

    def watch(done: int, total: int) -> None:
        assert 0 < done <= total
        if over.is_set():
            raise JobCancelled

    simulations = Simulations()
    first = asyncio.create_task(simulations.run(LONG, tell=watch))
    await begun(simulations)
    busy = await simulations.run(SMALL)
    assert 0 < busy.done < 1
    over.set()
    with pytest.raises(JobCancelled):
        await first
    assert simulations.done is None


async def test_a_cancelled_call_leaves_no_simulation_behind() -> None:
    simulations = Simulations()
    task = asyncio.create_task(simulations.run(LONG))
    await begun(simulations)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert simulations.done is None
    assert isinstance(await simulations.run(SMALL), list)
