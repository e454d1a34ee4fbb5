"""Having the best candidates judged by a reranker, in what is left of the recall's time."""

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from itertools import islice
from typing import Any

from ..model.errors import RerankResting, RerankUnavailable
from ..model.memory import Memory
from ..ports import Reranker
from .question import Question
from .rerank_scores import reranked
from .selection import drop_reason
from .trace import Fused, LegState, RerankReport

JUDGED = 30
"""Candidates that are worth a reranker's time, best first."""

LONGEST_DOCUMENT = 1_000
"""Characters of a memory that a reranker reads; its window is some 512 tokens."""

LEAST_SECONDS = 0.02
"""With less time left nobody is asked: being cut off would only count as a failure."""


async def rerank(
    question: Question,
    candidates: Sequence[Fused],
    records: Mapping[str, Memory],
    reranker: Reranker | None,
    *,
    seconds: float,
) -> tuple[list[Fused], RerankReport]:
    """The candidates in their order after the reranker's, and how that went.

    Those are judged that are worth injecting by themselves, if there are two or more. Without
    judgements, and `seconds` after the call, the order stays as it is.
    """
    if reranker is None:
        return list(candidates), RerankReport()
    asked = _worth_judging(question, candidates, records)
    if len(asked) < 2:
        return list(candidates), RerankReport()
    if seconds < LEAST_SECONDS:
        return list(candidates), RerankReport(LegState.LATE, len(asked))
    documents = [records[each.memory].text[:LONGEST_DOCUMENT] for each in asked]
    began = time.perf_counter()
    outcome = await _within(seconds, _judged(reranker, question.text, documents))
    milliseconds = (time.perf_counter() - began) * 1000
    if outcome is None:
        return list(candidates), RerankReport(LegState.LATE, len(asked), 0, milliseconds)
    if isinstance(outcome, RerankUnavailable):
        return list(candidates), _failure(outcome, len(asked), milliseconds)
    pairs = zip(asked, outcome, strict=True)
    judged = {each.memory: score for each, score in pairs if score is not None}
    report = RerankReport(LegState.OK, len(asked), len(judged), milliseconds)
    return reranked(candidates, judged), report


def _worth_judging(
    question: Question, candidates: Sequence[Fused], records: Mapping[str, Memory]
) -> list[Fused]:
    kept = (
        each
        for each in candidates
        if each.drop is None and drop_reason(records.get(each.memory), question.context) is None
    )
    return list(islice(kept, JUDGED))


async def _judged(
    reranker: Reranker, question: str, documents: Sequence[str]
) -> list[float | None] | RerankUnavailable:
    try:
        return await reranker.rerank(question, documents)
    except RerankUnavailable as error:
        return error


async def _within[T](seconds: float, work: Coroutine[Any, Any, T]) -> T | None:
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
        return task.result() if task.done() else None
    finally:
        # Cancelled and left behind: what does not let itself be cancelled cannot be waited for.
        task.add_done_callback(_retrieve)
        task.cancel()


def _retrieve(task: asyncio.Task[Any]) -> None:
    # One that was cut off may still fail; nobody is waiting for that.
    if not task.cancelled():
        task.exception()


def _failure(error: RerankUnavailable, asked: int, milliseconds: float) -> RerankReport:
    if isinstance(error, RerankResting):
        return RerankReport(LegState.OFF, problem=str(error))
    problem = f"{type(error).__name__}: {error}"
    return RerankReport(LegState.FAILED, asked, 0, milliseconds, problem)
