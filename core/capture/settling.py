"""Ties a new memory to known ones: claims of its slot, and its event."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID, uuid5

from ..conflict.settlement import Ending, Settlement, settled
from ..conflict.slots import ended_with, slots_ending
from ..languages.terms import content_terms
from ..model.knowledge import Event, EventType
from ..model.memory import Kind, Memory, Succession
from ..ports import Filter, Journal, MemoryStore
from ..records.evidence import raw_turns
from ..records.learnt import replaced_by
from ..records.merging import replaced


@dataclass(frozen=True, slots=True)
class Settling:
    """Every step may be repeated and then changes nothing."""

    store: MemoryStore
    journal: Journal

    async def adopt(self, kept_id: str, memory: Memory) -> None:
        """Give the memory `kept_id`, which says what `memory` says, its claim if it has none."""
        if kept_id != memory.id and memory.claim is not None:
            claim = memory.claim
            await self.store.amend(
                [kept_id], lambda known: replace(known, claim=known.claim or claim)
            )

    async def settle(self, memories: Sequence[Memory], gone: Collection[str] = ()) -> None:
        """Let the claims of the slots that these memories fill end one another.

        What those `gone` had ended holds again, if nothing else ends it.
        """
        filled = {(m.scope, m.claim.slot) for m in memories if m.claim}
        ended = {(m.scope, slot) for m in memories if m.claim for slot in ended_with(m.claim)}
        for scope, slot in sorted(filled | ended):
            where = Filter(scopes=frozenset({scope}), slots=slots_ending(slot))
            claims = [memory async for memory in self.store.iterate(where)]
            settlement = settled(claims, gone)
            await self.store.amend(settlement.ids, settlement.applied)
            await self._withdraw(claims, settlement)
            await self._note(settlement)

    async def _withdraw(self, claims: Sequence[Memory], settlement: Settlement) -> None:
        """The raw turn that said what was never so must not say it again in its place."""
        by_id = {memory.id: memory for memory in claims}
        for id, ending in settlement.endings.items():
            if ending.correction is None:
                continue
            kept = raw_turns(self.journal.id, by_id[ending.by])
            said = [raw for raw in raw_turns(self.journal.id, by_id[id]) if raw not in kept]
            await self.store.amend(said, partial(_withdrawn, ending))

    async def _note(self, settlement: Settlement) -> None:
        endings = settlement.endings
        # Not from what changed: a repetition after a crash finds it ended, not noted.
        found = await self.store.find(sorted(endings))
        await self.journal.audit(
            [
                replaced(memory, memory.successor, by="learning", at=endings[memory.id].said_at)
                for memory in found
                if memory.successor is not None and memory.successor.memory == endings[memory.id].by
            ]
        )


def _withdrawn(ending: Ending, raw: Memory) -> Memory:
    text = ending.correction or ""
    return replaced_by(raw, ending.by, Succession.CORRECTS, text, ending.said_at)


LIKE = 12
"""Memories like it that are looked at, by their words."""

DAY = 86_400.0
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
