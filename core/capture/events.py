"""The event that a memory tells of: a known one or a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from ..languages.terms import content_terms
from ..model.knowledge import Event, EventType
from ..model.memory import Kind, Memory
from ..ports import MemoryStore
from ..records.evidence import raw_turns

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
