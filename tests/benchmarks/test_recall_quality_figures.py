"""Measures of a ranking: bounds, extremes, and a chance that favours nobody."""

import math

import pytest
from astrbot_plugin_tidemark.benchmarks.recall_quality_figures import Labels, ideal_gain, scores
from hypothesis import given, settings
from hypothesis import strategies as st

golds = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)


def of(*names: str) -> list[Labels]:
    return [frozenset(name.split()) for name in names]


@settings(deadline=None)
@given(golds)
def test_a_perfect_ranking_is_one_throughout(gold: Labels) -> None:
    figures = scores([frozenset({one}) for one in sorted(gold)[:5]], frozenset(sorted(gold)[:5]))
    assert figures == pytest.approx(dict.fromkeys(figures, 1.0))


def test_the_measures_of_a_known_ranking() -> None:
    figures = scores(of("x", "a", "x", "x", "x", "b"), frozenset("abc"))
    gain = 1 / math.log2(3) + 1 / math.log2(7)
    assert figures == pytest.approx(
        {
            "recall@5": 1 / 3,
            "recall@10": 2 / 3,
            "any@5": 1.0,
            "any@10": 1.0,
            "all@10": 0.0,
            "mrr": 0.5,
            "ndcg@10": gain / ideal_gain(3, 10),
        }
    )
