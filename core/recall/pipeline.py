"""Recall of one turn: legs in parallel within a deadline, fusion, selection, block."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..languages.inquiries import inquiries
from ..model.memory import Kind, Memory
from ..records.disclosure import is_disclosed
from ..scoring.coefficients import Coefficients, Footing
from ..scoring.decision import line_share, share_within
from ..scoring.odds import probability
from .block import fill
from .causal_answers import with_causes
from .cautions import with_cautions
from .columns import columns, footing
from .fusion import goes_by_time, pooled
from .intent import intents_of, stripped
from .intention_ranking import by_meaning, in_place, without_closed
from .legs.parallel import Searched, run_legs
from .likely_claims import with_likely
from .moved import moved_since
from .newer_statements import of_one_slot, with_newer_statements
from .others_claims import (
    without_other_attributes,
    without_other_kin,
    without_other_members,
    without_strangers,
)
from .partial_failure import Failures, find_spared
from .provenance import bringing, with_learnt, with_turns, words_beside
from .question import Meaning, Question, Sources, Understood
from .rerank import rerank
from .selection import asks_for_nothing, drop_reason, judge
from .slot_answers import answered
from .slots import asks_for_past, ends_of_turns, newest_first, values_before, with_current
from .stories import Storied, with_story
from .time_nearness import asked_about, without_other_days, without_times
from .time_questions import asks_for_time_alone
from .trace import Drop, Fused, Leg, LegReport, Recalled, RerankReport, SilenceReason, Trace
from .updates import after_their_updates
from .weighing import silence, turn_worth, weighed, worth_by_words

type Learnt = Mapping[int, tuple[str, ...]]
"""Ids of memories by the turn that they were learnt from."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """The candidates, best first, and the records of those that could be shown."""

    candidates: list[Fused]
    records: dict[str, Memory]


async def recall(question: Question, sources: Sources) -> Recalled:
    """Memories for a turn with their block. What is not ready at the deadline is left out.

    A leg that fails, and whatever else cannot be read but the records themselves, degrades this
    recall and is named in the trace. Raises StorageError if nothing answers, or no record does.
    """
    began = time.perf_counter()
    until = began + question.deadline
    if asks_for_nothing(question.text):
        scopes = tuple(sorted(question.scopes))
        greeted = Trace(question.text, scopes, (), silence=SilenceReason.GREETING)
        return _compose([], {}, question, greeted, began)
    understood = understand(question)
    failures = Failures()
    counted = sources.store.indexed(question.scopes)
    searched, memories = await asyncio.gather(
        run_legs(understood, sources), failures.spared(Leg.TEXT, counted, {})
    )
    failures.raise_outage(searched)
    by_time = goes_by_time(understood, searched.found)
    model = sources.fitted[footing(searched.meaning)]
    understood = replace(understood, recalls=_recalls(question, searched.meaning, model))
    if not by_time:
        searched = await with_likely(understood, searched, sources, model, failures)
    pool, searched = await _pool(understood, searched, sources, failures)
    model = sources.fitted[footing(searched.meaning)]
    quiet, told, needed, share = None, RerankReport(), None, 0.0
    if by_time:
        learnt = await _learnt(pool, question, sources, failures)
    else:
        # The store reads while the candidates are weighed.
        learnt, pool = await asyncio.gather(
            _learnt(pool, question, sources, failures),
            _weighed(pool, understood, searched, sources, memories, model),
        )
        needed = _worth(pool, understood, searched, sources, sum(memories.values()))
        quiet = silence(pool.candidates, needed, question, model)
        share = _share(question, model, needed)
    pool = await _with_origins(pool, learnt, understood, sources, failures)
    if quiet is None:
        left = until - time.perf_counter()
        best, told = await rerank(
            question, pool.candidates, pool.records, sources.reranker, seconds=left
        )
        pool = _Pool(best, pool.records)
    judged = _silenced(pool, question) if quiet else _judged(pool, understood, share)
    judged, pool = await _answering(judged, pool, understood, share, sources, failures)
    trace = replace(
        _trace(understood, failures.told(searched.reports), by_time=by_time),
        silence=quiet if all(each.drop for each in judged) else None,
        rerank=told,
        worth=None if needed is None else probability(needed),
    )
    question = _quoting(question, judged, pool.records, sources)
    recalled = _compose(judged, pool.records, question, trace, began)
    chat = question.style.participants.chat
    if not chat or not any(is_disclosed(memory, chat) for memory in recalled.memories):
        return recalled
    common = _undisclosed(judged, pool.records, chat)
    return replace(recalled, in_common=_compose(common, pool.records, question, trace, began))


async def _answering(
    judged: list[Fused],
    pool: _Pool,
    understood: Understood,
    share: float,
    sources: Sources,
    failures: Failures,
) -> tuple[list[Fused], _Pool]:
    """With answers in the place of memories that only resemble the question."""
    question = understood.question
    sure = any(not each.words for each in understood.inquiries)
    judged = answered(judged, pool.records, question.limit, share if sure else 0.0)
    if not asks_for_past(question.text):
        judged = with_newer_statements(judged, pool.records, understood.inquiries, question.limit)
    judged = with_cautions(judged, pool.records, question.limit)
    judged = with_causes(judged, pool.records, question.limit)
    story = with_story(judged, pool.records, question, sources.store)
    storied = await failures.spared(Leg.CAUSAL, story, Storied(judged, pool.records))
    return storied.candidates, replace(pool, records=storied.records)


def _trace(understood: Understood, legs: tuple[LegReport, ...], *, by_time: bool) -> Trace:
    """How it was searched."""
    return Trace(
        understood.question.text,
        tuple(sorted(understood.question.scopes)),
        legs,
        intents=tuple(understood.intents.items()),
        times=tuple((each.start, each.end) for each in understood.times),
        time_alone=by_time,
        asks=understood.recalls,
    )


def understand(question: Question) -> Understood:
    """The question as read by rules."""
    times = asked_about(question.text, question.now, question.where)
    timeless = without_times(question.text, question.now, question.where) if times else ""
    words = stripped(timeless or question.text)
    alone = bool(times) and asks_for_time_alone(question.text, timeless)
    asked = inquiries(question.text)
    return Understood(question, intents_of(question.text), times, words, alone, asked)


async def _pool(
    understood: Understood, searched: Searched, sources: Sources, failures: Failures
) -> tuple[_Pool, Searched]:
    """The candidates, and by what they can be weighed: without vectors by their words."""
    candidates = pooled(understood, searched.found)
    wanted = [each.memory for each in candidates]
    scopes, meaning = understood.question.scopes, searched.meaning
    # The records, and side by side with them their vectors.
    memories, embedded = await asyncio.gather(
        find_spared(sources.store, wanted, scopes, failures),
        failures.spared(Leg.SEMANTIC, _known(meaning, sources, wanted), None),
    )
    records = {memory.id: memory for memory in memories}
    candidates = _of_their_time(candidates, records, understood)
    # Hashed vectors know words alone: a plan that shares one is found by it.
    known = footing(meaning) in (Footing.DENSE, Footing.STRONG)
    ordered = by_meaning(candidates, records, frozenset(searched.found) if known else frozenset())
    return _Pool(ordered, records), replace(searched, meaning=embedded)


async def _known(meaning: Meaning | None, sources: Sources, ids: Sequence[str]) -> Meaning | None:
    """What is meant, with the vectors of these memories."""
    if meaning is not None and ids:
        await meaning.read(sources.store, ids)
    return meaning


async def _weighed(
    pool: _Pool,
    understood: Understood,
    searched: Searched,
    sources: Sources,
    memories: Mapping[str, int],
    model: Coefficients,
) -> _Pool:
    """In the order of the ranking."""
    meaning = searched.meaning
    sheet = columns(pool.candidates, pool.records, understood, meaning, memories, sources.same)
    return _Pool(weighed(pool.candidates, pool.records, sheet, model), pool.records)


def _worth(
    pool: _Pool, understood: Understood, searched: Searched, sources: Sources, memories: int
) -> float:
    """The logit that the turn needs any memory, whichever of them have vectors already."""
    candidates, records, meaning = pool.candidates, pool.records, searched.meaning
    model, words = (sources.fitted[each] for each in (footing(meaning), Footing.WORDS))
    told = turn_worth(candidates, records, understood, memories, model)
    if meaning is None:
        return told
    embedded = meaning.known
    return max(told, worth_by_words(candidates, records, understood, memories, words, embedded))


def _recalls(question: Question, meaning: Meaning | None, model: Coefficients) -> float:
    """How likely the turn is to ask for what is remembered, 0..1."""
    if meaning is None:
        return model.need.probability(question.text)
    return model.need.probability(question.text, meaning.alone, meaning.fingerprint)


def _share(question: Question, model: Coefficients, needed: float) -> float:
    """Of the first one's odds, what a line must have; who asks for memories sees more."""
    if question.listing:
        return 0.0
    share = share_within(question.limit, model.share)
    return share if question.insists else line_share(share, needed)


def _silenced(pool: _Pool, question: Question) -> list[Fused]:
    facts = (drop_reason(pool.records.get(c.memory), question.context) for c in pool.candidates)
    return [
        each if each.drop else each.dropped(fact or Drop.IRRELEVANT)
        for each, fact in zip(pool.candidates, facts, strict=True)
    ]


def _judged(pool: _Pool, understood: Understood, share: float) -> list[Fused]:
    """Each with its reason if it is not shown, in the order in which the others are."""
    records, question = pool.records, understood.question
    best = after_their_updates(in_place(pool.candidates, records), records)
    asked = question.style.wanted
    judged = judge(best, records, question.context, question.limit, share, asked)
    judged = without_other_kin(judged, records, understood.inquiries, question.text)
    judged = without_other_attributes(judged, records, understood.inquiries, question.text)
    judged = without_strangers(judged, records, understood.inquiries)
    people = question.style.participants
    judged = without_other_members(judged, records, understood.inquiries, people)
    return newest_first(judged, records, past=asks_for_past(question.text))


async def _learnt(pool: _Pool, question: Question, sources: Sources, failures: Failures) -> Learnt:
    """What was learnt from the raw turns found, by turn."""
    said = [m for m in pool.records.values() if m.kind is Kind.EVIDENCE]
    turns = sorted({turn for memory in said for turn in memory.origin.turns})
    if not turns:
        return {}
    learnt = sources.store.distilled(turns, question.scopes)
    return await failures.spared(Leg.CAUSAL, learnt, {})


async def _with_origins(
    pool: _Pool, learnt: Learnt, understood: Understood, sources: Sources, failures: Failures
) -> _Pool:
    """Raw turns bring what was learnt from them, and memories the turns they were learnt from."""
    candidates, records, question = pool.candidates, pool.records, understood.question
    store, scopes, wanted = sources.store, question.scopes, question.style.wanted
    raw = {m.id: sources.turns_of(m) for m in bringing(candidates, records)} if wanted else {}
    others = chain(chain.from_iterable(learnt.values()), chain.from_iterable(raw.values()))
    missing = [id for id in dict.fromkeys(others) if id not in records]
    found = await failures.spared(Leg.CAUSAL, store.find(missing, scopes), []) if missing else []
    records = records | {m.id: m for m in found}
    candidates = with_learnt(candidates, records, learnt, wanted)
    candidates = with_turns(candidates, records, raw, wanted)
    current = with_current(candidates, records, store, asked=question.text)
    candidates, records = await failures.spared(Leg.SLOT, current, (candidates, records))
    return _Pool(_of_their_time(candidates, records, understood), records)


def _of_their_time(
    candidates: Sequence[Fused], records: Mapping[str, Memory], understood: Understood
) -> list[Fused]:
    """Without what is closed, and what is told of another day than the question."""
    past = asks_for_past(understood.question.text)
    standing = without_closed(candidates, records, past=past)
    return without_other_days(standing, records, understood)


def _quoting(
    question: Question,
    judged: list[Fused],
    records: Mapping[str, Memory],
    sources: Sources,
) -> Question:
    chosen = [records[each.memory] for each in judged if each.drop is None]
    style = question.style
    seen = question.context.history
    beside = words_beside(chosen, records, sources.turns_of, style.wanted, seen)
    before = values_before(chosen, records, now=question.now)
    ended = ends_of_turns(chosen, records)
    later = of_one_slot(judged, records)
    moved = moved_since(chosen, records, question.where)
    told = replace(style, beside=beside, before=before, ended=ended, later=later, moved=moved)
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
    """What is due today goes before everything else."""
    due = {memory.id: memory for memory in question.due}
    found = {each.memory: each for each in judged}
    first = [replace(found.get(id, Fused(id, (), 0.0)), drop=None) for id in due]
    rest = [each for each in judged if each.memory not in due]
    return [*first, *rest], {**records, **due}
