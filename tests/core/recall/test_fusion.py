"""What the legs found, put together."""

import pytest
from astrbot_plugin_tidemark.core.recall.trace import Fused, Hit, Leg
from astrbot_plugin_tidemark.core.recall.weighing import CONSIDERED, pooled, reciprocal_rank
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)
rankings = st.lists(st.sampled_from("abcdefgh"), unique=True).map(list)


def leg(name: Leg, ids: list[str]) -> list[tuple[str, Hit]]:
    return [(id, Hit(name, rank, 1 / rank, 1 / rank)) for rank, id in enumerate(ids, start=1)]


def fused(text: list[str], semantic: list[str]) -> list[Fused]:
    legs = {Leg.TEXT: leg(Leg.TEXT, text), Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic)}
    return pooled(legs)


@pytest.mark.parametrize(("ranks", "score"), [((1, 2), 0.03252), ((1,), 0.01639), ((), 0.0)])
def test_a_score_is_the_sum_of_reciprocal_ranks(ranks: tuple[int, ...], score: float) -> None:
    assert reciprocal_rank(ranks) == pytest.approx(score, abs=1e-5)


def test_ties_are_broken_by_id_and_every_leg_is_named() -> None:
    assert [c.memory for c in fused(["z", "y"], ["y", "z"])] == ["y", "z"]
    (candidate,) = fused(["a"], ["a"])
    assert {hit.leg for hit in candidate.hits} == {Leg.TEXT, Leg.SEMANTIC}
    assert pooled({}) == []


def test_no_more_are_read_than_are_considered_but_what_a_time_or_two_legs_found() -> None:
    ids = [f"t{place:03}" for place in range(CONSIDERED)]
    others = [*(f"s{place:03}" for place in range(CONSIDERED)), ids[-1]]
    found = fused(ids, others)
    assert len(found) == CONSIDERED
    assert ids[-1] in {each.memory for each in found}
    text = [(f"t{n:03}", Hit(Leg.TEXT, n, 0.9, 0.9)) for n in range(CONSIDERED + 20)]
    far = text[-1][0]
    late = [(id, Hit(Leg.TIME, rank + 400, 0.2, 0.2)) for rank, id in enumerate([far, "then"])]
    found = pooled({Leg.TEXT: text, Leg.TIME: late})
    assert {far, "then"} <= {each.memory for each in found}
    assert len(found) <= CONSIDERED + 2


@quick
@given(rankings, rankings)
def test_every_hit_is_there_once_in_any_order_of_legs(text: list[str], semantic: list[str]) -> None:
    result = fused(text, semantic)
    assert sorted(c.memory for c in result) == sorted({*text, *semantic})
    legs = {Leg.SEMANTIC: leg(Leg.SEMANTIC, semantic), Leg.TEXT: leg(Leg.TEXT, text)}
    turned = pooled(legs)
    assert [(c.memory, c.score, c.rrf) for c in result] == [
        (c.memory, c.score, c.rrf) for c in turned
    ]
