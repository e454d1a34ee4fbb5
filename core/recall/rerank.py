"""Has the best candidates judged by a reranker, in what is left of the recall's time."""

import asyncio
import math
import operator
import reprlib
import time
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Real
from typing import Any, SupportsIndex

from ..model.errors import RerankResting, RerankUnavailable
from ..model.memory import Memory
from ..ports import Reranker
from ..scoring.decision import probability
from .question import Question
from .selection import drop_reason
from .trace import Fused, LegState, RerankReport

WEIGHT = 0.8
"""Share of the legs' doubt that a reranker may settle; below 1, so that it alone never decides."""

ROUNDING = 1e-3
"""How far outside 0..1 a probability may lie before the scores are taken for logits."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One score per document, 0..1, None where there is none; whether they came as `logits`."""

    values: tuple[float | None, ...]
    logits: bool


def sound_scores(
    raw: Iterable[tuple[object, object]], *, count: int, source: str, logits: bool = False
) -> Scores:
    """The scores that a reranker gave, as pairs of index and score, to `count` documents.

    If any lies outside 0..1, or with `logits`, all are taken for logits and go through the
    logistic function, which keeps their order. Raises RerankUnavailable, naming `source`, for an
    index that is not of a document or comes twice, a score that is no finite number, and if there
    are no scores at all.
    """
    given: dict[int, float] = {}
    for index, score in raw:
        place = _place(index, count, source)
        if place in given:
            raise RerankUnavailable(f"{source} judged document {place} twice")
        given[place] = _finite(score, source)
    if count and not given:
        raise RerankUnavailable(f"{source} judged none of {count} documents")
    logits = logits or any(not -ROUNDING <= score <= 1.0 + ROUNDING for score in given.values())
    squashed = {
        place: probability(score) if logits else min(1.0, max(0.0, score))
        for place, score in given.items()
    }
    return Scores(tuple(squashed.get(place) for place in range(count)), logits)


def moved(score: float, judged: float) -> float:
    """A fused score after a reranker's, both 0..1: s + W s (1 - s) (2 r - 1).

    The reranker counts where the legs are unsure: at most W / 4, half-way; nothing at 0, so that
    it brings up nothing by itself, and nothing at 1, so that what matches exactly is never
    overtaken. Rises with both; a score of .9 falls behind none below .64. Boosts that take a score
    beyond 0..1 are kept as they are.
    """
    sure = min(1.0, max(0.0, score))
    return score + WEIGHT * sure * (1.0 - sure) * (2.0 * judged - 1.0)


def reranked(candidates: Sequence[Fused], judged: Mapping[str, float]) -> list[Fused]:
    """The candidates with their scores moved, best first, equals in the order they had.

    One that was not judged counts as judged with 0: it stays behind, among its like where it was.
    """
    result = [_after(each, judged.get(each.memory)) for each in candidates]
    return sorted(result, key=lambda each: -each.score)


def _after(candidate: Fused, judged: float | None) -> Fused:
    return replace(candidate, score=moved(candidate.score, judged or 0.0), rerank=judged)


def _place(index: object, count: int, source: str) -> int:
    if isinstance(index, SupportsIndex) and not isinstance(index, bool):
        place = operator.index(index)
        if 0 <= place < count:
            return place
    raise RerankUnavailable(f"{source} judged document {reprlib.repr(index)} of {count}")


def _finite(score: object, source: str) -> float:
    if isinstance(score, Real) and not isinstance(score, bool):
        try:
            number = float(score)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise RerankUnavailable(f"{source} gave the score {reprlib.repr(score)}")


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
