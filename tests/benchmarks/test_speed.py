"""Benchmarks of speed print what their documentation says, and their figures hang together."""

import argparse
from pathlib import Path
from typing import Any

from astrbot_plugin_tidemark.benchmarks.scale_cost import measure

from ..strength import only_long
from .conftest import documented, keys, run

SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}
MEDIANS = {"record_p50_ms", "recall_p50_ms"} | {
    f"{phase}_{part}_ms"
    for phase in ("stall", "computed", "loop", "step", "idle")
    for part in ("p99", "max")
}
BACKENDS = {"sqlite", "chroma"}


def undocumented(result: dict[str, Any], benchmark: str, *named: str) -> set[str]:
    return keys(result) - SPREAD - {*result.get("targets", ()), *named} - documented(benchmark)


def test_turns_over_memories_among_other_scopes() -> None:
    result = run("turn", "--sizes", "60", "--turns", "3", "--others", "2", "--models", "none")
    (size,) = result["sizes"]
    assert (size["memories"], size["other_scopes"]) == (60, 2)
    assert undocumented(result, "turn") == set()


@only_long
def test_a_store_is_written_asked_and_started_again() -> None:
    asked = ("--queries", "8", "--feedbacks", "2", "--restarts", "1")
    result = run("store", "--sizes", "80", "--records", "300", "--scopes", "10", *asked)
    for scope in result["scopes"]:
        assert scope["memories"] == 80
        assert {scope["search_ms"][leg]["n"] for leg in ("text", "vector", "hybrid")} == {8}
        assert scope["feedback_of_10_ms"]["n"] == 2
        assert min(scope["inserts_per_s"].values()) > 0
        assert min(scope["vectors_per_s"].values()) > 0
    assert undocumented(result, "store") == set()


@only_long
def test_a_crowd_writes_to_every_backend_and_asks_it() -> None:
    people = ("--writers", "3", "--readers", "2", "--seconds", "1", "--runs", "1")
    result = run("crowd", "--sizes", "20", *people)
    assert {crowd["backend"] for crowd in result["crowds"]} == BACKENDS
    for crowd in result["crowds"]:
        assert min(crowd["record_ms"]["p50"], crowd["recall_ms"]["p50"]) > 0
        assert min(crowd["recorded_per_s"], crowd["recalled_per_s"]) > 0
    assert undocumented(result, "crowd", *MEDIANS, *BACKENDS) == set()


async def test_the_slope_between_two_sizes_is_told(tmp_path: Path) -> None:
    asked = argparse.Namespace(
        sizes=(40, 120), scope=40, queries=6, backends=("sqlite",), seed=1, folder=tmp_path
    )
    told = await measure(asked)
    assert undocumented(told, "scale", "sqlite") == set()
    small, large = told["measured"]
    assert (small["memories"], large["memories"], large["scopes"]) == (40, 120, 3)
    assert large["recall_ms"]["n"] == 6
    assert set(told["per_million"]["sqlite"]) == {"disk_gb", "fill_hours", "decay_minutes"}


def test_the_same_version_recalls_the_same_from_what_was_kept(tmp_path: Path) -> None:
    kept, answers = str(tmp_path / "kept"), str(tmp_path / "answers.json")
    asked = ("--sizes", "80", "--questions", "6", "--keep", kept)
    first = run("recall_cost", *asked, "--answers", answers)
    again = run("recall_cost", *asked, "--against", answers)
    assert undocumented(first, "recall_cost") == undocumented(again, "recall_cost") == set()
    (size,) = first["measured"]
    assert (size["memories"], size["questions"]) == (80, 6)
    for asking in ("first", "again"):
        for clock in ("processor", "clock"):
            assert {size[asking][clock][what]["n"] for what in ("recall", "text", "vector")} == {6}
    (size,) = again["measured"]
    assert size["shown"] > 0
    same = {"block": 0, "memories": 0, "order": 0, "first_different": []}
    assert size["against"] == {"questions": 6, **same}
