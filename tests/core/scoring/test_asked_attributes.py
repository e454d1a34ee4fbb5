"""Which attribute a turn asks for, by its meaning, and reading the numbers that tell it."""

import json
from pathlib import Path

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.host.coefficients import (
    ASKED_ATTRIBUTES,
    asked_attributes,
    in_force,
)
from astrbot_plugin_tidemark.core.scoring.asked_attributes import (
    UNREAD,
    AskedAttributes,
    OfSpace,
)

SPACE = "local:test:2"
ASKED = AskedAttributes(
    (("boss",), ("job", "workplace"), ("workplace", "job"), ()),
    {SPACE: OfSpace(np.array([[9, 0], [0, 5], [0, 5], [0, 0]], np.float32), np.zeros(4, "f4"))},
)


def unreported(place: str, why: str) -> None:
    raise AssertionError(f"{place}: {why}")


def test_an_attribute_that_answers_several_topics_has_what_they_have_together() -> None:
    told = ASKED.likely(np.array([0.0, 1.0], np.float32), SPACE)
    assert told["job"] == told["workplace"] == pytest.approx(2 * np.e**5 / (2 * np.e**5 + 2))
    assert told["boss"] < 0.01
    assert ASKED.likely(np.array([1.0, 0.0], np.float32), SPACE)["boss"] > 0.99


@pytest.mark.parametrize(
    ("vector", "space"), [([0.0, 1.0], "another:space:2"), ([1.0, 0.0, 0.0], SPACE)]
)
def test_of_a_vector_of_another_space_nothing_is_told(vector: list[float], space: str) -> None:
    assert ASKED.likely(np.array(vector, np.float32), space) == {}
    assert UNREAD.likely(np.array(vector, np.float32), space) == {}


def test_every_footing_has_the_numbers_that_are_shipped() -> None:
    told = [model.asked for model in in_force(unreported).values()]
    assert all(each is told[0] for each in told)
    assert told[0].meaning
    assert sum(not keys for keys in told[0].topics) == 1


def test_the_file_says_how_its_numbers_came_about_and_names_no_hand_that_judges() -> None:
    document = json.loads(ASKED_ATTRIBUTES.read_text("utf-8"))
    assert document["command"] == "python -m benchmarks.fit_asked_attributes --write"
    judges = {"asking_f", "everyday_a", "everyday_b", "changes_a", "changes_b"}
    assert judges.isdisjoint(document["data"])
    figures = document["figures"]
    assert all(each["asked"] < 0.03 for each in figures["idle"].values())
    blind = [each for group, each in figures["changes"].items() if "hand b" in group]
    assert all(each["asked"] > each["listed"] for each in blind)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 99}', '{"version": 1, "topics": {}}', "9" * 5000]
    + [
        json.dumps({"version": 1, "topics": {"boss": ["boss"]}, "meaning": meaning})
        for meaning in (
            [],
            {"space": []},
            {"space": {"vectors": {"boss": [1.0]}, "bases": {}}},
            {"space": {"vectors": {"boss": ["x"]}, "bases": {"boss": 0.0}}},
            {"space": {"vectors": {"boss": [float("inf")]}, "bases": {"boss": 0.0}}},
            {"space": {"vectors": {"boss": 1.0}, "bases": {"boss": 0.0}}},
        )
    ],
)
def test_a_file_that_does_not_fit_is_reported_and_tells_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "asked_attributes.json"
    file.write_text(text, "utf-8")
    told: list[tuple[str, str]] = []
    assert asked_attributes(lambda *problem: told.append(problem), file) is UNREAD
    assert [where for where, _ in told] == ["asked_attributes"]
    assert "asked_attributes.json" in told[0][1]
