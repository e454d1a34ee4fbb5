"""Recall of one turn: legs in parallel within a deadline, fusion, selection, block."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import TidemarkError
from ..memory import Kind, Memory
from ..ports import Embedder, EmbedderIdentity, MemoryStore, Scored
from ..text.language import language_of
from .block import Style, fill
from .fusion import fuse
from .select import Context, asks_for_nothing, is_relevant, judge, with_distilled
from .trace import Drop, Fused, Hit, Leg, LegReport, LegState, Recalled, Trace

POOL = 50
PLAIN_MATCH = 0.6
"""BM25 share at which a text match says as much as one can."""

CONSIDERED = 40


@dataclass(frozen=True, slots=True)
class Question:
    """What to recall for. `deadline` in seconds; budget in tokens; `first` number to give.

    Legs in `without` are left out.
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


type Found = list[tuple[str, Hit]]


async def recall(question: Question, store: MemoryStore, embedder: Embedder | None) -> Recalled:
    """Memories for a turn with their block. What is not ready at the deadline is left out.

    A leg that fails degrades this recall and is named in the trace; store errors while reading
    the chosen records propagate.
    """
    began = time.perf_counter()
    if asks_for_nothing(question.text):
        return Recalled((), "", Trace(question.text, tuple(sorted(question.scopes)), ()))
    found, reports = await _run_legs(question, store, embedder)
    fused = fuse(found)
    candidates = fused[:CONSIDERED]
    records = await _records(candidates, question.scopes, store)
    candidates, records = await _replace_evidence(candidates, records, question.scopes, store)
    judged = judge(candidates, records, question.context, question.limit)
    trace = Trace(question.text, tuple(sorted(question.scopes)), tuple(reports))
    return _compose(judged, records, question, trace, began)


async def _run_legs(
    question: Question, store: MemoryStore, embedder: Embedder | None
) -> tuple[dict[Leg, Found], list[LegReport]]:
    legs: dict[Leg, Callable[[], Awaitable[Found]]] = {Leg.TEXT: lambda: _text_leg(question, store)}
    reports: list[LegReport] = []
    if embedder is None:
        reports.append(LegReport(Leg.SEMANTIC, LegState.OFF))
    else:
        legs[Leg.SEMANTIC] = lambda: _semantic_leg(question, store, embedder)
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
        found[leg] = hits
        reports.append(report)
    return found, reports


def _retrieve(task: asyncio.Task[tuple[Found, float]]) -> None:
    # A leg that was cut off may still fail; nobody is waiting for that.
    if not task.cancelled():
        task.exception()


async def _timed(work: Awaitable[Found]) -> tuple[Found, float]:
    began = time.perf_counter()
    found = await work
    return found, (time.perf_counter() - began) * 1000


def _outcome(
    leg: Leg, task: asyncio.Task[tuple[Found, float]], deadline: float
) -> tuple[Found, LegReport]:
    if not task.done() or task.cancelled():
        return [], LegReport(leg, LegState.LATE, milliseconds=deadline * 1000)
    error = task.exception()
    if isinstance(error, TidemarkError):
        problem = f"{type(error).__name__}: {error}"
        return [], LegReport(leg, LegState.FAILED, problem=problem)
    if error is not None:
        raise error
    found, milliseconds = task.result()
    return found, LegReport(leg, LegState.OK, len(found), milliseconds)


async def _text_leg(question: Question, store: MemoryStore) -> Found:
    scored = await store.search_text(question.text, question.scopes, limit=POOL)
    return _ranked(Leg.TEXT, scored, lambda score: min(1.0, score / PLAIN_MATCH))


async def _semantic_leg(question: Question, store: MemoryStore, embedder: Embedder) -> Found:
    vector = await embedder.embed_query(question.text)
    identity = await embedder.identity()
    scored = await store.search_vector(vector, identity.fingerprint, question.scopes, limit=POOL)
    floor = _unrelated(question.text, identity)
    return _ranked(Leg.SEMANTIC, scored, lambda score: max(0.0, (score - floor) / (1.0 - floor)))


def _unrelated(text: str, identity: EmbedderIdentity) -> float:
    if language_of(text) == "en" and identity.unrelated_latin is not None:
        return identity.unrelated_latin
    return identity.unrelated


def _ranked(leg: Leg, scored: Sequence[Scored], relevance: Callable[[float], float]) -> Found:
    return [
        (item.id, Hit(leg, rank, item.score, relevance(item.score)))
        for rank, item in enumerate(scored, start=1)
    ]


async def _records(
    candidates: Sequence[Fused], scopes: frozenset[str], store: MemoryStore
) -> dict[str, Memory]:
    # What no leg finds relevant is dropped unread: reading costs more than finding.
    wanted = [c.memory for c in candidates if c.drop is None and is_relevant(c)]
    memories = await store.find(wanted, scopes) if wanted else []
    return {memory.id: memory for memory in memories}


async def _replace_evidence(
    candidates: list[Fused],
    records: dict[str, Memory],
    scopes: frozenset[str],
    store: MemoryStore,
) -> tuple[list[Fused], dict[str, Memory]]:
    raw = [m for m in records.values() if m.kind is Kind.EVIDENCE]
    turns = sorted({turn for memory in raw for turn in memory.origin.turns})
    distilled = await store.distilled(turns, scopes) if turns else {}
    if not distilled:
        return candidates, records
    replaced = with_distilled(candidates, records, distilled)
    missing = [candidate for candidate in replaced if candidate.memory not in records]
    return replaced, records | await _records(missing, scopes, store)


def _compose(
    judged: list[Fused],
    records: Mapping[str, Memory],
    question: Question,
    trace: Trace,
    began: float,
) -> Recalled:
    chosen = [records[c.memory] for c in judged if c.drop is None]
    block, taken, tokens = fill(
        chosen, budget=question.budget, style=question.style, first=question.first
    )
    kept = tuple(memory for memory in chosen if memory.id in taken)
    numbers = {memory.id: number for number, memory in enumerate(kept, start=question.first)}
    candidates = tuple(
        replace(c, number=numbers[c.memory])
        if c.memory in numbers and c.drop is None
        else (c if c.drop else c.dropped(Drop.BUDGET))
        for c in judged
    )
    elapsed = (time.perf_counter() - began) * 1000
    done = replace(trace, candidates=candidates, tokens=tokens, milliseconds=elapsed)
    return Recalled(kept, block, done)
