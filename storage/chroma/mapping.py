"""A memory as the metadata of a Chroma record: what is filtered by, and the rest as JSON.

A where-filter of embedded Chroma and of its single-node server costs as much as there are rows
with that value in the whole database, whatever the collection; so every value filtered by begins
with the tag of its scope. Numbers are compared here, not there: they pass through JSON and, in a
distributed deployment, through indexes of 32 bits. Text is no Chroma document in a folder, where
nobody searches it: a document is also put into a trigram index. On a server see `documents.py`.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from random import getrandbits
from typing import Any

from ...core.model.claims import Claim
from ...core.model.errors import Fault, SchemaTooNew, UnreadableRecord
from ...core.model.intentions import Intention, IntentionStatus
from ...core.model.memory import (
    Access,
    Extractor,
    Kind,
    Memory,
    Source,
    Standing,
    Status,
    Succession,
    Successor,
    UserFeedback,
    Vitality,
)
from ...core.model.views import VIEWS as NAMED_VIEWS
from ...core.ports import Filter
from ..codec import VITALITY_COLUMNS, decode_body, encode_body, readable, slot_number
from .quotas import RECORD_VALUE_BYTES, joined, pieces

MAPPING_VERSION = 1

LIFE = "life"
BODY = "body"
STATE = "state"
SINCE = "since"
SLOT = "slot"
EMBEDDER = "embedder"
VIEWS = "views"
"""Names of the further views that are beside the vector, as JSON."""


DELTA = "fade"
"""What natural decay has made of the life, where it is read; no field of the stored record."""

type Metadata = Mapping[str, Any]


class State(StrEnum):
    """Status and recall in one word: what reads are narrowed by."""

    RECALLABLE = "recallable"
    REPLACED = "replaced"
    ARCHIVED = "archived"
    BINNED = "binned"
    QUARANTINED = "quarantined"


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

    def binned_at(self, moment: float) -> str:
        """The value of `SINCE` in the bin: one moment, to be found exactly."""
        return f"{self.tag}:{float(moment)!r}"


_NEVER = Access(0.0, 0.0)


def state_of(memory: Memory) -> State:
    """The state of a memory."""
    match memory.standing.status:
        case Status.LIVE:
            return State.RECALLABLE if memory.recallable else State.REPLACED
        case Status.ARCHIVED:
            return State.ARCHIVED
        case Status.BINNED:
            return State.BINNED
        case Status.QUARANTINED:
            return State.QUARANTINED


def states(where: Filter) -> list[State]:
    """The states a filter lets through."""
    return [
        state
        for state in State
        if where.status in (None, _STATUS[state])
        and where.recallable in (None, state is State.RECALLABLE)
    ]


_STATUS = {
    State.RECALLABLE: Status.LIVE,
    State.REPLACED: Status.LIVE,
    State.ARCHIVED: Status.ARCHIVED,
    State.BINNED: Status.BINNED,
    State.QUARANTINED: Status.QUARANTINED,
}


def new_stamp() -> int:
    """What tells one writing of a life from every other."""
    return getrandbits(48)


def life(memory: Memory, stamp: int) -> str:
    """The value of `LIFE`."""
    standing, vitality = memory.standing, memory.vitality
    life = {
        "v": MAPPING_VERSION,
        "kind": memory.kind.value,
        "created_at": memory.created_at,
        "standing": [standing.status.value, standing.since, standing.reason, standing.purge_at],
        "vitality": [getattr(vitality, name) for name in VITALITY_COLUMNS],
        "exempt": memory.exempt,
        "stamp": stamp,
    }
    if (claim := memory.claim) is not None:
        life["claim"] = [claim.subject, claim.attribute, claim.valid_to]
    if (intention := memory.intention) is not None:
        life["intention"] = [intention.status.value, intention.due_at]
    if memory.tags:
        life["tags"] = memory.tags
    return json.dumps(life, separators=(",", ":"))


def life_of(memory: Memory, place: TaggedScope, stamp: int) -> dict[str, Any]:
    """What policies and transitions change, without the body."""
    standing = memory.standing
    binned = standing.status is Status.BINNED
    claim = memory.claim
    return {
        LIFE: life(memory, stamp),
        STATE: place.state(state_of(memory)),
        SINCE: place.binned_at(standing.since) if binned else place.tag,
        SLOT: place.tag if claim is None else place.slot(claim.slot),
    }


def written(memory: Memory, place: TaggedScope, stamp: int) -> dict[str, Any]:
    """The whole memory."""
    body = pieces(BODY, encode_body(memory).decode(), RECORD_VALUE_BYTES)
    return life_of(memory, place, stamp) | body


def decoded(id: str, place: TaggedScope, metadata: Metadata) -> Memory:
    """The memory of a record.

    Raises SchemaTooNew for a newer mapping and UnreadableRecord for what cannot be read.
    """
    with readable():
        life = _life(id, metadata)
        status, since, reason, purge_at = life["standing"]
        columns = {
            "id": id,
            "scope": place.scope,
            "kind": life["kind"],
            "created_at": life["created_at"],
            "standing": {"status": status, "since": since, "reason": reason, "purge_at": purge_at},
        }
        body = _text(metadata, BODY).encode()
        return decode_body(body, columns, _vitality(life, metadata))


def outline(id: str, place: TaggedScope, metadata: Metadata) -> Memory:
    """The memory without its body: all that filters and policies look at, cheaper to read."""
    return stamped_outline(id, place, metadata)[0]


def stamped_outline(id: str, place: TaggedScope, metadata: Metadata) -> tuple[Memory, int]:
    """The outline with the stamp of its life.

    Raises what `decoded` raises.
    """
    with readable():
        return _outline(id, place, metadata, _life(id, metadata))


def _outline(
    id: str, place: TaggedScope, metadata: Metadata, life: Mapping[str, Any]
) -> tuple[Memory, int]:
    status, since, reason, purge_at = life["standing"]
    replaced = metadata.get(STATE) == place.state(State.REPLACED)
    vitality = Vitality(**_vitality(life, metadata))
    memory = Memory(
        id=id,
        scope=place.scope,
        kind=Kind(life["kind"]),
        text="",
        summary="",
        created_at=life["created_at"],
        happened_at=0.0,
        vitality=vitality,
        access=_NEVER,
        source=Source.IMPORTED,
        extractor=Extractor.IMPORT,
        standing=Standing(Status(status), since, reason, purge_at),
        feedback=UserFeedback(important=(life["exempt"] and not vitality.pinned) or None),
        successor=Successor("", Succession.SUPERSEDES) if replaced else None,
        claim=_claim(life.get("claim")),
        intention=_intention(life.get("intention")),
        tags=tuple(life.get("tags", ())),
    )
    return memory, life["stamp"]


def _claim(parts: tuple[str, str, float | None] | None) -> Claim | None:
    """The claim in an outline: its slot, and whether it holds."""
    if parts is None:
        return None
    subject, attribute, valid_to = parts
    return Claim(subject, attribute, "", 0.0, valid_to)


def _intention(parts: tuple[str, float | None] | None) -> Intention | None:
    """The intention in an outline: where it stands, and when it is due."""
    if parts is None:
        return None
    status, due_at = parts
    return Intention(status=IntentionStatus(status), due_at=due_at)


def views_in(metadata: Metadata) -> list[str]:
    """The names of the further views of a record that has a vector; none in what is older.

    None either where they cannot be read: the vector of the whole still finds the memory.
    """
    with suppress(UnreadableRecord), readable():
        return [name for name in json.loads(metadata.get(VIEWS) or "[]") if name in NAMED_VIEWS]
    return []


def kind_of(metadata: Metadata) -> Kind | None:
    """The kind of a record; None if it cannot be read."""
    with suppress(UnreadableRecord), readable():
        return Kind(json.loads(_text(metadata, LIFE))["kind"])
    return None


def happened_at(metadata: Metadata) -> float:
    """When what a record tells of happened: the one thing in its body that is filtered by."""
    with readable():
        return float(json.loads(_text(metadata, BODY))["happened_at"])


def _vitality(life: Mapping[str, Any], metadata: Metadata) -> dict[str, Any]:
    vitality: dict[str, Any] = dict(zip(VITALITY_COLUMNS, life["vitality"], strict=False))
    delta = metadata.get(DELTA)
    if delta is not None and delta.stamp == life["stamp"]:
        vitality |= {"strength": delta.strength, "last_decay_at": delta.last_decay_at}
    return vitality


def _life(id: str, metadata: Metadata) -> dict[str, Any]:
    life = json.loads(_text(metadata, LIFE))
    version = life["v"]
    if version > MAPPING_VERSION:
        text = f"memory {id} was written by a newer version (mapping {version})"
        raise SchemaTooNew(text, fault=Fault.NEWER)
    return life


def _text(metadata: Metadata, key: str) -> str:
    value = joined(key, metadata)
    if not isinstance(value, str):
        raise TypeError(key)
    return value
