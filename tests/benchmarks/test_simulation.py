"""The simulator's command line: what it prints, and how it refuses."""

import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.profile_file import BadProfiles, read_profiles
from astrbot_plugin_tidemark.benchmarks.simulation import main
from astrbot_plugin_tidemark.core.simulation.usage_profiles import PROFILES

SHIPPED = Path(__file__).parents[2] / "benchmarks" / "profiles.yaml"
SHORT = ["--days", "40", "--calls", "5"]
KEYS = (
    "created forgotten deletion_ratio survivors tier0 tier1 tier2 mean_lifetime_days"
    " p90_lifetime_days monthly_survivors"
).split()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*SHORT, *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()


def profiles(folder: Path, text: str) -> str:
    file = folder / "profiles.yaml"
    file.write_text(text, "utf-8")
    return str(file)


def test_json_has_the_documented_keys_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(printed(capsys, "--json"))
    assert list(document) == [*KEYS, "profiles"]
    assert document["created"] == 200
    assert [list(part) for part in document["profiles"].values()] == [KEYS] * 6


def test_without_json_a_table_has_a_row_per_profile(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    assert lines[1].split()[:2] == ["all", "200"]
    assert len(lines) == 1 + 7 + 1


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--seed", "7", "--json") == printed(capsys, "--seed", "7", "--json")


def test_every_option_reaches_the_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    plain = printed(capsys, "--json")
    options = [
        ("--top-k", "0"),
        ("--useful-prob", "0.5"),
        ("--consolidate-speed", "10"),
        ("--policy", "random_drop"),
        ("--set", "cycle_tier0_days=9"),
    ]
    outcomes = [printed(capsys, *option, "--json") for option in options]
    assert plain not in outcomes
    assert len(set(outcomes)) == len(outcomes)


def test_a_grid_has_every_initial_strength_with_every_boost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = json.loads(
        printed(capsys, "--grid", "--json", "--strengths", "4,8", "--boosts", "1,2,3")
    )
    cells = [(row["initial_strength"], row["useful_boost"]) for row in rows]
    assert cells == [(4, 1), (4, 2), (4, 3), (8, 1), (8, 2), (8, 3)]
    assert all(list(row)[2:] == KEYS for row in rows)
    assert rows[0]["mean_lifetime_days"] < rows[3]["mean_lifetime_days"]


def test_a_grid_is_printed_as_a_table_too(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--grid", "--strengths", "4,8", "--boosts", "1").splitlines()
    assert [line.split()[0] for line in lines] == ["initial_strength", "4", "8"]


def test_all_bad_options_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    lines = refused(
        capsys,
        *("--days", "0", "--calls", "nine", "--policy", "none", "--seed", "-1"),
        *("--set", "speed=2", "--strengths", "4,,5", "--boosts", "1000"),
    )
    names = ["days", "calls", "policy", "seed", "speed", "strengths", "boosts"]
    assert [line.split()[0] for line in lines] == names


@pytest.mark.parametrize("days", ["0", "-5", "1e9", "٣", "NaN", ""])
def test_impossible_days_are_refused(capsys: pytest.CaptureFixture[str], days: str) -> None:
    assert refused(capsys, f"--days={days}")[0].startswith("days must be a whole number 1..")


def test_a_gigantic_run_is_refused_with_an_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = refused(capsys, "--days", "36500", "--calls", "1000000")
    assert line.startswith("too large: about ")


def test_the_shipped_profiles_are_the_default() -> None:
    assert read_profiles(SHIPPED) == PROFILES


def test_profiles_of_ones_own_are_simulated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = "profiles: [{name: 独, strength: 3, p_start: 1, new_prob: 1}]"
    document = json.loads(printed(capsys, "--json", "--profiles", profiles(tmp_path, text)))
    assert list(document["profiles"]) == ["独"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("profiles: [", "not YAML"),
        ("\x00", "not YAML"),
        ("", "needs a list"),
        ("- 1", "needs a list"),
        ("profiles: {}", "needs a list"),
        ("profiles: []", "needs a list"),
        ("profiles: [3]", "must be an object"),
        ("profiles: [{name: a, strength: 4, new_prob: 0}]", "no memory is ever made"),
        (
            "profiles: [{name: a, strength: 4}, {name: a, strength: 4}]",
            "two profiles have the same name",
        ),
    ],
)
def test_a_file_that_holds_no_profiles_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, problem: str
) -> None:
    (line,) = refused(capsys, "--profiles", profiles(tmp_path, text))
    assert problem in line


def test_everything_wrong_with_profiles_and_options_is_told_together(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = """
profiles:
  - {strength: 0, p_start: .nan, colour: red}
  - {name: 5, strength: true, hot_days: 1.5, yearly: often}
"""
    lines = refused(capsys, "--profiles", profiles(tmp_path, text), "--days", "0")
    said = "\n".join(lines)
    for problem in ("lacks name", "has no colour", "strength must be", "p_start must be"):
        assert f"profile 1: {problem}" in said
    for problem in ("strength must be", "hot_days must be", "name must be", "yearly must be"):
        assert f"profile 2: {problem}" in said
    assert "days must be" in said
    assert len(lines) == 9


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadProfiles, match="No such file"):
        read_profiles(tmp_path / "none.yaml")
