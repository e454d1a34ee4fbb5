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
