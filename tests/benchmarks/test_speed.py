"""Benchmarks of speed print what their documentation says, and their figures hang together."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks import night
from astrbot_plugin_tidemark.benchmarks.simulate import main

from .conftest import documented, keys, run

SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}


def test_a_turn_is_timed_by_its_steps_beside_two_searches() -> None:
    result = run("turn", "--sizes", "80", "--turns", "6")
    assert keys(result) - SPREAD - {*result["targets"]} <= documented("turn")
    (size,) = result["measured"]
    assert (size["memories"], size["turns"]) == (80, 6)
    for clock in ("processor", "clock"):
        assert {each["n"] for each in size[clock].values()} == {6}
        assert size[clock]["turn"]["p50"] > size[clock]["recall"]["p5"] > 0
    assert size["shown"] > 0


def test_what_a_million_cost_is_the_slope_between_two_sizes() -> None:
    small = ("--sizes", "40,80", "--scope", "40", "--queries", "3", "--backends", "sqlite")
    result = run("scale", *small)
    assert keys(result) - SPREAD - {"sqlite"} <= documented("scale")
    assert [(each["memories"], each["scopes"]) for each in result["measured"]] == [(40, 1), (80, 2)]
    assert result["per_million"]["sqlite"]["disk_gb"] > 0


def test_it_times_every_step_of_a_night_and_judges_its_own_size_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--scopes", "2", "--memories", "60", "--turns", "4", "--json"]
    # Without weights the hashed embedder stands in.
    night.main([*arguments, "--folder", str(tmp_path), "--models", str(tmp_path / "none")])
    printed = json.loads(capsys.readouterr().out)
    assert (printed["scopes"], printed["memories"], printed["embedder"]) == (2, 60, "hashed")
    steps = printed["steps"]
    assert {"decay", "merging", "intentions", "profile", "upkeep"} <= steps.keys()
    assert {name: each["runs"] for name, each in steps.items()} == {
        name: 1 if name == "upkeep" else 2 for name in steps
    }
    assert printed["counts"]["weakened"] > 0
    assert sum(each["cpu_s"] for each in steps.values()) <= printed["night"]["cpu_s"] + 0.1
    assert printed["looped_ms"]["n"] == printed["late_ms"]["n"] > 0
    assert printed["targets"]["night_cpu_s"] == {"limit": 60.0, "measured": None, "met": None}
    assert not list(tmp_path.iterdir())


KEYS = (
    "created forgotten deletion_ratio survivors tier0 tier1 tier2 mean_lifetime_days"
    " p90_lifetime_days monthly_survivors"
).split()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*"--days 40 --calls 5".split(), *arguments]) == 0
    return capsys.readouterr().out


def test_json_has_the_documented_keys_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(printed(capsys, "--json"))
    assert list(document) == [*KEYS, "profiles"]
    assert document["created"] == 200
    assert [list(part) for part in document["profiles"].values()] == [KEYS] * 6


def test_a_grid_has_every_strength_with_every_boost(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(
        printed(capsys, "--grid", "--json", "--strengths", "4,8", "--boosts", "1,2,3")
    )
    cells = [(row["initial_strength"], row["useful_boost"]) for row in rows]
    assert cells == [(4, 1), (4, 2), (4, 3), (8, 1), (8, 2), (8, 3)]
    assert all(list(row)[2:] == KEYS for row in rows)
    assert rows[0]["mean_lifetime_days"] < rows[3]["mean_lifetime_days"]


def test_profiles_of_a_file_are_simulated_and_all_that_is_wrong_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("profiles: [{name: tea, strength: 5, p_start: 0.1}]", "utf-8")
    assert list(json.loads(printed(capsys, "--json", "--profiles", str(file)))["profiles"]) == [
        "tea"
    ]
    file.write_text("profiles: [{name: tea, strength: 0, p_strat: 0.1}]", "utf-8")
    assert main(["--profiles", str(file)]) == 2
    said = capsys.readouterr().err
    assert "strength" in said
    assert "p_strat" in said
