"""What is chosen for relevance, and for not having been said yet."""

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.recall.diversity import diversified
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[float], np.ndarray]:
    relevance = draw(st.lists(st.floats(0, 1, width=32), max_size=12))
    chance = np.random.default_rng(draw(st.integers(0, 999)))
    matrix = chance.random((len(relevance), len(relevance)), np.float32)
    return relevance, np.maximum(matrix, matrix.T)


@quick
@given(pools(), st.integers(0, 15), st.floats(0, 1))
def test_each_is_chosen_at_most_once_and_no_more_than_asked(
    pool: tuple[list[float], np.ndarray], keep: int, weight: float
) -> None:
    relevance, matrix = pool
    chosen = diversified(relevance, matrix.item, keep=keep, weight=weight)
    assert len(chosen) == len(set(chosen)) == min(keep, len(relevance))
    assert chosen == diversified(relevance, matrix.item, keep=keep, weight=weight)


@quick
@given(pools())
def test_relevance_alone_keeps_the_order_of_relevance_and_ties_by_place(
    pool: tuple[list[float], np.ndarray],
) -> None:
    relevance, matrix = pool
    chosen = diversified(relevance, matrix.item, keep=len(relevance), weight=1.0)
    assert chosen == sorted(range(len(relevance)), key=lambda place: (-relevance[place], place))


@quick
@given(pools(), st.integers(1, 11))
def test_choosing_fewer_chooses_the_first_of_more(
    pool: tuple[list[float], np.ndarray], keep: int
) -> None:
    relevance, matrix = pool
    every = diversified(relevance, matrix.item, keep=12, weight=0.7)
    assert diversified(relevance, matrix.item, keep=keep, weight=0.7) == every[:keep]


def test_a_repetition_comes_after_what_is_new() -> None:
    matrix = np.eye(3, dtype=np.float32)
    matrix[0, 1] = matrix[1, 0] = 1.0
    assert diversified([0.9, 0.88, 0.6], matrix.item, keep=3, weight=0.5) == [0, 2, 1]


def test_the_best_of_all_is_first_however_it_is_repeated() -> None:
    matrix = np.ones((3, 3), np.float32)
    assert diversified([0.2, 0.9, 0.3], matrix.item, keep=1, weight=0.1) == [1]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_its_range_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        diversified([0.5], np.ones((1, 1), np.float32).item, keep=1, weight=weight)
