"""When a server is left alone, and what it says of when to come again."""

import math
from itertools import pairwise

import pytest
from astrbot_plugin_tidemark.core.endpoints.replies import Breaker, retry_after
from hypothesis import given
from hypothesis import strategies as st


def broken(at: float = 0.0) -> Breaker:
    breaker = Breaker(most_failures=3, rest_seconds=10.0)
    for _ in range(3):
        breaker.failed(at)
    return breaker


def test_only_many_failures_open_it_and_one_probe_at_a_time_goes() -> None:
    breaker = Breaker(most_failures=3)
    breaker.failed(0.0)
    breaker.failed(0.0)
    assert breaker.admits(0.0)
    breaker = Breaker(most_failures=2)
    breaker.failed(0.0)
    breaker.succeeded()
    breaker.failed(0.0)
    assert breaker.admits(0.0)
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


NOW = 1_700_000_000.0
SOON = "Tue, 14 Nov 2023 22:13:25 GMT"
"""Five seconds later."""


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("7", 7.0), (" 7 ", 7.0), ("0", 0.0), ("99999999999", 30.0), (SOON, 5.0), ("", 0.0)],
)
def test_seconds_and_moments_are_read(told: str, seconds: float) -> None:
    assert retry_after(429, {"Retry-After": told}, now=NOW, most=30.0) == seconds


def test_a_moment_is_read_by_the_clock_of_the_server() -> None:
    headers = {"Retry-After": SOON, "Date": "Tue, 14 Nov 2023 22:13:24 GMT"}
    assert retry_after(503, headers, now=NOW + 9_999, most=30.0) == 1.0


@pytest.mark.parametrize("status", [200, 401, 500, 502])
def test_other_answers_ask_for_nothing(status: int) -> None:
    assert retry_after(status, {"Retry-After": "7"}, now=NOW, most=30.0) == 0.0


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(max_size=9))
def test_no_answer_keeps_anybody_for_longer_than_the_most(told: str, date: str) -> None:
    headers = {"Retry-After": told, "Date": date}
    seconds = retry_after(429, headers, now=NOW, most=30.0)
    assert math.isfinite(seconds)
    assert 0.0 <= seconds <= 30.0
