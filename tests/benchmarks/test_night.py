"""The night benchmark at a tiny size prints what it says."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks import night_speed


def test_it_times_every_step_of_a_night_and_judges_its_own_size_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--scopes", "2", "--memories", "60", "--turns", "4", "--json"]
    # Without weights the hashed embedder stands in.
    night_speed.main([*arguments, "--folder", str(tmp_path), "--models", str(tmp_path / "none")])
    printed = json.loads(capsys.readouterr().out)
    assert (printed["scopes"], printed["memories"], printed["embedder"]) == (2, 60, "hashed")
    steps = printed["steps"]
    assert {"decay", "merging", "intentions", "profile", "purge", "condense"} <= steps.keys()
    assert {name: each["runs"] for name, each in steps.items()} == {
        name: 1 if name in ("purge", "condense") else 2 for name in steps
    }
    assert printed["counts"]["weakened"] > 0
    assert sum(each["cpu_s"] for each in steps.values()) <= printed["night"]["cpu_s"] + 0.1
    assert printed["looped_ms"]["n"] == printed["late_ms"]["n"] > 0
    assert printed["targets"]["night_cpu_s"] == {"limit": 60.0, "measured": None, "met": None}
    assert not list(tmp_path.iterdir())
