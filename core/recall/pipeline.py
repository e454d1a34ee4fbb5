"""Recall of one turn: legs in parallel within a deadline, fusion, selection, block."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ..memory import Kind, Memory
from ..ports import MemoryStore
from .adjust import adjusted, after_their_updates
from .block import fill
from .intent import intents_of, stripped
from .intentions import by_meaning, in_place
from .legs.running import run_legs
from .opposing import opposed
from .origins import bringing, with_learnt, with_turns
from .plan import goes_by_time, pooled
from .question import Question, Sources, Understood
from .relating import related
from .rerank import rerank
from .select import asks_for_nothing, is_relevant, judge
from .silence import silence
from .time_alone import asks_for_time_alone
from .trace import Drop, Fused, Recalled, RerankReport, Silence, Trace
from .when import asked_about, timely, without_times


async def recall(question: Question, sources: Sources) -> Recalled:
    """Memories for a turn with their block. What is not ready at the deadline is left out.

    A leg that fails degrades this recall and is named in the trace; store errors while reading
    the chosen records propagate.
    """
    began = time.perf_counter()
    scopes = tuple(sorted(question.scopes))
    if asks_for_nothing(question.text):
        return Recalled((), "", Trace(question.text, scopes, (), silence=Silence.GREETING))
    understood = understand(question)
    found, reports = await run_legs(understood, sources)
    by_time = goes_by_time(understood, found)
    candidates = pooled(understood, found)
    records = await _records(candidates, question.scopes, sources.store)
    candidates, records = await _with_origins(candidates, records, question, sources)
    candidates = by_meaning(candidates, records, frozenset(found))
    quiet, told = None, RerankReport()
    if not by_time:
        candidates = timely(candidates, records, understood.times, question.where)
        candidates = adjusted(candidates, records, question.text, now=question.now)
        quiet = silence(
            question.text,
            candidates,
            later=bool(question.earlier),
            calibrated=any(report.calibrated for report in reports),
        )
    if quiet is None and not by_time:
        # Only what is brought up anyway is judged: a reranker alone lifts no silence.
        left = question.deadline - (time.perf_counter() - began)
        candidates = await related(question, candidates, records, found, sources, seconds=left)
        left = question.deadline - (time.perf_counter() - began)
        candidates, told = await rerank(
            question, candidates, records, sources.reranker, seconds=left
        )
    candidates = after_their_updates(in_place(candidates, records), records)
    judged = judge(candidates, records, question.context, question.limit)
    if quiet is None:
        left = question.deadline - (time.perf_counter() - began)
        judged = await opposed(judged, records, sources, seconds=left)
    else:
        judged = [each if each.drop else each.dropped(Drop.IRRELEVANT) for each in judged]
    trace = Trace(
        question.text,
        scopes,
        tuple(reports),
        intents=tuple(understood.intents.items()),
        silence=quiet,
        rerank=told,
        times=tuple((each.start, each.end) for each in understood.times),
        time_alone=by_time,
    )
    return _compose(judged, records, question, trace, began)


def understand(question: Question) -> Understood:
    """The question as read by rules."""
    times = asked_about(question.text, question.now, question.where)
    timeless = without_times(question.text, question.now, question.where) if times else ""
    words = stripped(timeless or question.text)
    alone = bool(times) and asks_for_time_alone(question.text, timeless)
    return Understood(question, intents_of(question.text), times, words, alone)


async def _records(
    candidates: Sequence[Fused], scopes: frozenset[str], store: MemoryStore
) -> dict[str, Memory]:
    # What no leg finds relevant is dropped unread: reading costs more than finding.
    wanted = [c.memory for c in candidates if c.drop is None and is_relevant(c)]
    memories = await store.find(wanted, scopes) if wanted else []
    return {memory.id: memory for memory in memories}


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
