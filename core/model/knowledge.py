"""What a memory is about: entities, relations, events and media. Values only."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place or thing. `id` is unique within a scope; `role` is its part in the event."""

    id: str
    name: str
    type: str = "thing"
    role: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A triple between entities, events or memories, stated by the memory that carries it."""

    subject: str
    predicate: str
    object: str


class EventType(StrEnum):
    """Types of events that are recognised; an import may bring others."""

    TRIP = "trip"
    PURCHASE = "purchase"
    APPOINTMENT = "appointment"
    MEETING = "meeting"
    PROJECT = "project"
    ILLNESS = "illness"
    CELEBRATION = "celebration"
    MOVE = "move"
    JOB = "job"
    EXAM = "exam"


@dataclass(frozen=True, slots=True)
class Event:
    """The event a memory tells of; memories of one event have its id. `type`: an `EventType`."""

    id: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What sleep has added: digests, `of` the text that a model read and of each thing `added`."""

    of: str
    added: tuple[str, ...] = ()


class MediaType(StrEnum):
    """Sort of file a memory links to."""

    IMAGE = "image"
    AUDIO = "audio"
    DOCUMENT = "document"
    VIDEO = "video"
    CODE = "code_snippet"
    STICKER = "sticker"


PICTURES = frozenset({MediaType.IMAGE, MediaType.STICKER})


@dataclass(frozen=True, slots=True)
class Media:
    """A linked file; the file itself is not stored, of a picture a small `preview` if that is
    wanted: a JPEG in base64.

    `id` is the same for the same file: its digest where its bytes were at hand, else what its name
    or reference says of it. `caption` is what it shows or says, as a model of the host has put it.
    """

    id: str
    type: MediaType
    url: str
    caption: str = ""
    name: str = ""
    preview: str = ""
