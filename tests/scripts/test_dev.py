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


def test_the_output_of_the_type_checker_is_in_one_piece_after_the_tests(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "TYPES", ("platform",))
    dev.test([])
    last = capfd.readouterr().out.rpartition("== ")[2].splitlines()
    assert (last[0], len(last), last[-1]) == ("platform", 3, "all checks passed")
