"""The benchmark of a recall's cost prints what it documents, and knows the same answers again."""

from typing import Any

import pytest

from .conftest import documented, keys, run

SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Two runs over the same 80 generated memories, the second against the first."""
    folder = tmp_path_factory.mktemp("recall-cost")
    kept, answers = str(folder / "kept"), str(folder / "answers.json")
    asked = ("--sizes", "80", "--questions", "6", "--keep", kept)
    return [
        run("recall_cost", *asked, "--answers", answers),
        run("recall_cost", *asked, "--against", answers),
    ]


def test_every_key_is_documented(both: list[dict[str, Any]]) -> None:
    for result in both:
        assert keys(result) - SPREAD - set(result["targets"]) <= documented("recall_cost")


def test_every_question_is_counted_once_in_each_pass(both: list[dict[str, Any]]) -> None:
    (size,) = both[0]["measured"]
    assert (size["memories"], size["questions"]) == (80, 6)
    for asked in ("first", "again"):
        for clock in ("processor", "clock"):
            assert {size[asked][clock][what]["n"] for what in ("recall", "text", "vector")} == {6}


def test_the_same_version_recalls_the_same_from_what_was_kept(both: list[dict[str, Any]]) -> None:
    (size,) = both[1]["measured"]
    assert size["shown"] > 0
    assert size["against"] == {
        "questions": 6,
        "block": 0,
        "memories": 0,
        "order": 0,
        "first_different": [],
    }
