"""The legs of a recall, side by side within its deadline."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..calibration import Frame, Frames, plain
from ..errors import TidemarkError
from ..ports import Embedder, MemoryStore, Scored, Vector
from ..text.language import language_of
from .block import Style
from .intent import stripped
from .select import Context
from .trace import Hit, Leg, LegReport, LegState

POOL = 80
PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""

FADING = 0.5
"""How much each earlier turn counts against the one after it in what is searched for."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to recall for. `deadline` in seconds; budget in tokens; `first` number to give.

    `earlier` are the person's turns before this one, oldest first; `now` is a Unix time. Legs in
    `without` are left out.
    """

    text: str
    scopes: frozenset[str]
    context: Context
    deadline: float
    budget: int
    limit: int
    style: Style
    first: int = 1
    without: frozenset[Leg] = frozenset()
    earlier: tuple[str, ...] = ()
    now: float = 0.0


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to search; `frames` tell what the embedder's cosines mean."""

    store: MemoryStore
    embedder: Embedder | None = None
    frames: Frames | None = None


type Found = list[tuple[str, Hit]]


@dataclass(frozen=True, slots=True)
class Search:
    """What a leg found, best first, and whether its relevance is calibrated."""

    found: Found
    calibrated: bool = False


async def run_legs(
    question: Question, sources: Sources
) -> tuple[dict[Leg, Found], list[LegReport]]:
    """What each leg found until the deadline, and how each ended."""
    legs: dict[Leg, Callable[[], Awaitable[Search]]] = {
        Leg.TEXT: lambda: _text_leg(question, sources.store)
    }
    reports: list[LegReport] = []
    if (embedder := sources.embedder) is None:
        reports.append(LegReport(Leg.SEMANTIC, LegState.OFF))
    else:
        legs[Leg.SEMANTIC] = lambda: _semantic_leg(question, sources, embedder)
    for leg in question.without & legs.keys():
        del legs[leg]
        reports.append(LegReport(leg, LegState.OFF))
    tasks = {leg: asyncio.create_task(_timed(run())) for leg, run in legs.items()}
    try:
        if tasks:
            await asyncio.wait(tasks.values(), timeout=question.deadline)
    finally:
        for task in tasks.values():
            task.add_done_callback(_retrieve)
            task.cancel()
    found: dict[Leg, Found] = {}
    for leg, task in tasks.items():
        hits, report = _outcome(leg, task, question.deadline)
        if report.state is LegState.OK:
            found[leg] = hits
        reports.append(report)
    return found, reports


def _retrieve(task: asyncio.Task[tuple[Search, float]]) -> None:
    # A leg that was cut off may still fail; nobody is waiting for that.
    if not task.cancelled():
        task.exception()


async def _timed(work: Awaitable[Search]) -> tuple[Search, float]:
    began = time.perf_counter()
    found = await work
    return found, (time.perf_counter() - began) * 1000


def _outcome(
    leg: Leg, task: asyncio.Task[tuple[Search, float]], deadline: float
) -> tuple[Found, LegReport]:
    if not task.done() or task.cancelled():
        return [], LegReport(leg, LegState.LATE, milliseconds=deadline * 1000)
    error = task.exception()
    if isinstance(error, TidemarkError):
        problem = f"{type(error).__name__}: {error}"
        return [], LegReport(leg, LegState.FAILED, problem=problem)
    if error is not None:
        raise error
    search, milliseconds = task.result()
    return search.found, LegReport(
        leg, LegState.OK, len(search.found), milliseconds, calibrated=search.calibrated
    )


async def _text_leg(question: Question, store: MemoryStore) -> Search:
    scored = await store.search_text(stripped(question.text), question.scopes, limit=POOL)
    return Search(_ranked(Leg.TEXT, scored, lambda score: min(1.0, score / PLAIN_MATCH)))


async def _semantic_leg(question: Question, sources: Sources, embedder: Embedder) -> Search:
    query = await _meant(question, embedder)
    identity = await embedder.identity()
    language = language_of(question.text)
    frame: Frame = plain(identity, language)
    if sources.frames is not None:
        frame = await sources.frames.frame(identity, question.scopes, language)
    directed = frame.directed(query)
    scored = await sources.store.search_vector(
        directed, identity.fingerprint, question.scopes, limit=POOL
    )
    found = _ranked(Leg.SEMANTIC, scored, lambda score: frame.relevance(score, directed))
    return Search(found, calibrated=frame.mean is not None)


async def _meant(question: Question, embedder: Embedder) -> Vector:
    """The turn's vector with the fading ones of the turns before it.

    Those are in the cache since they were asked themselves.
    """
    texts = (question.text, *reversed(question.earlier))
    vectors = await asyncio.gather(*(embedder.embed_query(text) for text in texts))
    weighted = sum(FADING**age * vector for age, vector in enumerate(vectors))
    length = float(np.linalg.norm(weighted))
    return np.asarray(weighted / length, np.float32) if length > 0.0 else vectors[0]


def _ranked(leg: Leg, scored: Sequence[Scored], relevance: Callable[[float], float]) -> Found:
    return [
        (item.id, Hit(leg, rank, item.score, relevance(item.score)))
        for rank, item in enumerate(scored, start=1)
    ]
