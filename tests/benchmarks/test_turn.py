"""The turn benchmark prints what its documentation says, and its figures hang together."""

from typing import Any

import pytest

from .conftest import documented, keys

type Result = dict[str, Any]
SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}


@pytest.fixture
def size(turn_result: Result) -> Result:
    (only,) = turn_result["sizes"]
    return only


def test_every_key_is_documented(turn_result: Result) -> None:
    targets = set(turn_result["targets"])
    assert keys(turn_result) - SPREAD - targets <= documented("turn")


def test_the_sizes_asked_for_are_measured(size: Result) -> None:
    assert (size["memories"], size["other_scopes"]) == (60, 2)
