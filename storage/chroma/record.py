"""A memory as the metadata of a Chroma record: JSON, and the few values that are filtered by.

A where-filter of embedded Chroma and of its single-node server costs as much as there are rows
with that value in the whole database; so every value filtered by begins with the tag of its scope.
Numbers are compared here, not there: they pass through JSON and, in a distributed deployment,
through indexes of 32 bits. Text is no Chroma document: that is also put into a trigram index.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...core.model.errors import Fault, UnreadableRecord
from ...core.model.memory import VIEWS as NAMED_VIEWS
from ...core.model.memory import Memory, Status
from ...core.ports import Filter
from ..codec import decode, encode, readable, slot_number

BODY = "body"
STATE = "state"
SLOT = "slot"
EMBEDDER = "embedder"
VIEWS = "views"
"""Names of the further views that are beside the vector, as JSON."""

ANY = Filter(status=None)

type Metadata = Mapping[str, Any]


class State(StrEnum):
    """Status and recall in one word: the value that reads are narrowed by."""

    RECALLABLE = "recallable"
    REPLACED = "replaced"
    ARCHIVED = "archived"
    BINNED = "binned"
    QUARANTINED = "quarantined"


_STATUS = {
    State.RECALLABLE: Status.LIVE,
    State.REPLACED: Status.LIVE,
    State.ARCHIVED: Status.ARCHIVED,
    State.BINNED: Status.BINNED,
    State.QUARANTINED: Status.QUARANTINED,
}
_STATES = {status: state for state, status in _STATUS.items() if status is not Status.LIVE}


@dataclass(frozen=True, slots=True)
class TaggedScope:
    """A scope and the tag that its values begin with."""

    scope: str
    tag: str

    def state(self, state: State) -> str:
        """The value of `STATE`."""
        return f"{self.tag}:{state}"

    @property
    def set_aside(self) -> str:
        """The value of `STATE` of a record that cannot be read: no filter lets it through."""
        return f"{self.tag}:unreadable"

    def slot(self, slot: str) -> str:
        """The value of `SLOT`."""
        return f"{self.tag}:{slot_number(slot)}"

    def narrowed(self, where: Filter) -> Mapping[str, Any] | None:
        """The filter of Chroma for records that may pass; None if none can."""
        states = [
            self.state(state)
            for state in State
            if where.status in (None, _STATUS[state])
            and where.recallable in (None, state is State.RECALLABLE)
        ]
        # An empty list of values is no filter to Chroma.
        if not states or where.slots == frozenset():
            return None
        there = {STATE: {"$in": states}} if len(states) > 1 else {STATE: states[0]}
        if where.slots is None:
            return there
        return {"$and": [there, {SLOT: {"$in": [self.slot(slot) for slot in sorted(where.slots)]}}]}


def tag_in(metadata: Metadata) -> str:
    """The tag of a record's scope."""
    return str(metadata.get(STATE, "")).partition(":")[0]


def written(memory: Memory, place: TaggedScope) -> dict[str, Any]:
    """The whole memory, without what is known of its vector."""
    live = memory.standing.status is Status.LIVE
    at_rest = State.RECALLABLE if memory.recallable else State.REPLACED
    return {
        STATE: place.state(at_rest if live else _STATES[memory.standing.status]),
        SLOT: place.tag if memory.claim is None else place.slot(memory.claim.slot),
        BODY: encode(memory).decode(),
    }


def decoded(id: str, place: TaggedScope, metadata: Metadata) -> Memory:
    """The memory of a record. Raises UnreadableRecord for what cannot be read."""
    with readable():
        memory = decode(metadata[BODY].encode())
    if (memory.id, memory.scope) != (id, place.scope):
        raise UnreadableRecord("a stored memory is another's", fault=Fault.DAMAGED)
    return memory


def scope_in(metadata: Metadata) -> str:
    """The scope of the memory of a record. Raises UnreadableRecord."""
    with readable():
        return decode(metadata[BODY].encode()).scope


def views_in(metadata: Metadata) -> list[str]:
    """The names of the further views of a record that has a vector.

    None where they cannot be read: the vector of the whole still finds the memory.
    """
    with suppress(UnreadableRecord), readable():
        return [name for name in json.loads(metadata.get(VIEWS) or "[]") if name in NAMED_VIEWS]
    return []
