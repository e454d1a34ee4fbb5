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


@pytest.mark.parametrize("installation", ["alone", "among", "busy"])
def test_every_turn_is_counted_in_every_spread(size: Result, installation: str) -> None:
    costs = size[installation]
    spreads = [figure for name, figure in costs.items() if isinstance(figure, dict)]
    assert {spread["n"] for spread in spreads} == {3}
    assert len(spreads) == 9


def test_a_turn_takes_at_least_as_long_as_its_recall(size: Result) -> None:
    costs = size["alone"]
    assert costs["total_ms"]["p5"] >= costs["recall_ms"]["p5"] > 0
    assert costs["recall_ms"]["max"] >= costs["text_leg_ms"]["max"] > 0
    assert costs["recall_ms"]["max"] >= costs["embedding_ms"]["max"] > 0


def test_without_weights_the_local_model_is_not_measured(size: Result) -> None:
    assert size["local"] is None
    assert size["alone"]["embedder"] == "hashed"


def test_time_passes_and_memories_arrive_while_turns_are_taken(size: Result) -> None:
    pressure = size["pressure"]
    assert pressure["decay_passes"] >= 1
    assert pressure["weakened"] > 0
    assert pressure["inserted"] >= 100


def test_the_event_loop_is_watched_in_every_phase(size: Result) -> None:
    assert set(size["stalls"]) == {"idle", "turns", "busy"}
    assert all(beats["n"] > 0 for beats in size["stalls"].values())


def test_goals_for_a_size_that_was_not_measured_are_neither_met_nor_missed(
    turn_result: Result,
) -> None:
    targets = turn_result["targets"]
    assert targets["total_p50_ms_at_10000"] == {"limit": 10.0, "measured": None, "met": None}
    assert targets["longest_stall_ms"]["met"] in (True, False)
