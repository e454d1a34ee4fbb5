"""What servers write into Retry-After."""

import math

import pytest
from astrbot_plugin_tidemark.core.endpoints.retry_after import retry_after
from hypothesis import given
from hypothesis import strategies as st

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
