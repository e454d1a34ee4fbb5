"""Measures of a ranking: bounds, extremes, and a chance that favours nobody."""

import math
from collections import Counter
from random import Random

import pytest
from astrbot_plugin_tidemark.benchmarks.recall_quality_figures import (
    Labels,
    ideal_gain,
    mean,
    mean_scores,
    ranking,
    scores,
)
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused
from hypothesis import given, settings
from hypothesis import strategies as st

labels = st.frozensets(st.sampled_from("abcdefgh"), max_size=3)
rankings = st.lists(labels, max_size=20)
golds = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)


def of(*names: str) -> list[Labels]:
    return [frozenset(name.split()) for name in names]


@settings(deadline=None)
@given(rankings, golds)
def test_every_measure_is_a_share(ranked: list[Labels], gold: Labels) -> None:
    # A memory that stands for several turns may gain no more than one that stands for one.
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in scores(ranked, gold).values())


@settings(deadline=None)
@given(rankings, golds)
def test_more_places_never_find_less(ranked: list[Labels], gold: Labels) -> None:
    figures = scores(ranked, gold)
    assert figures["recall@5"] <= figures["recall@10"]
    assert figures["any@5"] <= figures["any@10"]
    assert figures["all@10"] <= figures["recall@10"] <= figures["any@10"]


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


def test_nothing_found_is_zero_throughout() -> None:
    assert set(scores([], frozenset("a")).values()) == {0.0}


def test_saying_it_twice_gains_nothing() -> None:
    once, twice = scores(of("a", "x"), frozenset("ab")), scores(of("a", "a"), frozenset("ab"))
    assert once == twice


def test_ties_are_broken_by_chance_and_nothing_else_is() -> None:
    candidates = [Fused("first", (), 0.9), *(Fused(f"m{n}", (), 0.5) for n in range(4))]
    known = {c.memory: frozenset({c.memory}) for c in candidates}
    second: Counter[Labels] = Counter()
    for seed in range(200):
        ranked = ranking(candidates, known, Random(seed))
        assert ranked[0] == {"first"}
        assert set(ranked) == set(known.values())
        second[ranked[1]] += 1
    assert min(second.values()) > 20
    assert len(second) == 4


def test_the_same_seed_gives_the_same_order() -> None:
    candidates = [Fused(f"m{n}", (), 0.5) for n in range(9)]
    known = {c.memory: frozenset({c.memory}) for c in candidates}
    assert ranking(candidates, known, Random(3)) == ranking(candidates, known, Random(3))


@pytest.mark.parametrize("drop", list(Drop))
def test_only_what_a_cut_left_out_stays_in_the_ranking(drop: Drop) -> None:
    ranked = ranking([Fused("m", (), 1.0, drop=drop)], {"m": frozenset("a")}, Random(1))
    kept = drop in (Drop.IRRELEVANT, Drop.LIMIT, Drop.BUDGET)
    assert ranked == ([frozenset("a")] if kept else [])


def test_means_of_nothing_are_nothing() -> None:
    assert mean([]) is None
    assert mean_scores([]) == {}
    assert mean([1, 0, 0]) == 0.3333
