"""Recall of one turn: legs in parallel within a deadline, fusion, selection, block."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..languages.inquiries import inquiries
from ..model.memory import Kind, Memory
from ..records.disclosure import is_private
from .abstention import silence
from .block import fill
from .boosts import adjusted, after_their_updates
from .graph_boost import related
from .intent import intents_of, stripped
from .intention_ranking import by_meaning, in_place, without_closed
from .leg_weights import goes_by_time, pooled
from .legs.leg import Found
from .legs.parallel import run_legs
from .newer import with_newer
from .provenance import bringing, with_learnt, with_turns, words_beside
from .question import Question, Sources, Understood
from .rerank import rerank
from .selection import asks_for_nothing, is_relevant, judge
from .slot_answers import answered
from .slots import asks_for_past, ends_of_turns, newest_first, values_before, with_current
from .time_nearness import asked_about, timely, without_times
from .time_questions import asks_for_time_alone
from .trace import Drop, Fused, Leg, LegReport, Recalled, RerankReport, Silence, Trace


@dataclass(frozen=True, slots=True)
class _Pool:
    """The candidates, best first, and the records of those that could be shown."""

    candidates: list[Fused]
    records: dict[str, Memory]


async def recall(question: Question, sources: Sources) -> Recalled:
    """Memories for a turn with their block. What is not ready at the deadline is left out.

    A leg that fails degrades this recall and is named in the trace; store errors while reading
    the chosen records propagate.
    """
    began = time.perf_counter()
    until = began + question.deadline
    scopes = tuple(sorted(question.scopes))
    if asks_for_nothing(question.text):
        greeted = Trace(question.text, scopes, (), silence=Silence.GREETING)
        return _compose([], {}, question, greeted, began)
    understood = understand(question)
    found, reports = await run_legs(understood, sources)
    by_time = goes_by_time(understood, found)
    pool = await _pool(understood, found, sources)
    quiet, told = None, RerankReport()
    if not by_time:
        pool = _weighed(pool, understood)
        quiet = _silence(pool, question, reports)
        if quiet is None:
            pool, told = await _reordered(pool, question, found, sources, until)
    judged = _silenced(pool) if quiet else _judged(pool, question)
    judged = answered(judged, pool.records, question.limit)
    newer = await with_newer(judged, pool.records, question, sources)
    judged = newer.candidates
    shown = any(each.drop is None for each in judged)
    trace = Trace(
        question.text,
        scopes,
        tuple(reports),
        intents=tuple(understood.intents.items()),
        silence=None if shown else quiet,
        rerank=told,
        times=tuple((each.start, each.end) for each in understood.times),
        time_alone=by_time,
    )
    question = _quoting(question, judged, pool.records, sources, newer.later)
    recalled = _compose(judged, pool.records, question, trace, began)
    if not (question.style.participants.several and any(map(is_private, recalled.memories))):
        return recalled
    common = _without_private(judged, pool.records)
    return replace(recalled, in_common=_compose(common, pool.records, question, trace, began))


def understand(question: Question) -> Understood:
    """The question as read by rules."""
    times = asked_about(question.text, question.now, question.where)
    timeless = without_times(question.text, question.now, question.where) if times else ""
    words = stripped(timeless or question.text)
    alone = bool(times) and asks_for_time_alone(question.text, timeless)
    asked = inquiries(question.text)
    return Understood(question, intents_of(question.text), times, words, alone, asked)


async def _pool(understood: Understood, found: Mapping[Leg, Found], sources: Sources) -> _Pool:
    question = understood.question
    candidates = pooled(understood, found)
    # What no leg finds relevant is dropped unread: reading costs more than finding.
    wanted = [each.memory for each in candidates if is_relevant(each)]
    memories = await sources.store.find(wanted, question.scopes) if wanted else []
    records = {memory.id: memory for memory in memories}
    candidates, records = await _with_origins(candidates, records, question, sources)
    candidates, records = await with_current(
        candidates, records, sources.store, asked=question.text
    )
    candidates = without_closed(candidates, records, past=asks_for_past(question.text))
    return _Pool(by_meaning(candidates, records, frozenset(found)), records)


def _weighed(pool: _Pool, understood: Understood) -> _Pool:
    """With what is known of the memories besides how well they fit."""
    question, records = understood.question, pool.records
    moved = timely(pool.candidates, records, understood.times, question.where)
    return _Pool(adjusted(moved, records, question.text, now=question.now), records)


def _silence(pool: _Pool, question: Question, reports: Sequence[LegReport]) -> Silence | None:
    return silence(
        question.text,
        pool.candidates,
        later=bool(question.earlier),
        calibrated=any(report.calibrated for report in reports),
    )


def _silenced(pool: _Pool) -> list[Fused]:
    return [each if each.drop else each.dropped(Drop.IRRELEVANT) for each in pool.candidates]


async def _reordered(
    pool: _Pool, question: Question, found: Mapping[Leg, Found], sources: Sources, until: float
) -> tuple[_Pool, RerankReport]:
    """By the graph and the reranker. Both come after silence: neither lifts it."""
    left = until - time.perf_counter()
    near = await related(question, pool.candidates, pool.records, found, sources, seconds=left)
    left = until - time.perf_counter()
    best, told = await rerank(question, near, pool.records, sources.reranker, seconds=left)
    return _Pool(best, pool.records), told


def _judged(pool: _Pool, question: Question) -> list[Fused]:
    """Each with its reason if it is not shown, in the order in which the others are."""
    records = pool.records
    best = after_their_updates(in_place(pool.candidates, records), records)
    judged = judge(best, records, question.context, question.limit)
    return newest_first(judged, records)


async def _with_origins(
    candidates: list[Fused], records: dict[str, Memory], question: Question, sources: Sources
) -> tuple[list[Fused], dict[str, Memory]]:
    """Raw turns bring what was learnt from them, and memories the turns they were learnt from."""
    store, scopes, wanted = sources.store, question.scopes, question.style.wanted
    said = [m for m in records.values() if m.kind is Kind.EVIDENCE]
    turns = sorted({turn for memory in said for turn in memory.origin.turns})
    learnt = await store.distilled(turns, scopes) if turns else {}
    raw = {m.id: sources.turns_of(m) for m in bringing(candidates, records)} if wanted else {}
    others = chain(chain.from_iterable(learnt.values()), chain.from_iterable(raw.values()))
    missing = [id for id in dict.fromkeys(others) if id not in records]
    if missing:
        records = records | {m.id: m for m in await store.find(missing, scopes)}
    candidates = with_learnt(candidates, records, learnt, wanted)
    return with_turns(candidates, records, raw, wanted), records


def _quoting(
    question: Question,
    judged: list[Fused],
    records: Mapping[str, Memory],
    sources: Sources,
    later: Mapping[str, str],
) -> Question:
    chosen = [records[each.memory] for each in judged if each.drop is None]
    style = question.style
    seen = question.context.history
    beside = words_beside(chosen, records, sources.turns_of, style.wanted, seen)
    before = values_before(chosen, records, now=question.now)
    ended = ends_of_turns(chosen, records)
    told = replace(style, beside=beside, before=before, ended=ended, later=later)
    return replace(question, style=told)


def _without_private(judged: list[Fused], records: Mapping[str, Memory]) -> list[Fused]:
    return [
        each.dropped(Drop.UNRECORDED)
        if each.drop is None and is_private(records[each.memory])
        else each
        for each in judged
    ]


def _compose(
    judged: list[Fused],
    records: Mapping[str, Memory],
    question: Question,
    trace: Trace,
    began: float,
) -> Recalled:
    judged, records = _with_due(judged, records, question)
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
    due = tuple(memory.id for memory in question.due if memory.id in numbers)
    done = replace(trace, candidates=candidates, tokens=tokens, milliseconds=elapsed, due=due)
    return Recalled(kept, block, done)


def _with_due(
    judged: list[Fused], records: Mapping[str, Memory], question: Question
) -> tuple[list[Fused], Mapping[str, Memory]]:
    """What is for today before everything else."""
    due = {memory.id: memory for memory in question.due}
    found = {each.memory: each for each in judged}
    first = [replace(found.get(id, Fused(id, (), 0.0)), drop=None) for id in due]
    rest = [each for each in judged if each.memory not in due]
    return [*first, *rest], {**records, **due}
