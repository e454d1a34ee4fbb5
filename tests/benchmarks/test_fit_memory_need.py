"""The regression that tells what a turn asks for finds what separates, and judges unseen hands."""

import numpy as np
from astrbot_plugin_tidemark.benchmarks.fit_memory_need_run import fitted
from astrbot_plugin_tidemark.benchmarks.fit_memory_need_turns import (
    BESIDE_RECALL,
    FITTED,
    JUDGED,
    Turn,
)
from astrbot_plugin_tidemark.benchmarks.fit_recall_solver import ridge

SPACE = "space"
ASKED = [Turn(f"where is my {thing}", "self", "en", "c") for thing in ("car", "key", "dog", "hat")]
TOLD = [Turn(f"how long to boil {thing}", "request", "en", "c") for thing in ("egg", "rice", "ham")]


def test_words_and_meaning_each_tell_what_asks() -> None:
    vectors = {turn.text: np.array([1.0, 0.0]) for turn in ASKED}
    vectors |= {turn.text: np.array([0.0, 1.0]) for turn in TOLD}
    need = fitted([*ASKED, *TOLD], vectors, SPACE)
    assert need.probability("where is my phone") > 0.5 > need.probability("how long to boil peas")
    first, second = np.eye(2, dtype=np.float32)
    assert need.probability("unheard", first, SPACE) > need.probability("unheard", second, SPACE)


def test_an_n_gram_of_a_single_turn_weighs_nothing() -> None:
    vectors = {turn.text: np.zeros(2) for turn in (*ASKED, *TOLD)}
    grams = fitted([*ASKED, *TOLD], vectors, SPACE).grams
    assert "my" in grams
    assert "car" not in grams


def test_the_least_loss_is_found_where_columns_are_more_than_rows() -> None:
    rows = np.hstack([np.eye(4), np.eye(4)])
    weights = ridge(rows, np.array([True, True, False, False]), 0.5)
    logits = rows @ weights
    assert (logits[:2] > 0).all()
    assert np.allclose(logits[:2], -logits[2:])
    # At the least loss the pull of the rows is that of the penalty.
    pull = 0.5 * 2 * (1.0 / (1.0 + np.exp(logits[0])))
    assert np.isclose(pull, 0.5 * weights[0], atol=1e-6)


def test_no_hand_that_judges_is_fitted_and_recall_is_fitted_on_none_of_them() -> None:
    assert set(FITTED).isdisjoint(JUDGED)
    assert "a" not in BESIDE_RECALL
