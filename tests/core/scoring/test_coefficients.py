"""The file of coefficients is the numbers in force, or it is refused with the reason."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.host.coefficients import FILE, shipped
from astrbot_plugin_tidemark.core.scoring.coefficients import OF_WORDS, Footing, Unfit, parsed
from astrbot_plugin_tidemark.core.scoring.columns import Column
from astrbot_plugin_tidemark.core.scoring.defaults import FITTED

SHIPPED = FILE.read_text("utf-8")


def changed(**changes: Any) -> str:
    document = json.loads(SHIPPED)
    document["models"]["dense"] |= changes
    return json.dumps(document)


def test_the_file_that_is_shipped_is_in_force() -> None:
    fitted, problem = shipped()
    assert problem == ""
    assert fitted.keys() == set(Footing)


def test_the_built_in_numbers_are_those_of_the_file_rounded() -> None:
    fitted, _ = shipped()
    for footing, model in FITTED.items():
        other = fitted[footing]
        assert model.level == pytest.approx(other.level, abs=0.05)
        assert dict(model.turn) == pytest.approx(dict(other.turn), abs=0.05)
        for own, of_file in ((model.candidate, other.candidate), (model.ranking, other.ranking)):
            assert dict(own) == pytest.approx(dict(of_file), abs=0.05)


def test_the_file_says_how_its_numbers_came_about() -> None:
    document = json.loads(SHIPPED)
    assert document["command"].startswith("python -m benchmarks.fit_recall")
    assert {"version", "date", "data", "seed", "figures"} <= document.keys()


def test_at_most_forty_numbers_decide_on_one_footing() -> None:
    for model in shipped()[0].values():
        assert len(model.candidate) + len(model.turn) + len(model.ranking) + 7 <= 40


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ("[1]", "no JSON object"),
        ('{"version": 1}', "version 1, not 2"),
        ('{"version": 2}', "no models"),
        ('{"version": 2, "models": {}}', "no model for dense"),
        (changed(level="high"), "dense.level must be a number, not 'high'"),
        (changed(base=True), "dense.base must be a number, not True"),
        (changed(level=float("nan")), "dense.level must be a number, not nan"),
        (changed(share=0), "dense.share must be within 0..1"),
        (changed(candidate={}), "dense.candidate is missing"),
        (changed(ranking={"address": 1}), "dense.ranking has no column 'address'"),
        (changed(turn={"meaning": 1}), "dense.turn has no column 'meaning'"),
        (changed(ranking={"words": None}), "dense.words must be a number, not None"),
    ],
)
def test_what_does_not_fit_is_named(text: str, reason: str) -> None:
    with pytest.raises(Unfit) as refused:
        parsed(text)
    assert reason in str(refused.value)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b'{"version": 99}'])
def test_without_a_usable_file_the_built_in_numbers_are_in_force(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "coefficients.json"
    if content is not None:
        file.write_bytes(content)
    fitted, problem = shipped(file)
    assert fitted is FITTED
    assert problem


def test_a_column_that_is_not_named_weighs_nothing() -> None:
    model = FITTED[Footing.WORDS]
    assert Column.MEANING not in model.candidate
    assert model.candidate_vector()[list(Column).index(Column.MEANING)] == 0.0


def test_beside_a_strong_embedder_words_weigh_less_in_the_order_and_nowhere_else() -> None:
    dense, strong = FITTED[Footing.DENSE], FITTED[Footing.STRONG]
    for column in Column:
        share = OF_WORDS if column in (Column.WORDS, Column.RAREST) else 1.0
        assert strong.ranking.get(column, 0.0) == share * dense.ranking.get(column, 0.0)
    assert replace(strong, ranking=dense.ranking) == dense
