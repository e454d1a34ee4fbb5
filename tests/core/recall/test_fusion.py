"""Weighted relevance, and reciprocal rank fusion beside it. Algorithms, section 7.3."""

import pytest
from astrbot_plugin_tidemark.core.recall.fusion import EXTENDING, boosted, fuse, reciprocal_rank
from astrbot_plugin_tidemark.core.recall.trace import Boost, Fused, Hit, Leg
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(max_examples=80, deadline=None)
rankings = st.lists(st.sampled_from("abcdefgh"), unique=True).map(list)


def leg(name: Leg, ids: list[str]) -> list[tuple[str, Hit]]:
    return [(id, Hit(name, rank, 1 / rank, 1 / rank)) for rank, id in enumerate(ids, start=1)]


def fused(text: list[str], semantic: list[str]) -> list[Fused]:
    legs = {Leg.TEXT: leg(Leg.TEXT, text), Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic)}
    return fuse(legs, {Leg.TEXT: 0.5, Leg.SEMANTIC: 0.5})


@pytest.mark.parametrize(("ranks", "score"), [((1, 2), 0.03252), ((1,), 0.01639), ((), 0.0)])
def test_a_score_is_the_sum_of_reciprocal_ranks(ranks: tuple[int, ...], score: float) -> None:
    assert reciprocal_rank(ranks) == pytest.approx(score, abs=1e-5)


def test_two_good_ranks_beat_one_best_rank() -> None:
    lists = (["a", "b"], ["b", "a"], ["b"])
    ranks = {id: [found.index(id) + 1 for found in lists if id in found] for id in "ab"}
    assert reciprocal_rank(ranks["b"]) > reciprocal_rank(ranks["a"])


def test_a_strong_match_of_one_leg_comes_before_two_weak_ones() -> None:
    assert [c.memory for c in fused(["a", "b"], ["c", "b"])] == ["a", "b", "c"]


def test_by_ranks_alone_what_both_legs_found_would_come_first() -> None:
    found = fused(["a", "b"], ["c", "b"])
    assert max(found, key=lambda candidate: candidate.rrf).memory == "b"


def test_what_a_vector_search_did_not_find_is_as_far_as_the_last_it_found() -> None:
    (first, second) = fused(["a"], ["b"])
    assert (first.score, second.score) == (1.0, 0.5)


def test_a_leg_that_did_not_answer_has_no_weight() -> None:
    (alone,) = fuse({Leg.TEXT: leg(Leg.TEXT, ["a"])}, {Leg.TEXT: 0.4, Leg.SEMANTIC: 0.6})
    assert alone.score == 1.0


def test_boosts_are_added_and_told_but_zeros_are_not() -> None:
    (found,) = fused(["a"], ["a"])
    moved = boosted(found, {Boost.AGE: 0.02, Boost.USEFUL: 0.0})
    assert moved.boosts == ((Boost.AGE, 0.02),)
    assert moved.score == pytest.approx(found.score + 0.02)


def test_a_leg_that_extends_the_pool_adds_a_little_and_lowers_nobody() -> None:
    legs = {Leg.TEXT: leg(Leg.TEXT, ["a", "b"]), Leg.TIME: leg(Leg.TIME, ["b", "c"])}
    scores = {c.memory: c.score for c in fuse(legs, {Leg.TEXT: 1.0})}
    added = EXTENDING[Leg.TIME]
    assert scores == {"a": 1.0, "b": 0.5 + added, "c": pytest.approx(added / 2)}


def test_a_leg_with_a_weight_of_its_own_is_part_of_the_mean() -> None:
    found = fuse({Leg.TIME: leg(Leg.TIME, ["a", "b"])}, {Leg.TIME: 1.0})
    assert [c.score for c in found] == [1.0, 0.5]


def test_an_intention_scores_by_its_meaning_alone() -> None:
    meant = [("plan", Hit(Leg.PROSPECTIVE, 1, 0.7, 0.6))]
    legs = {Leg.TEXT: leg(Leg.TEXT, ["plan"]), Leg.TIME: leg(Leg.TIME, ["plan"])}
    (found,) = fuse({**legs, Leg.PROSPECTIVE: meant}, {Leg.TEXT: 0.5, Leg.SEMANTIC: 0.5})
    assert found.score == 0.6


@quick
@given(rankings, rankings, rankings)
def test_without_its_own_hits_a_candidate_scores_the_same_beside_an_extending_leg(
    text: list[str], semantic: list[str], timed: list[str]
) -> None:
    plain = {c.memory: c.score for c in fused(text, semantic)}
    legs = {
        Leg.TEXT: leg(Leg.TEXT, text),
        Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic),
        Leg.TIME: leg(Leg.TIME, timed),
    }
    extended = fuse(legs, {Leg.TEXT: 0.5, Leg.SEMANTIC: 0.5})
    for candidate in extended:
        if candidate.memory not in timed:
            assert candidate.score == plain[candidate.memory]
        elif candidate.memory in plain:
            assert candidate.score > plain[candidate.memory]


def test_ties_are_broken_by_id() -> None:
    assert [c.memory for c in fused(["z", "y"], ["y", "z"])] == ["y", "z"]


def test_every_leg_that_found_a_memory_is_named() -> None:
    (candidate,) = fused(["a"], ["a"])
    assert {hit.leg for hit in candidate.hits} == {Leg.TEXT, Leg.SEMANTIC}


def test_no_legs_find_nothing() -> None:
    assert fuse({}, {}) == []


@quick
@given(rankings, rankings)
def test_every_hit_is_fused_once_and_the_order_of_legs_does_not_matter(
    text: list[str], semantic: list[str]
) -> None:
    result = fused(text, semantic)
    assert sorted(c.memory for c in result) == sorted({*text, *semantic})
    assert [c.score for c in result] == sorted((c.score for c in result), reverse=True)
    legs = {Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic), Leg.TEXT: leg(Leg.TEXT, text)}
    turned = fuse(legs, {Leg.TEXT: 0.5, Leg.SEMANTIC: 0.5})
    assert [(c.memory, c.score, c.rrf) for c in result] == [
        (c.memory, c.score, c.rrf) for c in turned
    ]


def test_what_lies_in_a_time_that_is_asked_about_is_never_cut() -> None:
    text = [(f"t{n:03}", Hit(Leg.TEXT, n, 0.9, 0.9)) for n in range(1, 81)]
    late = [(id, Hit(Leg.TIME, rank, 0.2, 0.2)) for rank, id in enumerate(["t080", "then"], 1)]
    found = fuse({Leg.TEXT: text, Leg.TIME: late}, {Leg.TEXT: 1.0}, limit=60)
    assert {"t080", "then"} <= {each.memory for each in found}
    assert len(found) <= 62
