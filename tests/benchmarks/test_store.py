"""The store benchmark prints what its documentation says."""

from typing import Any

from .conftest import documented, keys

type Result = dict[str, Any]
SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}


def of(backend: str, measured: list[Result]) -> Result:
    (only,) = [each for each in measured if each["backend"] == backend]
    return only


def test_every_key_is_documented(store_result: Result) -> None:
    targets = set(store_result["targets"])
    assert keys(store_result) - SPREAD - targets <= documented("store")


def test_everything_asked_for_is_done(store_result: Result) -> None:
    for scope in store_result["scopes"]:
        assert scope["memories"] == 80
        assert {scope["search_ms"][leg]["n"] for leg in ("text", "vector", "hybrid")} == {8}
        assert scope["feedback_of_10_ms"]["n"] == 2
        assert min(scope["inserts_per_s"].values()) > 0
        assert min(scope["vectors_per_s"].values()) > 0


def test_memories_are_forgotten_in_every_scope(store_result: Result) -> None:
    counts = {
        (each["records"], each["scopes"], each["weakened"], each["binned"])
        for each in store_result["populations"]
    }
    assert len(counts) == 1
    ((records, scopes, weakened, _),) = counts
    assert (records, scopes) == (300, 10)
    assert 300 <= weakened <= 900


def test_a_store_has_a_size_and_a_cold_start(store_result: Result) -> None:
    for part in ("scopes", "populations"):
        kept = of("sqlite", store_result[part])
        assert kept["file_mb"] > 0
        assert kept["cold_start"]["open_ms"]["n"] == 1
        memory = kept["cold_start"]["resident_mb"]
        assert memory["searched"] >= memory["opened"] > 0


def test_a_cold_start_is_ready_when_imported_and_open(store_result: Result) -> None:
    start = of("sqlite", store_result["scopes"])["cold_start"]
    parts = start["import_ms"]["p50"] + start["open_ms"]["p50"]
    assert abs(start["ready_ms"]["p50"] - parts) < 0.01


def test_the_machine_is_described(store_result: Result) -> None:
    machine = store_result["machine"]
    assert machine["cores"] >= 1
    assert machine["python"].count(".") == 2
    assert set(machine) >= {"sqlite", "numpy", "faiss", "system", "load_before", "load_after"}


def test_the_goals_say_what_was_measured(store_result: Result) -> None:
    for goal in store_result["targets"].values():
        assert goal["met"] is (goal["measured"] <= goal["limit"])
