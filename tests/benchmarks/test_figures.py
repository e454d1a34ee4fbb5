"""Samples are summed up by nearest rank; a loop that is not free is seen."""

import time

from astrbot_plugin_tidemark.benchmarks.command import target
from astrbot_plugin_tidemark.benchmarks.figures import quantile
from astrbot_plugin_tidemark.benchmarks.heartbeat import heartbeat
from hypothesis import given, settings
from hypothesis import strategies as st

samples = st.lists(st.floats(0, 1e6), min_size=1, max_size=60)


@settings(deadline=None)
@given(samples, st.floats(0, 1))
def test_a_quantile_is_a_sample_with_its_share_below(values: list[float], share: float) -> None:
    found = quantile(sorted(values), share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_a_goal_is_met_up_to_its_limit() -> None:
    assert target(10.0, 10.0)["met"] is True
    assert target(10.0, 10.1)["met"] is False
    assert target(10.0, None)["met"] is None


async def test_a_blocked_event_loop_is_seen_by_the_heartbeat() -> None:
    async with heartbeat() as late:
        time.sleep(0.03)  # noqa: ASYNC251 - the fault to be seen
    assert max(late) >= 20.0
