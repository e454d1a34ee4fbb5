"""What `dev.py test` runs, and that it fails when any of it fails."""

import importlib
import sys
from types import ModuleType

import pytest
from astrbot_plugin_tidemark.scripts import bootstrap

PASSES = ("this",)
FAILS = ("json.tool", "/nowhere.json")


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The command line, which is run as a script and finds bootstrap beside itself."""
    monkeypatch.setitem(sys.modules, "bootstrap", bootstrap)
    monkeypatch.setattr(sys, "path", list(sys.path))
    module = importlib.import_module("astrbot_plugin_tidemark.scripts.dev")
    for name, steps in (("CHECKS", (PASSES,)), ("TYPES", PASSES), ("TESTS", PASSES)):
        monkeypatch.setattr(module, name, steps)
    return module


def test_what_passes_passes(dev: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    assert dev.test(["tests/core"]) == 0
    told = capfd.readouterr().out
    assert "== this tests/core\n" in told
    assert told.endswith("all checks passed\n")


@pytest.mark.parametrize("step", ["CHECKS", "TYPES", "TESTS"])
def test_whichever_step_fails_the_command_fails_after_running_the_others(
    step: str, dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, step, (FAILS,) if step == "CHECKS" else FAILS)
    assert dev.test([]) == 1
    told = capfd.readouterr().out
    assert told.count("The Zen of Python") == 2
    assert told.endswith("failed: json.tool\n")


@pytest.mark.parametrize(
    "wrong",
    [
        "clock --days -5",
        "clock --days nan",
        "clock --days inf",
        "run --fast-forward -1",
        "run --port 0",
        "run --port 70000",
        "replay x.json --fast-forward -0.5",
        "replay x.json --limit 0",
        "replay x.json --ask-every -20",
        "soak --turns -1",
        "soak --kills 0",
        "soak --hours 0",
        "soak --hours nan",
        "fuzz --cases -1",
    ],
)
def test_a_number_that_makes_no_sense_is_refused_before_anything_is_done(
    wrong: str, dev: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        dev.parser().parse_args(wrong.split())
    option = next(word for word in wrong.split() if word.startswith("--"))
    assert refused.value.code == 2
    assert f"error: argument {option}: " in capsys.readouterr().err
