"""Where a stretch of talk turns to something else, and the file of the numbers that tell it."""

import json
from collections.abc import Sequence

import numpy as np
import pytest
from astrbot_plugin_tidemark.benchmarks.segmentation_fit import AGAINST
from astrbot_plugin_tidemark.core.model.conversation import Role, Turn
from astrbot_plugin_tidemark.core.scoring.boundaries import (
    BoundaryColumn,
    BoundaryModel,
    BoundaryModels,
    best_place,
    signals,
)
from astrbot_plugin_tidemark.core.scoring.fitted import BOUNDARIES, boundaries

from ...samples import ANN, HERE

BEES = ("the hives hum", "bees hum in hives", "hives need frames", "frames for hives")
BOATS = ("the boat leaks", "leaks in the boat", "tar the boat", "boats want tar")
NOT_SO = -1e9


def stretch(texts: Sequence[str], *, bots: Sequence[int] = ()) -> list[Turn]:
    return [
        Turn(n, "e", HERE, Role.ASSISTANT if n in bots else Role.USER, ANN, text, float(n))
        for n, text in enumerate(texts)
    ]


def only(column: BoundaryColumn, none: float = NOT_SO) -> BoundaryModels:
    model = BoundaryModel({column: 1.0}, none)
    return BoundaryModels(model, model)


def place(
    texts: Sequence[str], models: BoundaryModels, *, meaning: bool = False, bots: Sequence[int] = ()
) -> int | None:
    vectors = None
    if meaning:
        half = len(texts) // 2
        vectors = [np.eye(2, dtype=np.float32)[int(n >= half)] for n in range(len(texts))]
    return best_place(stretch(texts, bots=bots), vectors, models)


@pytest.mark.parametrize(
    "column", [BoundaryColumn.T_BLOCKS, BoundaryColumn.T_APART, BoundaryColumn.T_TOPICS]
)
def test_shared_terms_tell_two_topics_apart(column: BoundaryColumn) -> None:
    assert place([*BEES, *BOATS], only(column)) == 4


@pytest.mark.parametrize("column", ["m_centroid", "m_blocks", "m_apart"])
def test_vectors_tell_them_apart_where_words_do_not(column: str) -> None:
    texts = [f"word{n}" for n in range(8)]
    assert place(texts, only(BoundaryColumn(column)), meaning=True) == 4


def test_the_numbers_in_force_find_where_one_topic_ends_and_a_person_begins_another() -> None:
    models = boundaries(pytest.fail)
    assert models is not None
    texts = [*BEES, *BOATS]
    assert place(texts, models) == place(texts, models, meaning=True) == 4
    assert place([*BEES, *BOATS], only(BoundaryColumn.T_APART, none=9.0)) is None
    texts = ["x y", "boat", "boat", "boat", "boat", "boat"]
    found = place(texts, only(BoundaryColumn.T_CENTROID))
    assert found == 3
    assert place(texts[:5], only(BoundaryColumn.T_CENTROID)) is None
    assert place([*BEES, *BOATS], only(BoundaryColumn.T_APART), bots=[1, 4, 6]) in (3, 5)
    assert place([*BEES, *BOATS], only(BoundaryColumn.T_APART), bots=range(8)) is None


@pytest.mark.parametrize("texts", [[""] * 8, ["same"] * 8, ["嗯"] * 400, ["\ud800"] * 6])
def test_turns_that_tell_nothing_apart_give_numbers_all_the_same(texts: list[str]) -> None:
    known = signals(stretch(texts), [np.zeros(2, np.float32)] * len(texts))
    assert all(np.isfinite(row).all() and len(row) == len(texts) - 1 for row in known.values())


@pytest.mark.parametrize("text", ["Does it leak?", "它漏水吗"])
def test_a_question_is_followed_by_its_answer(text: str) -> None:
    asked = signals(stretch([text, "x", "x"]), None)[BoundaryColumn.ASKED]
    assert asked.tolist() == [1.0, 0.0]


def test_the_file_says_how_its_numbers_came_about_and_weighs_nothing_against_its_sense() -> None:
    document = json.loads(BOUNDARIES.read_text("utf-8"))
    assert document["command"].startswith("python -m benchmarks.segmentation")
    assert {"date", "data", "seed", "figures"} <= document.keys()
    models = boundaries(pytest.fail)
    for model in (models.meaning, models.words):
        assert all(model.weights.get(column, 0.0) <= 0.0 for column in AGAINST)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 1}', '{"version": 2, "models": {}}', "9" * 5000]
    + [
        json.dumps({"version": 2, "models": {"meaning": model, "words": model}})
        for model in (
            {"weights": {"unheard_of": 1}, "none": 0},
            {"weights": {"asked": "NaN"}, "none": 0},
            {"weights": [], "none": 0},
            {"weights": {}},
        )
    ],
)
def test_a_file_that_does_not_fit_is_reported_and_nothing_is_in_force(tmp_path, text: str) -> None:
    file = tmp_path / "boundaries.json"
    file.write_text(text, "utf-8")
    told: list[tuple[str, str]] = []
    assert boundaries(lambda *problem: told.append(problem), file) is None
    assert [where for where, _ in told] == ["boundaries"]
    assert "boundaries.json" in told[0][1]
