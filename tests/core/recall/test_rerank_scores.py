"""What counts as a reranker's answer, and how far it may move what the legs found."""

import contextlib
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.errors import RerankUnavailable
from astrbot_plugin_tidemark.core.recall.rerank import (
    ROUNDING,
    WEIGHT,
    Scores,
    moved,
    reranked,
    sound_scores,
)
from astrbot_plugin_tidemark.core.recall.trace import Fused
from hypothesis import given
from hypothesis import strategies as st

unit = st.floats(0.0, 1.0)
finite = st.floats(allow_nan=False, allow_infinity=False)
replies = st.lists(finite, min_size=1, max_size=20).flatmap(
    lambda scores: st.permutations(list(enumerate(scores)))
)
anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just([0.5])
)


def sound(*raw: tuple[Any, Any], count: int = 3, logits: bool = False) -> Scores:
    return sound_scores(raw, count=count, source="the reranker", logits=logits)


def fused(memory: str, score: float) -> Fused:
    return Fused(memory, (), score)


def order(candidates: list[Fused]) -> list[str]:
    return [each.memory for each in candidates]


class TestScores:
    def test_scores_are_probabilities_or_logits_squashed_in_place(self) -> None:
        assert sound((2, 0.1), (0, 0.7), (1, 1)) == Scores((0.7, 1.0, 0.1), logits=False)
        assert sound((1, 0.7)).values == (None, 0.7, None)
        assert sound((np.int64(0), np.float32(0.5)), count=1).values == (0.5,)
        assert sound(count=0).values == ()
        assert sound((0, 1.0 + ROUNDING / 2), (1, -ROUNDING / 2), count=2) == Scores(
            (1.0, 0.0), logits=False
        )
        values = sound((0, -2.0), (1, 0.0), (2, 2.0)).values
        expected = [1 / (1 + math.exp(-x)) for x in (-2.0, 0.0, 2.0)]
        assert values == pytest.approx(expected)
        assert sound((0, 0.0), count=1, logits=True) == Scores((0.5,), logits=True)

    @given(replies)
    def test_scores_lie_in_0_to_1_in_their_order(self, raw: list[tuple[int, float]]) -> None:
        values = sound(*raw, count=len(raw)).values
        given = [score for _, score in sorted(raw)]
        kept = [value for value in values if value is not None]
        assert all(0.0 <= value <= 1.0 for value in kept)
        pairs = sorted(zip(given, kept, strict=True))
        assert [value for _, value in pairs] == sorted(kept)

    @given(st.lists(st.tuples(anything, anything), max_size=5), st.integers(0, 4))
    def test_scores_come_or_an_error(self, raw: list[tuple[object, object]], count: int) -> None:
        with contextlib.suppress(RerankUnavailable):
            scores = sound(*raw, count=count)
            assert len(scores.values) == count
            assert all(value is None or 0.0 <= value <= 1.0 for value in scores.values)

    @pytest.mark.parametrize(
        ("raw", "says"),
        [
            ([], "judged none of 3"),
            ([(3, 0.5)], "document 3 of 3"),
            ([(-1, 0.5)], "document -1 of 3"),
            ([(1.0, 0.5)], "document 1.0 of 3"),
            ([("1", 0.5)], "document '1' of 3"),
            ([(True, 0.5)], "document True of 3"),
            ([(1, 0.5), (1, 0.6)], "document 1 twice"),
            ([(n % 3, 0.5) for n in range(4)], "document 0 twice"),
            ([(0, math.nan)], "score nan"),
            ([(0, math.inf)], "score inf"),
            ([(0, 10**400)], "score 1000"),
            ([(0, "0.9")], "score '0.9'"),
            ([(0, None)], "score None"),
            ([(0, True)], "score True"),
            ([(0, Decimal("0.9"))], "score Decimal"),
            ([(0, "9" * 10_000)], "score '99"),
        ],
    )
    def test_nonsense_is_named(self, raw: list[tuple[object, object]], says: str) -> None:
        with pytest.raises(RerankUnavailable, match=says) as caught:
            sound(*raw)
        assert len(str(caught.value)) < 120


class TestMovedScores:
    @given(unit, unit)
    def test_a_score_stays_in_0_to_1_and_moves_by_fifths(self, score: float, judged: float) -> None:
        after = moved(score, judged)
        assert -1e-12 <= after <= 1.0 + 1e-12
        assert abs(after - score) <= WEIGHT / 4 + 1e-12

    @given(unit, unit, unit)
    def test_among_the_judged_legs_decide(self, one: float, other: float, judged: float) -> None:
        low, high = sorted((one, other))
        assert moved(low, judged) <= moved(high, judged) + 1e-12

    @given(unit, unit, unit)
    def test_among_equals_a_reranker_decides(self, score: float, one: float, other: float) -> None:
        low, high = sorted((one, other))
        assert moved(score, low) <= moved(score, high) + 1e-12

    @given(unit)
    def test_what_is_certain_stays_and_what_is_nothing_stays_nothing(self, judged: float) -> None:
        assert moved(0.0, judged) == 0.0
        assert moved(1.0, judged) == 1.0

    def test_an_undecided_reranker_moves_nothing(self) -> None:
        assert moved(0.4, 0.5) == 0.4

    @given(st.floats(-0.5, 0.0) | st.floats(1.0, 1.5), unit)
    def test_what_boosts_took_beyond_the_range_is_kept(self, score: float, judged: float) -> None:
        assert moved(score, judged) == score


class TestOrder:
    def test_the_reranker_orders_equals_and_the_unjudged_stay_behind(self) -> None:
        candidates = [fused("a", 0.5), fused("b", 0.5), fused("c", 0.48)]
        result = reranked(candidates, {"a": 0.1, "b": 0.3, "c": 0.9})
        assert order(result) == ["c", "b", "a"]
        assert [each.rerank for each in result] == [0.9, 0.3, 0.1]
        candidates = [fused(name, 0.5) for name in "dbac"]
        assert order(reranked(candidates, {"c": 0.01})) == ["c", "d", "b", "a"]
        assert [each.rerank for each in reranked(candidates, {"c": 0.01})][1:] == [None] * 3

    @given(st.floats(0.9, 1.0), st.lists(st.tuples(st.floats(0.0, 0.64), unit), max_size=20), unit)
    def test_an_exact_hit_is_first_whatever_the_reranker_says(
        self, exact: float, others: list[tuple[float, float]], judged: float
    ) -> None:
        candidates = [fused("exact", exact)]
        candidates += [fused(f"m{place}", score) for place, (score, _) in enumerate(others)]
        judgements = {f"m{place}": score for place, (_, score) in enumerate(others)}
        assert order(reranked(candidates, judgements | {"exact": judged}))[0] == "exact"
        assert order(reranked(candidates, judgements))[0] == "exact"
