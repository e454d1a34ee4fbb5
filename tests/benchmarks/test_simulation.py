"""The simulator's command line: what it prints, and how it refuses."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.simulation import main

SHORT = ["--days", "40", "--calls", "5"]
KEYS = (
    "created forgotten deletion_ratio survivors tier0 tier1 tier2 mean_lifetime_days"
    " p90_lifetime_days monthly_survivors"
).split()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*SHORT, *arguments]) == 0
    return capsys.readouterr().out


def profiles(folder: Path, text: str) -> str:
    file = folder / "profiles.yaml"
    file.write_text(text, "utf-8")
    return str(file)


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


def test_own_profiles_are_simulated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "profiles: [{name: 独, strength: 3, p_start: 1, new_prob: 1}]"
    document = json.loads(printed(capsys, "--json", "--profiles", profiles(tmp_path, text)))
    assert list(document["profiles"]) == ["独"]
