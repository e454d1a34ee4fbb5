"""Reciprocal rank fusion. Algorithms, section 7.3."""

import pytest
from astrbot_plugin_tidemark.core.recall.fusion import fuse, reciprocal_rank
from astrbot_plugin_tidemark.core.recall.trace import Fused, Hit, Leg
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)
rankings = st.lists(st.sampled_from("abcdefgh"), unique=True).map(list)


def leg(name: Leg, ids: list[str]) -> list[tuple[str, Hit]]:
    return [(id, Hit(name, rank, 1 / rank, 1 / rank)) for rank, id in enumerate(ids, start=1)]


def fused(text: list[str], semantic: list[str]) -> list[Fused]:
    return fuse({Leg.TEXT: leg(Leg.TEXT, text), Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic)})


@pytest.mark.parametrize(("ranks", "score"), [((1, 2), 0.03252), ((1,), 0.01639), ((), 0.0)])
def test_a_score_is_the_sum_of_reciprocal_ranks(ranks: tuple[int, ...], score: float) -> None:
    assert reciprocal_rank(ranks) == pytest.approx(score, abs=1e-5)


def test_two_good_ranks_beat_one_best_rank() -> None:
    lists = (["a", "b"], ["b", "a"], ["b"])
    ranks = {id: [found.index(id) + 1 for found in lists if id in found] for id in "ab"}
    assert reciprocal_rank(ranks["b"]) > reciprocal_rank(ranks["a"])


def test_what_both_legs_found_comes_before_what_one_leg_found() -> None:
    assert [c.memory for c in fused(["a", "b"], ["c", "b"])] == ["b", "a", "c"]


def test_ties_are_broken_by_id() -> None:
    assert [c.memory for c in fused(["z", "y"], ["y", "z"])] == ["y", "z"]


def test_every_leg_that_found_a_memory_is_named() -> None:
    (candidate,) = fused(["a"], ["a"])
    assert {hit.leg for hit in candidate.hits} == {Leg.TEXT, Leg.SEMANTIC}


def test_no_legs_find_nothing() -> None:
    assert fuse({}) == []


@quick
@given(rankings, rankings)
def test_every_hit_is_fused_once_and_the_order_of_legs_does_not_matter(
    text: list[str], semantic: list[str]
) -> None:
    result = fused(text, semantic)
    assert sorted(c.memory for c in result) == sorted({*text, *semantic})
    assert [c.score for c in result] == sorted((c.score for c in result), reverse=True)
    assert [(c.memory, c.score) for c in result] == [
        (c.memory, c.score) for c in fused(semantic, text)
    ]
