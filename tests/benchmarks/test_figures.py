"""Samples are summed up by nearest rank; a loop that is not free is seen."""

import time

import pytest
from astrbot_plugin_tidemark.benchmarks.command import target, whole_numbers
from astrbot_plugin_tidemark.benchmarks.figures import quantile, rate, spread
from astrbot_plugin_tidemark.benchmarks.heartbeat import heartbeat
from hypothesis import given, settings
from hypothesis import strategies as st

from ..kit import until

samples = st.lists(st.floats(0, 1e6), min_size=1, max_size=60)


@settings(deadline=None)
@given(samples)
def test_a_spread_rises_from_p5_to_its_maximum(values: list[float]) -> None:
    figures = spread(values)
    ordered = [figures[name] for name in ("p5", "p50", "p95", "p99", "max")]
    assert ordered == sorted(ordered)
    assert figures["max"] == round(max(values), 3)
    assert figures["n"] == len(values)


@settings(deadline=None)
@given(samples, st.floats(0, 1))
def test_a_quantile_is_a_sample_with_its_share_at_or_below(
    values: list[float], share: float
) -> None:
    found = quantile(sorted(values), share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_no_samples_are_no_figures() -> None:
    assert spread([]) == {"n": 0}


def test_a_rate_over_no_time_is_nothing() -> None:
    assert rate(5, 0.0) == 0.0
    assert rate(5, 2.0) == 2.5


def test_a_goal_is_met_up_to_its_limit() -> None:
    assert target(10.0, 10.0)["met"] is True
    assert target(10.0, 10.1)["met"] is False
    assert target(10.0, None)["met"] is None


def test_sizes_are_read_from_a_list() -> None:
    assert whole_numbers("1000,20") == (1000, 20)
    with pytest.raises(ValueError, match="at least 1"):
        whole_numbers("0")


async def test_a_blocked_event_loop_is_seen_by_the_heartbeat() -> None:
    async with heartbeat() as late:
        time.sleep(0.03)  # noqa: ASYNC251 - the fault to be seen
    assert max(late) >= 20.0


async def test_a_block_that_yields_is_watched_throughout() -> None:
    async with heartbeat(0.001) as late:
        assert await until(lambda: len(late) >= 2)
