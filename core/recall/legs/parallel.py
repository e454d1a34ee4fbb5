"""The legs side by side within the recall's deadline, then those that start from their hits."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ...model.errors import StorageError, TidemarkError
from ...model.memory import Kind
from ...similarity.measure import PROSPECTIVE_FLOOR
from ..question import Meaning, Sources, Understood
from ..trace import Intent, Leg, LegReport, LegState
from .ways import (
    Found,
    LegInputs,
    Run,
    causal_leg,
    entity_leg,
    meaning_of,
    nearest,
    semantic_leg,
    text_leg,
    time_leg,
)

MOST = 20
"""Intentions of one recall; two are shown at most."""


async def prospective_leg(inputs: LegInputs) -> Found:
    """By cosine to the question's vector, those from the floor up."""
    kinds = frozenset({Kind.PROSPECTIVE})
    hits = await nearest(inputs, Leg.PROSPECTIVE, limit=MOST, kinds=kinds)
    return [(id, hit) for id, hit in hits if hit.relevance >= PROSPECTIVE_FLOOR]


_FIRST: Mapping[Leg, Run] = {
    Leg.TEXT: text_leg,
    Leg.SEMANTIC: semantic_leg,
    Leg.PROSPECTIVE: prospective_leg,
    Leg.TIME: time_leg,
    Leg.ENTITY: entity_leg,
}
_THEN: Mapping[Leg, Run] = {Leg.CAUSAL: causal_leg}
_BY_MEANING = frozenset({Leg.SEMANTIC, Leg.PROSPECTIVE})


@dataclass(frozen=True, slots=True)
class Searched:
    """What each leg found, how each ended, and what the question means, if that is known.

    `failure` is the first one of the store.
    """

    found: dict[Leg, Found]
    reports: list[LegReport]
    meaning: Meaning | None
    failure: StorageError | None = None


async def run_legs(understood: Understood, sources: Sources) -> Searched:
    """What each leg found until the deadline.

    A leg that the question has no use for is neither asked nor reported.
    """
    until = time.perf_counter() + understood.question.deadline
    off = set(understood.question.without)
    if sources.embedder is None:
        off |= _BY_MEANING
    found: dict[Leg, Found] = {}
    reports: list[LegReport] = []
    meaning = _Once(understood, sources)
    failures: list[StorageError] = []
    for every in (_FIRST, _THEN):
        legs = {leg: run for leg, run in every.items() if _is_of_use(leg, understood)}
        inputs = LegInputs(understood, sources, meaning, dict(found))
        reports += [LegReport(leg, LegState.OFF) for leg in legs if leg in off]
        running = {leg: partial(run, inputs) for leg, run in legs.items() if leg not in off}
        more, ran = await _side_by_side(running, until, failures)
        found |= more
        reports += ran
    return Searched(found, reports, meaning.known(), next(iter(failures), None))


def _is_of_use(leg: Leg, understood: Understood) -> bool:
    match leg:
        case Leg.TIME:
            return bool(understood.times)
        case Leg.CAUSAL:
            return Intent.CAUSAL in understood.intents
        case _:
            return True


class _Once:
    """The question's meaning, embedded when the first leg asks for it and never again."""

    def __init__(self, understood: Understood, sources: Sources) -> None:
        self._understood = understood
        self._sources = sources
        self._task: asyncio.Task[Meaning] | None = None

    async def __call__(self) -> Meaning:
        if self._task is None:
            self._task = asyncio.create_task(self._meant())
        return await self._task

    def known(self) -> Meaning | None:
        """What came of it, None if it did not come about."""
        task = self._task
        sound = task is not None and task.done() and not task.cancelled()
        return task.result() if task and sound and task.exception() is None else None

    async def _meant(self) -> Meaning:
        assert self._sources.embedder is not None
        return await meaning_of(self._understood.question, self._sources, self._sources.embedder)


async def _side_by_side(
    legs: Mapping[Leg, Callable[[], Awaitable[Found]]], until: float, failures: list[StorageError]
) -> tuple[dict[Leg, Found], list[LegReport]]:
    left = until - time.perf_counter()
    tasks = {leg: asyncio.create_task(_timed(run)) for leg, run in legs.items()}
    try:
        if tasks:
            await asyncio.wait(tasks.values(), timeout=max(0.0, left))
    finally:
        for task in tasks.values():
            task.add_done_callback(_retrieve)
            task.cancel()
    found: dict[Leg, Found] = {}
    reports: list[LegReport] = []
    for leg, task in tasks.items():
        hits, report = _outcome(leg, task, left, failures)
        if report.state is LegState.OK:
            found[leg] = hits
        reports.append(report)
    return found, reports


def _retrieve(task: asyncio.Task[tuple[Found, float]]) -> None:
    # A leg that was cut off may still fail; nobody is waiting for that.
    if not task.cancelled():
        task.exception()


async def _timed(work: Callable[[], Awaitable[Found]]) -> tuple[Found, float]:
    """Begun here: of a leg that is cut off before it began nothing is left unawaited."""
    began = time.perf_counter()
    found = await work()
    return found, (time.perf_counter() - began) * 1000


def _outcome(
    leg: Leg, task: asyncio.Task[tuple[Found, float]], seconds: float, failures: list[StorageError]
) -> tuple[Found, LegReport]:
    if not task.done() or task.cancelled():
        return [], LegReport(leg, LegState.LATE, milliseconds=seconds * 1000)
    error = task.exception()
    if isinstance(error, StorageError):
        failures.append(error)
    if isinstance(error, TidemarkError):
        problem = f"{type(error).__name__}: {error}"
        return [], LegReport(leg, LegState.FAILED, problem=problem)
    if error is not None:
        raise error
    found, milliseconds = task.result()
    return found, LegReport(leg, LegState.OK, len(found), milliseconds)
