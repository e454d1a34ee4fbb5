"""Recall of one turn: legs in parallel within a deadline, numbers, rank, room, block."""

import asyncio
import re
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from ..languages.language import Marker
from ..languages.markers import marked
from ..languages.times import without_times
from ..model.errors import EmbeddingUnavailable, Fault, StorageError
from ..model.memory import Kind, Memory
from ..ports import MemoryReader
from ..records.background import spared
from ..records.disclosure import is_disclosed
from ..scoring.decision import IN_DOUBT, Footing, probability, worth
from .block import fill
from .columns import Numbers, asked_about, footing, numbers, without_other_days
from .legs.parallel import Searched, run_legs
from .provenance import Storied, with_learnt, with_story, words_beside
from .question import Meaning, Question, Sources, Understood
from .rerank import rerank
from .selection import by_meaning, drop_reason, in_place, judge, with_causes
from .slots import (
    Slots,
    after_their_updates,
    ends_of_turns,
    histories,
    in_one_line,
    moved_since,
    older_in_slots,
    slots_of,
)
from .trace import (
    Drop,
    Fused,
    Intent,
    Leg,
    LegReport,
    LegState,
    Recalled,
    RerankReport,
    SilenceReason,
    Trace,
)
from .weighing import lines, pooled, weighed, without_strangers

_ALWAYS_READ = frozenset({Leg.SEMANTIC, Leg.ENTITY, Leg.TIME})
"""Legs that cannot end well without an answer of the store, whatever is asked."""


class Failures:
    """The failures of one recall, by the leg whose data could not be read."""

    def __init__(self) -> None:
        self._problems: dict[Leg, str] = {}
        self._first: StorageError | None = None

    async def spared[T](self, leg: Leg, work: Awaitable[T], otherwise: T) -> T:
        """The result of the work; `otherwise` if the store fails, which is noted."""

        def note(error: StorageError) -> None:
            self._problems.setdefault(leg, f"{type(error).__name__}: {error}")
            self._first = self._first or error

        return await spared(work, otherwise, note)

    def raise_outage(self, searched: Searched) -> None:
        """Raises the StorageError of a store of which no part answers."""
        failure = searched.failure or self._first
        answered = any(
            report.state is LegState.OK and report.leg in _ALWAYS_READ
            for report in searched.reports
        )
        if failure is not None and not answered and not any(searched.found.values()):
            raise failure

    def told(self, reports: Sequence[LegReport]) -> tuple[LegReport, ...]:
        """The reports, with those of the legs of which something failed later."""
        problems = dict(self._problems)
        every: list[LegReport] = []
        for report in reports:
            problem = problems.pop(report.leg, "")
            sound = problem and report.state in (LegState.OK, LegState.OFF)
            every.append(
                replace(report, state=LegState.FAILED, problem=problem) if sound else report
            )
        late = (LegReport(leg, LegState.FAILED, problem=why) for leg, why in problems.items())
        return (*every, *late)


async def find_spared(
    store: MemoryReader, ids: Sequence[str], scopes: frozenset[str], failures: Failures
) -> list[Memory]:
    """The records with these ids; one by one where a damaged one takes the others with it.

    Raises StorageError if none can be read.
    """
    if not ids:
        return []
    try:
        return await store.find(ids, scopes)
    except StorageError as error:
        if error.fault is not Fault.DAMAGED:
            raise
        every = [await failures.spared(Leg.ENTITY, store.find([id], scopes), None) for id in ids]
        if all(one is None for one in every):
            raise
        return [memory for one in every if one is not None for memory in one]


_SAID = re.compile(r"\w")

_MARKERS: dict[Intent, Marker] = {
    Intent.CAUSAL: Marker.CAUSAL,
    Intent.TEMPORAL: Marker.TEMPORAL,
    Intent.PROCEDURAL: Marker.PROCEDURAL,
    Intent.EXPLORATORY: Marker.EXPLORATORY,
    Intent.FACTUAL: Marker.FACTUAL,
}

type Learnt = Mapping[int, tuple[str, ...]]
"""Ids of memories by the turn that they were learnt from."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """The candidates, best first, the records of those that could be shown, and their slots."""

    candidates: list[Fused]
    records: dict[str, Memory]
    slots: Slots


async def recall(question: Question, sources: Sources) -> Recalled:
    """Memories for a turn with their block. What is not ready at the deadline is left out.

    A leg that fails, and whatever else cannot be read but the records themselves, degrades this
    recall and is named in the trace. Raises StorageError if nothing answers, or no record does.
    """
    began = time.perf_counter()
    if not _SAID.search(question.text):
        scopes = tuple(sorted(question.scopes))
        empty = Trace(question.text, scopes, (), silence=SilenceReason.GREETING)
        return _compose([], {}, question, empty, began)
    understood = understand(question)
    failures = Failures()
    counted = sources.store.indexed(question.scopes)
    searched, memories = await asyncio.gather(
        run_legs(understood, sources), failures.spared(Leg.TEXT, counted, {})
    )
    failures.raise_outage(searched)
    pool, searched = await _pool(searched, understood, sources, failures)
    pool = await _without_unwanted(pool, question, searched.meaning, sources, until=began)
    model = sources.fitted[footing(searched.meaning, sources.fitted)]
    told = numbers(
        pool.candidates, pool.records, understood, searched.meaning, memories, sources.same, model
    )
    needed = worth(told.turn, model)
    ranked = weighed(pool.candidates, pool.records, told, model, question)
    # Whoever judges sees the first of all.
    far = told.far if sources.reranker is None else frozenset[str]()
    pool = replace(pool, candidates=without_strangers(ranked, far))
    room, silence = lines(pool.candidates, needed, question, model)
    if silence is not None and told.then:
        # Of a time nothing else has to be said: what happened then, or will, answers.
        pool, room, silence = replace(pool, candidates=_then(pool, told.then)), IN_DOUBT, None
    if room:
        pool, report = await _settled(pool, understood, sources, failures, until=began)
        judged, pool = await _shown(pool, question, room, sources, failures)
    else:
        judged, report = _silenced(pool, question), RerankReport()
    trace = replace(
        _trace(understood, failures.told(searched.reports), told),
        silence=silence,
        rerank=report,
        worth=probability(needed),
    )
    question = _worded(question, judged, pool, sources)
    recalled = _compose(judged, pool.records, question, trace, began)
    chat = question.style.participants.chat
    if not chat or not any(is_disclosed(memory, chat) for memory in recalled.memories):
        return recalled
    common = _undisclosed(judged, pool.records, chat)
    return replace(recalled, in_common=_compose(common, pool.records, question, trace, began))


def understand(question: Question) -> Understood:
    """The question as read by rules: its times, and the intents of its words."""
    times = asked_about(question.text, question.now, question.where)
    timeless = without_times(question.text, question.now, question.where) if times else ""
    return Understood(question, intents_of(question.text), times, timeless or question.text)


def intents_of(text: str) -> dict[Intent, float]:
    """The intents whose markers occur, with equal weights that sum to 1; general without any."""
    found = [intent for intent, what in _MARKERS.items() if marked(what, text)]
    held = found or [Intent.GENERAL]
    return {intent: 1.0 / len(held) for intent in held}


def _trace(understood: Understood, legs: tuple[LegReport, ...], told: Numbers) -> Trace:
    """How it was searched."""
    return Trace(
        understood.question.text,
        tuple(sorted(understood.question.scopes)),
        legs,
        intents=tuple(understood.intents.items()),
        times=tuple((each.start, each.end) for each in understood.times),
        numbers=tuple(told.turn.items()),
    )


async def _pool(
    searched: Searched, understood: Understood, sources: Sources, failures: Failures
) -> tuple[_Pool, Searched]:
    """The candidates, and by what they can be weighed: without vectors by their words."""
    candidates = pooled(searched.found)
    wanted = [each.memory for each in candidates]
    # The records, and side by side with them their vectors.
    memories, embedded = await asyncio.gather(
        find_spared(sources.store, wanted, understood.question.scopes, failures),
        failures.spared(Leg.SEMANTIC, _known(searched.meaning, sources, wanted), None),
    )
    records = {memory.id: memory for memory in memories}
    # Hashed vectors know words alone: a plan that shares one is found by it.
    known = footing(searched.meaning, sources.fitted) in (Footing.DENSE, Footing.LOCAL)
    ordered = by_meaning(candidates, records, frozenset(searched.found) if known else frozenset())
    ordered = without_other_days(ordered, records, understood)
    return _Pool(ordered, records, {}), replace(searched, meaning=embedded)


async def _without_unwanted(
    pool: _Pool, question: Question, meaning: Meaning | None, sources: Sources, *, until: float
) -> _Pool:
    """Those dropped that are, by their vectors, about what is not to be brought up.

    The embedder keeps the vectors of names; one that is late, or fails, tells nothing.
    """
    matters, embedder = question.context.unmentioned, sources.embedder
    if not matters or embedder is None or meaning is None or not meaning.frame.centred:
        return pool
    found = frozenset[str]()
    with suppress(TimeoutError, EmbeddingUnavailable):
        async with asyncio.timeout(until + question.deadline - time.perf_counter()):
            found = await meaning.unwanted(matters, [*pool.records.values()], embedder)
    kept = [c.dropped(Drop.UNMENTIONED) if c.memory in found else c for c in pool.candidates]
    return replace(pool, candidates=kept)


async def _known(meaning: Meaning | None, sources: Sources, ids: Sequence[str]) -> Meaning | None:
    """What is meant, with the vectors of these memories."""
    if meaning is not None and ids:
        await meaning.read(sources.store, ids)
    return meaning


async def _settled(
    pool: _Pool, understood: Understood, sources: Sources, failures: Failures, *, until: float
) -> tuple[_Pool, RerankReport]:
    """Raw turns with what was learnt from them, slots in one line, judged by a reranker."""
    question = understood.question
    learnt = await _learnt(pool, question, sources, failures)
    others = dict.fromkeys(chain.from_iterable(learnt.values()))
    records = dict(pool.records)
    if missing := [id for id in others if id not in records]:
        found = sources.store.find(missing, question.scopes)
        records |= {m.id: m for m in await failures.spared(Leg.CAUSAL, found, [])}
    candidates = with_learnt(pool.candidates, records, learnt, question.style.wanted)
    candidates = without_other_days(candidates, records, understood)
    left = until + question.deadline - time.perf_counter()
    candidates, report = await rerank(question, candidates, records, sources.reranker, seconds=left)
    slots = await failures.spared(Leg.CAUSAL, slots_of(candidates, records, sources.store), {})
    records = {memory.id: memory for own in slots.values() for memory in own} | records
    return _Pool(in_one_line(candidates, slots), records, slots), report


async def _learnt(pool: _Pool, question: Question, sources: Sources, failures: Failures) -> Learnt:
    """What was learnt from the raw turns found, by turn."""
    said = [m for m in pool.records.values() if m.kind is Kind.EVIDENCE]
    turns = sorted({turn for memory in said for turn in memory.origin.turns})
    if not turns:
        return {}
    learnt = sources.store.distilled(turns, question.scopes)
    return await failures.spared(Leg.CAUSAL, learnt, {})


def _then(pool: _Pool, then: frozenset[str]) -> list[Fused]:
    """Those of the time asked about, the newest first, before the others, which are dropped."""
    ranks = {
        each.memory: min((hit.rank for hit in each.hits if hit.leg is Leg.TIME), default=0)
        for each in pool.candidates
        if each.memory in then
    }
    within = sorted(
        (each for each in pool.candidates if each.memory in then), key=lambda one: ranks[one.memory]
    )
    scores = sorted((each.score for each in within), reverse=True)
    placed = [replace(each, score=score) for each, score in zip(within, scores, strict=True)]
    others = (each for each in pool.candidates if each.memory not in then)
    return placed + [each if each.drop else each.dropped(Drop.IRRELEVANT) for each in others]


def _silenced(pool: _Pool, question: Question) -> list[Fused]:
    facts = (drop_reason(pool.records.get(c.memory), question.context) for c in pool.candidates)
    return [
        each if each.drop else each.dropped(fact or Drop.IRRELEVANT)
        for each, fact in zip(pool.candidates, facts, strict=True)
    ]


async def _shown(
    pool: _Pool, question: Question, room: int, sources: Sources, failures: Failures
) -> tuple[list[Fused], _Pool]:
    """Each with its reason if it is not shown, in the order in which the others are."""
    best = after_their_updates(in_place(pool.candidates, pool.records), pool.records)
    judged = judge(best, pool.records, question.context, room, question.budget)
    judged = with_causes(judged, pool.records, room)
    story = with_story(judged, pool.records, question, sources.store)
    storied = await failures.spared(Leg.CAUSAL, story, Storied(judged, pool.records))
    return storied.candidates, replace(pool, records=storied.records)


def _worded(question: Question, judged: Sequence[Fused], pool: _Pool, sources: Sources) -> Question:
    """With what stands beside the memories shown."""
    records, style = pool.records, question.style
    chosen = [records[each.memory] for each in judged if each.drop is None]
    ended, instead = ends_of_turns(chosen, records, pool.slots)
    told = replace(
        style,
        beside=words_beside(
            chosen, records, sources.turns_of, style.wanted, question.context.history
        ),
        before=histories(chosen, pool.slots, style),
        ended=ended,
        instead=instead,
        later=older_in_slots(judged, records),
        moved=moved_since(chosen, records, question.where),
    )
    return replace(question, style=told)


def _undisclosed(judged: list[Fused], records: Mapping[str, Memory], chat: str) -> list[Fused]:
    return [
        each.dropped(Drop.UNRECORDED)
        if each.drop is None and is_disclosed(records[each.memory], chat)
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
    block, kept, tokens = fill(
        chosen, budget=question.budget, style=question.style, first=question.first
    )
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
    """What is due today goes before everything else."""
    due = {memory.id: memory for memory in question.due}
    found = {each.memory: each for each in judged}
    first = [replace(found.get(id, Fused(id, (), 0.0)), drop=None) for id in due]
    rest = [each for each in judged if each.memory not in due]
    return [*first, *rest], {**records, **due}
