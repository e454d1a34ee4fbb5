"""What `dev.py test` runs, that generated pages are current, and that every package has a wheel."""

import importlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.commands.chat.phrases import load_phrases
from astrbot_plugin_tidemark.scripts import bootstrap, generated_files, render
from astrbot_plugin_tidemark.scripts.wheels import PYTHONS, SYSTEMS, Unreachable, found, needed

from ..strength import only_long

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
        "soak --rounds 0",
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


def test_the_pages_in_the_repository_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert render.main(["--check"]) == 0, capsys.readouterr().out


def test_every_command_is_documented_in_both_languages_and_no_other() -> None:
    page = (generated_files.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for phrases in load_phrases().messages.values():
        for command in COMMANDS:
            usage = phrases[f"usage.{command.name}"].replace("|", "\\|")
            assert f"| `/memory {usage}` |" in page
    page = (generated_files.ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `/memory ([\w-]+)", page, re.MULTILINE)
    assert documented == [(each.within or each.name).split()[0] for each in COMMANDS] * 2
    for page in generated_files.files().values():
        for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
            cells = {row.replace("\\|", "").count("|") for row in table.splitlines()}
            assert len(cells) == 1


def test_an_old_page_is_named_by_the_check_and_renewed_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "commands.md"
    page.write_text("old", encoding="utf-8")
    monkeypatch.setattr(generated_files, "files", lambda: {page: "new"})
    monkeypatch.setattr(render, "ROOT", tmp_path)
    assert render.main(["--check"]) == 1
    assert page.read_text(encoding="utf-8") == "old"
    assert "commands.md is not current: run python -m scripts.render" in (capsys.readouterr().out)
    assert render.main([]) == 0
    assert page.read_text(encoding="utf-8") == "new"
    assert render.main(["--check"]) == 0


NOWHERE = {("macOS x86-64", "3.14"): {"onnxruntime>=1.20,<2", "chromadb>=1.5,<2"}}
"""Without the first, which the second needs, there is no local model; without the second there is
no backend but SQLite.
"""


def test_what_is_needed_is_read_from_where_it_is_declared() -> None:
    names = " ".join(needed())
    for name in ("json-repair", "tzdata", "chromadb>=1.5,<2", "onnxruntime", "tokenizers", "numpy"):
        assert name in names


@only_long
def test_every_python_finds_a_wheel_of_everything_on_every_system() -> None:
    def missing(place: tuple[str, str]) -> list[str]:
        wanted = [each for each in needed() if each not in NOWHERE.get(place, ())]
        return [each for each, version in found(wanted, *place).items() if not version]

    places = list(product(SYSTEMS, PYTHONS))
    try:
        # What the first has asked the index is kept, and not asked again by the others.
        lacking = {places[0]: missing(places[0])}
        with ThreadPoolExecutor(max_workers=4) as several:
            lacking |= zip(places[1:], several.map(missing, places[1:]), strict=True)
    except Unreachable as error:
        pytest.skip(f"the package index cannot be asked: {error}")
    assert {place: names for place, names in lacking.items() if names} == {}
