"""The examples of the page on forgetting do what it says, and no policy is left out of it."""

import re
from pathlib import Path

from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES

from .worked_examples import run_examples

PAGE = Path(__file__).resolve().parent.parent / "docs" / "forgetting.md"


def test_every_worked_example_gives_what_the_page_says() -> None:
    outcome, told = run_examples(PAGE)
    assert outcome.attempted > 30
    assert outcome.failed == 0, told


def test_every_policy_has_a_section_with_an_example() -> None:
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    with_example = {s.splitlines()[0] for s in sections if ">>> " in s}
    assert set(NAMES) <= with_example
