"""The pages on recall and forgetting: examples do what they say, tables name what there is."""

import re
from enum import StrEnum
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES
from astrbot_plugin_tidemark.core.recall.trace import Drop, Leg, SilenceReason
from astrbot_plugin_tidemark.core.scoring.decision import Column

from .worked_examples import run_examples

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "recall.md"


def test_examples_and_module_names_are_true() -> None:
    outcome, told = run_examples(PAGE)
    assert outcome.attempted >= 7
    assert outcome.failed == 0, told
    steps = PAGE.read_text("utf-8").split("\n\n")[2]
    last = [re.split(r" {2,}|▶ ", line.strip())[-1] for line in steps.splitlines()[2:-1]]
    modules = {name.strip(" /") for names in last for name in names.split(",")}
    assert len(modules) > 9
    missing = {
        name
        for name in modules
        if not list((ROOT / "core").rglob(f"{name}.py")) and not list((ROOT / "core").rglob(name))
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("column", "names"),
    [("leg", Leg), ("column", Column), ("silence", SilenceReason), ("reason", Drop)],
)
def test_a_table_has_a_row_for_everything_of_its_sort(column: str, names: type[StrEnum]) -> None:
    (table,) = re.findall(rf"^\| {column} \|.*\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.M)
    rows = re.findall(r"^\| `(\w+)` \|", table, re.M)
    assert sorted(rows) == sorted(names)


FORGETTING = Path(__file__).resolve().parent.parent / "docs" / "forgetting.md"


def test_every_worked_example_gives_what_the_page_says() -> None:
    outcome, told = run_examples(FORGETTING)
    assert outcome.attempted > 30
    assert outcome.failed == 0, told


def test_every_policy_has_a_section_with_an_example() -> None:
    sections = re.split(r"^## ", FORGETTING.read_text("utf-8"), flags=re.MULTILINE)
    with_example = {s.splitlines()[0] for s in sections if ">>> " in s}
    assert set(NAMES) <= with_example
