"""The examples of a page of the documentation, run."""

import doctest
from pathlib import Path


def run_examples(page: Path) -> tuple[doctest.TestResults, str]:
    """How many were attempted and failed, and what is told of those that failed."""
    told: list[str] = []
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    examples = parser.get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
    return runner.run(examples, out=told.append), "".join(told)
