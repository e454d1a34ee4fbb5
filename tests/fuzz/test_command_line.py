"""`dev.py fuzz`: which kinds run, what is printed, and what the exit code says."""

import argparse
import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts import dev, fuzz
from astrbot_plugin_tidemark.scripts.fuzzing.findings import Findings


def arguments(*given: str) -> argparse.Namespace:
    return dev.parser().parse_args(["fuzz", *given])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The real kinds replaced by two that note how they are called; the second finds something."""
    made: list[tuple[str, int, int]] = []

    async def clean(cases: int, seed: int) -> Findings:
        made.append(("config", cases, seed))
        return Findings()

    async def dirty(cases: int, seed: int) -> Findings:
        made.append(("replies", cases, seed))
        findings = Findings()
        findings.add("learning raised KeyError", 3, "{}")
        return findings

    monkeypatch.setattr(fuzz, "KINDS", MappingProxyType({"config": clean, "replies": dirty}))
    return made


def test_ten_thousand_cases_of_every_kind_are_the_default() -> None:
    assert arguments().cases == 10_000
    assert set(fuzz.KINDS) == {"commands", "config", "replies", "isolation"}
    for kind in fuzz.KINDS:
        assert arguments("--only", kind).only == kind


async def test_every_kind_gets_the_same_seed(calls: list[Any], tmp_path: Path) -> None:
    await fuzz.main(arguments("--cases", "5"), tmp_path)
    assert [kind for kind, _, _ in calls] == ["config", "replies"]
    assert len({(cases, seed) for _, cases, seed in calls}) == 1


async def test_only_what_is_asked_for_runs(calls: list[Any], tmp_path: Path) -> None:
    code = await fuzz.main(arguments("--only", "config", "--seed", "9", "--cases", "5"), tmp_path)
    assert calls == [("config", 5, 9)]
    assert code == 0


async def test_a_finding_is_printed_as_json_and_fails_the_command(
    calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await fuzz.main(arguments("--seed", "9", "--cases", "5", "--json"), tmp_path) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["seed"] == 9
    assert told["kinds"]["config"]["cases"] == 5
    (finding,) = told["kinds"]["replies"]["findings"]
    assert finding == {"problem": "learning raised KeyError", "case": 3, "input": "'{}'", "seen": 1}


async def test_without_json_a_person_reads_seed_count_and_input(
    calls: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fuzz.main(arguments("--seed", "9", "--cases", "5"), tmp_path)
    printed = capsys.readouterr().out
    assert "seed 9, 1 findings" in printed
    assert "learning raised KeyError (1 times, first case 3)" in printed
