"""What a memory is about: entities, relations, events, media, claims, intentions. Values only."""

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


SPEAKER = "@"
"""Begins the subject of what a speaker says of themselves, or of their relatives and pets."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An attribute of a subject has the value, or if `denied` has it no more.

    `subject` and `attribute` name the slot within the memory's scope, see `core.conflict.slots`.
    It is valid from `valid_from` on, before `valid_to`; None while it holds. Both the same: it was
    never true.
    """

    subject: str
    attribute: str
    value: str
    valid_from: float
    valid_to: float | None = None
    denied: bool = False

    @property
    def slot(self) -> str:
        """The slot as one text: equal for claims of the same attribute of the same subject."""
        return slot_of(self.attribute, self.subject)

    @property
    def relation(self) -> str:
        """The relative or pet of a speaker that it is about: "sister"; "" for anybody else."""
        own, _, relation = self.subject.partition("/")
        return relation if own.startswith(SPEAKER) else ""


def slot_of(attribute: str, subject: str) -> str:
    """The slot of an attribute of a subject as one text."""
    return f"{attribute}\n{subject}"


class IntentionType(StrEnum):
    """What sort of intention it is."""

    PLAN = "plan"
    IDEA = "idea"
    DECISION = "decision"
    QUESTION = "question"
    INSIGHT = "insight"


class IntentionStatus(StrEnum):
    """Where it stands: said, of use since or said again, done or given up, long not heard of."""

    OPEN = "open"
    REFERENCED = "referenced"
    CLOSED = "closed"
    STALE = "stale"


PENDING = frozenset({IntentionStatus.OPEN, IntentionStatus.REFERENCED})
"""Neither over nor forgotten."""


@dataclass(frozen=True, slots=True)
class Intention:
    """What a prospective memory intends. Times are Unix seconds, 0.0 means never.

    `due_at` begins the day it is for, None without one. `confirmed` counts the episodes that said
    it again. `surfaced_at` is when its person was reminded of it, `messaged_at` when a message
    about it was begun. `closed_by` is the raw turn that reported it, "" by hand; `given_up` if it
    was not done.
    """

    type: IntentionType = IntentionType.PLAN
    status: IntentionStatus = IntentionStatus.OPEN
    due_at: float | None = None
    referenced_at: float = 0.0
    confirmed: int = 0
    surfaced_at: float = 0.0
    closed_at: float = 0.0
    closed_by: str = ""
    given_up: bool = False
    messaged_at: float = 0.0

    @property
    def pending(self) -> bool:
        """Whether it is still meant to be done or answered, as far as is known."""
        return self.status in PENDING
