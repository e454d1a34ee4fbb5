"""The benchmark of a crowd prints what its documentation says, and its figures hang together."""

from typing import Any

from .conftest import documented, keys

type Result = dict[str, Any]
SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}
MEDIANS = {"record_p50_ms", "recall_p50_ms"} | {
    f"{phase}_{part}_ms"
    for phase in ("stall", "computed", "loop", "step", "idle")
    for part in ("p99", "max")
}
BACKENDS = {"sqlite", "chroma"}


def test_every_key_is_documented(crowd_result: Result) -> None:
    named = SPREAD | MEDIANS | BACKENDS | set(crowd_result["targets"])
    assert keys(crowd_result) - named <= documented("crowd")


def test_every_backend_has_been_written_to_and_asked(crowd_result: Result) -> None:
    assert {crowd["backend"] for crowd in crowd_result["crowds"]} == BACKENDS
    for crowd in crowd_result["crowds"]:
        assert crowd["record_ms"]["p50"] > 0
        assert crowd["recall_ms"]["p50"] > 0
        assert crowd["recorded_per_s"] > 0


def test_a_median_over_one_run_is_that_run(crowd_result: Result) -> None:
    for crowd in crowd_result["crowds"]:
        medians = crowd_result["medians"][crowd["backend"]]
        assert medians["record_p50_ms"] == crowd["record_ms"]["p50"]
        assert medians["stall_max_ms"] == crowd["stalls"]["max"]


def test_what_the_loop_computes_is_told_by_place(crowd_result: Result) -> None:
    for crowd in crowd_result["crowds"]:
        assert crowd["longest"]
        assert all(each["place"] for each in crowd["longest"])
        assert max(each["max"] for each in crowd["longest"]) == crowd["steps"]["max"]
