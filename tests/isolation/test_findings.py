"""`dev.py fuzz`: findings are counted once each, and what is printed says how to come back."""

import argparse
import json
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import dev, fuzz
from astrbot_plugin_tidemark.scripts.fuzzing import isolation
from astrbot_plugin_tidemark.scripts.fuzzing.findings import (
    LONGEST_SHOWN,
    Findings,
    chance_of,
    failure,
    shortened,
)


def test_a_problem_seen_again_is_counted_not_listed_twice() -> None:
    findings = Findings()
    assert not findings.repeated("show raised ValueError")
    findings.add("show raised ValueError", 7, "show \0")
    assert findings.repeated("show raised ValueError")
    findings.add("earlier", 3, "")
    assert findings.listed() == [
        {"problem": "earlier", "case": 3, "input": "''", "seen": 1},
        {"problem": "show raised ValueError", "case": 7, "input": "'show \\x00'", "seen": 2},
    ]


def test_an_exception_is_named_by_the_line_of_ours_it_came_from() -> None:
    try:
        chance_of(1, "x", 1).sample((), 2)
    except ValueError as error:
        named = failure(error)
    assert named.startswith("ValueError in test_findings.py, test_an_exception")


def test_chance_depends_on_its_key_and_a_long_input_shows_its_ends() -> None:
    drawn = [
        chance_of(*key).random() for key in [(1, "a", 1), (1, "a", 1), (2, "a", 1), (1, "b", 1)]
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3
    shown = shortened("a" + "x" * 1_000_000 + "z")
    assert len(shown) <= LONGEST_SHOWN + 40
    assert shown.startswith("'ax")
    assert shown.endswith("xz'")


def arguments(*given: str) -> argparse.Namespace:
    return dev.parser().parse_args(["fuzz", *given])


async def test_a_finding_fails_the_command_and_is_printed_for_people_or_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dirty(cases: int, seed: int) -> Findings:
        findings = Findings()
        findings.add("search raised KeyError", 3, f"{cases} {seed}")
        return findings

    monkeypatch.setattr(isolation, "run", dirty)
    assert await fuzz.main(arguments("--seed", "9", "--cases", "5", "--json"), tmp_path) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["seed"], told["cases"]) == (9, 5)
    finding = {"problem": "search raised KeyError", "case": 3, "input": "'5 9'", "seen": 1}
    assert told["findings"] == [finding]
    await fuzz.main(arguments("--seed", "9"), tmp_path)
    printed = capsys.readouterr().out
    assert "10000 probes" in printed
    assert "seed 9, 1 findings" in printed
    assert "search raised KeyError (1 times, first case 3)" in printed
