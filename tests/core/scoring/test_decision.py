"""A turn's worth decides how many lines it is shown, and a linear model their order."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.scoring.decision import (
    IN_DOUBT,
    PLACES,
    Coefficients,
    Column,
    Eagerness,
    Footing,
    TurnColumn,
    ranks,
    reasons,
    room,
    sheet,
    telling,
    worth,
)
from astrbot_plugin_tidemark.core.scoring.fitted import FITTED
from astrbot_plugin_tidemark.core.text import bm25

MODEL = Coefficients(
    ranking={Column.WORDS: 2.0, Column.TIME: -1.0},
    turn={TurnColumn.NATS: 3.0},
    base=-1.0,
    low=0.0,
    high=1.0,
    shift=0.5,
)


@pytest.mark.parametrize(
    ("logit", "eagerness", "lines"),
    [
        (-0.1, Eagerness.BALANCED, 0),
        (0.0, Eagerness.BALANCED, IN_DOUBT),
        (0.5, Eagerness.BALANCED, 6),
        (0.99, Eagerness.BALANCED, 16),
        (1.0, Eagerness.BALANCED, 16),
        (0.4, Eagerness.QUIET, 0),
        (-0.4, Eagerness.EAGER, IN_DOUBT),
        (-0.6, Eagerness.EAGER, 0),
        (0.6, Eagerness.EAGER, 16),
    ],
)
def test_nothing_few_lines_or_all_that_fit(logit: float, eagerness: Eagerness, lines: int) -> None:
    assert room(logit, MODEL, eagerness, 16) == lines


def test_numbers_count_as_often_as_an_owner_wants_and_are_told() -> None:
    dense = FITTED[Footing.DENSE].reweighted(0.5, 3.0)
    fitted = FITTED[Footing.DENSE].ranking
    assert dense.ranking[Column.MEANING] == 0.5 * fitted[Column.MEANING]
    assert dense.ranking[Column.GRAPH] == 3.0 * fitted[Column.GRAPH]
    assert dense.ranking[Column.WORDS] == fitted[Column.WORDS]
    assert room(0.5, MODEL, Eagerness.BALANCED, 2) == 2
    assert worth({}, MODEL) == -1.0
    assert worth({TurnColumn.NATS: 0.5, TurnColumn.ASKS: 9.0}, MODEL) == 0.5
    rows = sheet({Column.WORDS: [1.0, 0.0], Column.TIME: [0.0, 1.0]}, 2)
    assert ranks(rows, MODEL).tolist() == [2.0, -1.0]
    first, second = reasons(rows, ranks(rows, MODEL), MODEL).values()
    assert first == ((Column.WORDS, 1.0), (Column.TIME, 0.5))
    assert second == ((Column.WORDS, -1.0), (Column.TIME, -0.5))


def test_every_model_has_marks_in_order_and_few_words_tell_less() -> None:
    assert set(FITTED) == set(Footing)
    for model in FITTED.values():
        assert model.low <= model.high
        assert np.isfinite(model.weights).all()
        assert len(model.weights) == len(PLACES)
    assert telling(1.0, 3_000) == pytest.approx(1.0, abs=0.01)
    few = telling(bm25.rarity(bm25.FEW, 1), bm25.FEW)
    assert telling(bm25.rarity(10, 1), 10) == pytest.approx(few)
    assert few < telling(bm25.rarity(300, 1), 300)
    assert telling(0.0, 300) == 0.0


@pytest.mark.parametrize("footing", [Footing.WORDS])
def test_without_vectors_no_number_of_meaning_counts(footing: Footing) -> None:
    model = FITTED[footing]
    assert Column.MEANING not in model.ranking
    assert TurnColumn.ASKS not in model.turn
