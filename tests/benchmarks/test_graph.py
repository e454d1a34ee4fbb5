"""The graph benchmark at a tiny size prints what it says."""

import json

import pytest
from astrbot_plugin_tidemark.benchmarks import graph_speed


def test_it_measures_every_size_and_the_parts_of_a_recall(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert graph_speed.main(["--sizes", "20,50", "--runs", "3", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(each["nodes"], each["edges"]) for each in printed["pagerank"]] == [(20, 80), (50, 200)]
    spreads = [*(each["ms"] for each in printed["pagerank"])]
    spreads += [printed["closeness_ms"], printed["candidates_ms"]]
    assert all(each["n"] == 3 and 0 <= each["p50"] <= each["max"] for each in spreads)
    assert printed["targets"]["pagerank_p50_ms"]["limit"] == graph_speed.LIMIT_MS
