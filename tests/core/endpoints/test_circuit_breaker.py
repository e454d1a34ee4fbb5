"""When a server that does not answer is left alone, and when it is tried again."""

from itertools import pairwise

from astrbot_plugin_tidemark.core.endpoints.circuit_breaker import Breaker
from hypothesis import given
from hypothesis import strategies as st


def broken(at: float = 0.0) -> Breaker:
    breaker = Breaker(most_failures=3, rest_seconds=10.0)
    for _ in range(3):
        breaker.failed(at)
    return breaker


def test_a_few_failures_do_not_open_it() -> None:
    breaker = Breaker(most_failures=3)
    breaker.failed(0.0)
    breaker.failed(0.0)
    assert breaker.admits(0.0)
    breaker = Breaker(most_failures=2)
    breaker.failed(0.0)
    breaker.succeeded()
    breaker.failed(0.0)
    assert breaker.admits(0.0)


def test_an_open_one_admits_one_probe_at_a_time_once_it_has_rested() -> None:
    breaker = broken(at=100.0)
    assert not breaker.admits(100.0)
    assert not breaker.admits(109.9)
    assert breaker.admits(110.0)
    breaker = broken()
    assert breaker.admits(10.0)
    assert not breaker.admits(10.0)
    assert not breaker.admits(19.9)
    assert breaker.admits(20.0)


def test_a_probe_that_fails_keeps_it_open_and_one_that_succeeds_closes_it() -> None:
    breaker = broken()
    assert breaker.admits(10.0)
    breaker.failed(12.0)
    assert not breaker.admits(21.9)
    assert breaker.admits(22.0)
    breaker = broken()
    assert breaker.admits(10.0)
    breaker.succeeded()
    assert all(breaker.admits(10.0) for _ in range(5))


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=40))
def test_a_dead_server_is_asked_at_most_once_per_rest(times: list[float]) -> None:
    breaker = broken()
    asked: list[float] = []
    for now in sorted(times):
        if breaker.admits(now):
            asked.append(now)
            breaker.failed(now)
    assert all(later - earlier >= 10.0 for earlier, later in pairwise(asked))
