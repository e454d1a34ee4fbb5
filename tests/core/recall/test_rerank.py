"""Candidates before a reranker: whom it judges, for how long it is waited for, what then holds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from astrbot_plugin_tidemark.core.model.errors import RerankUnavailable
from astrbot_plugin_tidemark.core.model.memory import Kind, Memory, Origin
from astrbot_plugin_tidemark.core.recall.block import Style
from astrbot_plugin_tidemark.core.recall.question import Question
from astrbot_plugin_tidemark.core.recall.rerank import (
    JUDGED,
    LEAST_SECONDS,
    LONGEST_DOCUMENT,
    rerank,
)
from astrbot_plugin_tidemark.core.recall.selection import Context
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg, LegState, RerankReport
from astrbot_plugin_tidemark.core.text.token_count import estimate_tokens

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
    style=Style("en", str, estimate_tokens),
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
