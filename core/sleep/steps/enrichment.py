"""Asks a model what there is to know of memories that last, beside their words."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import batched
from math import inf
from typing import ClassVar
from uuid import UUID, uuid5

from ...forgetting.lifecycle import DAY
from ...graph.communities import CAUSED_BY
from ...languages.scripts import language_of
from ...languages.terms import content_terms
from ...model.errors import ReplyMalformed
from ...model.knowledge import Event, EventType, Relation
from ...model.lesson import NoteDetails
from ...model.memory import Kind, Memory
from ...model.sleeping import Decided, Decision, Deed, Left, SleepCause, Undone
from ...ports import Filter, Journal, MemoryStore
from ...prompts import enrich
from ...prompts.reading import once_more
from ...records.evidence import raw_turns
from ...records.learnt import ENRICHED, SETTLED, enriched, is_due, without_enrichment
from ...records.names import merged_into
from ..pipeline import FULL, StepRun

MOST_CALLS = 2
"""Batches of a scope that a model is asked about in one sleep: other steps have questions, too."""

MOST = 12
"""Memories in one call."""

LEAST = 10
"""Memories of one person that a call is made for by day; fewer wait for the night."""


@dataclass(frozen=True, slots=True)
class EnrichmentStep:
    """Each person's memories apart: an answer may mix what it is shown, and whoever is erased takes
    all of theirs along. The record says what was asked and added.
    """

    name: ClassVar[str] = "enrichment"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryStore
    journal: Journal
    show_date: Callable[[float], str]

    async def run(self, run: StepRun) -> None:
        """Ask about what is due."""
        for ids in await self._batches(run) if run.may_ask else ():
            if not await self._ask(run, ids):
                break

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Without what was added; what was merged meanwhile loses it too."""
        found = await self.store.find(decided.decision.memories)
        if not found:
            return Undone.GONE
        ids = [memory.id for memory in (*found, *await merged_into(self.store, found))]
        await self.store.amend(ids, without_enrichment)
        return Undone.DONE

    async def _batches(self, run: StepRun) -> list[list[str]]:
        """The ids of what is due, one person's in each. What was undone once is left alone."""
        people = defaultdict[str, list[tuple[int, float, str]]](list)
        where = Filter(frozenset({run.scope}), recallable=True, kinds=ENRICHED)
        async for page in self.store.pages(where):
            for memory in page:
                if not is_due(memory, inf) or _key(memory.id) in run.refused:
                    continue
                if is_due(memory, run.at):
                    account = "" if memory.speaker is None else memory.speaker.id
                    # What was of most use comes first, then what matters most.
                    rank = -memory.vitality.useful_count, -memory.importance, memory.id
                    people[account].append(rank)
                else:
                    run.wait_for(memory.created_at + SETTLED)
                    run.count(Left.YOUNG)
        least = LEAST if run.sleep.cause is SleepCause.QUIET else 1
        every = sorted(part for own in people.values() for part in batched(sorted(own), MOST))
        ready = [part for part in every if len(part) >= least]
        return [[id for *_, id in part] for part in ready[:MOST_CALLS]]

    async def _ask(self, run: StepRun, ids: Sequence[str]) -> bool:
        """Whether there was a model. What two replies leave out is dropped."""
        left = await self._still_due(run, ids)
        found: Mapping[int, NoteDetails] = {}
        for last in (False, True):
            if not left:
                break
            language = language_of(" ".join(memory.text for memory in left))
            prompt = enrich.build(
                left, shown_time=self.show_date, language=language, instructions=run.prompts
            )
            reply = await run.ask(once_more(prompt) if last and not found else prompt)
            if reply is None:
                return False
            try:
                found = await asyncio.to_thread(enrich.parse, reply, left)
            except ReplyMalformed:
                found = {}
            await self._keep(run, left, found)
            left = [each for number, each in enumerate(left, start=1) if number not in found]
        await self._keep(run, left, dict.fromkeys(range(1, len(left) + 1), NoteDetails()))
        return True

    async def _keep(
        self, run: StepRun, shown: Sequence[Memory], found: Mapping[int, NoteDetails]
    ) -> None:
        """One after another: the second of one event finds the first."""
        there = {each.id for each in await self._still_due(run, [each.id for each in shown])}
        for number, told in sorted(found.items()):
            memory = shown[number - 1]
            if memory.id not in there:
                continue
            if told.cause and (cause := shown[told.cause - 1].id) in there:
                link = Relation(memory.id, CAUSED_BY, cause)
                told = replace(told, relations=(*told.relations, link))
            event = None
            if told.event is not None and memory.event is None:
                plain = replace(memory, entities=told.entities, event=Event("", told.event))
                event = (await Events(self.store, self.journal.id).told(plain)).event
            change = partial(enriched, told=told, of=memory.text, event=event)
            after = change(memory).enrichment
            if after is not None and after.added:
                await run.decide(Decision(_key(memory.id), Deed.ENRICHED, (memory.id,), "told"))
            await self.store.amend([memory.id], change)

    async def _still_due(self, run: StepRun, ids: Sequence[str]) -> list[Memory]:
        """Those that are there to be asked about, in the order of time."""
        found = await self.store.find(ids, frozenset({run.scope}))
        found.sort(key=lambda memory: (memory.happened_at, memory.id))
        return [memory for memory in found if is_due(memory, run.at)]


def _key(id: str) -> str:
    return f"memory:{id}"


LIKE = 12
"""Memories like it that are looked at, by their words."""

APART: Mapping[EventType, float] = {
    EventType.TRIP: 30.0,
    EventType.PURCHASE: 14.0,
    EventType.APPOINTMENT: 2.0,
    EventType.MEETING: 2.0,
    EventType.PROJECT: 365.0,
    EventType.ILLNESS: 30.0,
    EventType.CELEBRATION: 7.0,
    EventType.MOVE: 60.0,
    EventType.JOB: 60.0,
    EventType.EXAM: 30.0,
}
"""Days that two tellings of one event lie apart, at most, by when it was."""

_TOLD = frozenset(Kind) - {Kind.PROCEDURAL, Kind.NARRATIVE}


@dataclass(frozen=True, slots=True)
class Events:
    """Done again it finds the same: ids follow from the memory that told of an event first."""

    store: MemoryStore
    journal: str

    async def told(self, memory: Memory) -> Memory:
        """The memory with the id of its event, if a model has said of which type it tells."""
        if memory.kind not in _TOLD or memory.event is None:
            return replace(memory, event=None)
        type = next((each for each in EventType if each == memory.event.type), None)
        if type is None or memory.event.id:
            return memory
        known = await self._known(memory, type)
        id = known or str(uuid5(UUID(self.journal), f"event:{memory.id}"))
        return replace(memory, event=Event(id, type))

    async def _known(self, memory: Memory, type: EventType) -> str:
        raw = await self.store.find(raw_turns(self.journal, memory))
        scope = frozenset({memory.scope})
        hits = await self.store.search_text(memory.text, scope, limit=LIKE)
        like = await self.store.find([hit.id for hit in hits], scope)
        of_type = [m for m in (*raw, *like) if m.id != memory.id and _is_of(m, type)]
        said = {turn.id for turn in raw}
        for other in of_type:
            if other.id in said or same_event(memory, other, type):
                return other.event.id if other.event is not None else ""
        return ""


def same_event(one: Memory, other: Memory, type: EventType) -> bool:
    """Whether two memories of events of a type tell of the same, as far as their words say. Pure.

    They lie near each other in time and name the same, or share two content terms and most of the
    shorter one's.
    """
    if abs(one.happened_at - other.happened_at) > APART[type] * DAY:
        return False
    named, also = ({entity.id for entity in each.entities} for each in (one, other))
    if named and also:
        return bool(named & also)
    terms, others = (content_terms(each.text) for each in (one, other))
    common = len(terms & others)
    return common > 1 and 3 * common > 2 * min(len(terms), len(others))


def _is_of(memory: Memory, type: EventType) -> bool:
    return memory.recallable and memory.event is not None and memory.event.type == type
