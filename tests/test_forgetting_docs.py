"""The examples of the page on forgetting do what it says, and no policy is left out of it."""

import doctest
import re
from pathlib import Path

from astrbot_plugin_tidemark.core.forgetting.catalogue import NAMES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "forgetting.md"


def test_every_worked_example_gives_what_the_page_says() -> None:
    told: list[str] = []
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    examples = parser.get_doctest(PAGE.read_text("utf-8"), {}, PAGE.name, str(PAGE), 0)
    outcome = runner.run(examples, out=told.append)
    assert outcome.attempted > 30
    assert outcome.failed == 0, "".join(told)


def test_every_policy_has_a_section_with_an_example() -> None:
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    with_example = {s.splitlines()[0] for s in sections if ">>> " in s}
    assert set(NAMES) <= with_example
