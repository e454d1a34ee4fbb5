"""A reranker: whom it judges, how long it is waited for, and how its scores are read."""

import asyncio
import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.model.errors import RerankUnavailable
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.recall.block import Style
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.rerank import (
    JUDGED,
    LEAST_SECONDS,
    LONGEST_DOCUMENT,
    ROUNDING,
    WEIGHT,
    Scores,
    moved,
    rerank,
    reranked,
    sound_scores,
)
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg, LegState, RerankReport
from hypothesis import given
from hypothesis import strategies as st

from ...kit import FakeReranker, until
from ...samples import ANNS, memory

HIT = Hit(Leg.TEXT, 1, 0.5, 0.5)
QUESTION = Question(
    text="bees?",
    scopes=frozenset({ANNS.key}),
    context=Context(),
    deadline=5.0,
    budget=800,
    limit=8,
    style=Style("en", str),
)


def found(count: int, **changes: str) -> tuple[list[Fused], dict[str, Memory]]:
    """That many candidates, equally good, with their records."""
    names = [f"m{number:02}" for number in range(count)]
    records = {name: memory(changes.get(name, f"text of {name}"), id=name) for name in names}
    return [Fused(name, (HIT,), 0.5) for name in names], records


async def asked(
    judge: FakeReranker | None,
    candidates: Sequence[Fused],
    records: dict[str, Memory],
    seconds: float = 5,
) -> tuple[list[str], RerankReport]:
    result, report = await rerank(QUESTION, candidates, records, judge, seconds=seconds)
    return [each.memory for each in result], report


async def test_what_the_reranker_likes_comes_first_and_the_report_counts_its_judgements() -> None:
    judge = FakeReranker({"text of m01": 0.9, "text of m02": None})
    names, report = await asked(judge, *found(3))
    assert names == ["m01", "m00", "m02"]
    assert (report.state, report.asked, report.judged) == (LegState.OK, 3, 2)
    assert judge.asked == [("bees?", ["text of m00", "text of m01", "text of m02"])]


@pytest.mark.parametrize("count", [0, 1])
async def test_where_there_is_nothing_to_order_nobody_is_asked(count: int) -> None:
    judge = FakeReranker()
    _, report = await asked(judge, *found(count))
    assert report == RerankReport(LegState.OFF)
    assert judge.asked == []


async def test_only_the_best_are_judged_by_their_beginning_and_the_others_stay_behind() -> None:
    judge = FakeReranker({f"text of m{JUDGED - 1:02}": 0.4})
    names, report = await asked(judge, *found(JUDGED + 5))
    assert report.asked == report.judged == JUDGED
    assert names[0] == f"m{JUDGED - 1:02}"
    assert names[-5:] == [f"m{number:02}" for number in range(JUDGED, JUDGED + 5)]
    judge = FakeReranker()
    await asked(judge, *found(2, m00="b" * 100_000))
    assert len(judge.asked[0][1][0]) == LONGEST_DOCUMENT
    with pytest.raises(ZeroDivisionError):
        await asked(FakeReranker(failure=ZeroDivisionError()), *found(3))


async def test_what_would_not_be_injected_anyway_is_not_judged() -> None:
    judge = FakeReranker()
    candidates, records = found(6)
    candidates[0] = candidates[0].dropped(Drop.DISTILLED)
    del records["m01"]
    candidates[2] = candidates[2].dropped(Drop.IRRELEVANT)
    records["m03"] = replace(records["m03"], kind=Kind.EVIDENCE, origin=Origin(turns=(7,)))
    seen = replace(QUESTION, context=Context(turn=7))
    await rerank(seen, candidates, records, judge, seconds=5)
    assert judge.asked == [("bees?", ["text of m04", "text of m05"])]


@pytest.mark.parametrize("seconds", [-1.0, 0.0, LEAST_SECONDS / 2])
async def test_with_next_to_no_time_left_it_is_not_even_asked(seconds: float) -> None:
    judge = FakeReranker()
    _, report = await asked(judge, *found(3), seconds=seconds)
    await asyncio.sleep(0)
    assert report.state is LegState.LATE
    assert judge.asked == []


async def test_one_that_will_not_be_cut_off_holds_up_nobody() -> None:
    class Stubborn(FakeReranker):
        async def rerank(self, query: str, documents: Sequence[str]) -> list[float | None]:
            try:
                return await super().rerank(query, documents)
            except asyncio.CancelledError:
                raise RerankUnavailable("too late, and broken") from None

    judge = Stubborn(gate=asyncio.Event())
    _, report = await asked(judge, *found(3), seconds=0.05)
    await asyncio.sleep(0)
    assert report.state is LegState.LATE


async def test_a_recall_that_is_cancelled_takes_the_reranker_with_it() -> None:
    judge = FakeReranker(gate=asyncio.Event())
    task = asyncio.create_task(asked(judge, *found(3)))
    await until(lambda: judge.asked)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert judge.cut_off


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
