"""What the page is sent. Times are Unix seconds; what is masked says nothing.

`pages/tidemark/lib/types.js` is written from these by `python -m scripts.render`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

from ...core.actions.browsing import BrowsedMemory
from ...core.actions.sources import SourceMessage
from ...core.actions.views import Page
from ...core.model.conversation import Scope, ScopeKind
from ...core.model.knowledge import Media
from ...core.model.memory import Kind, Mood, Source, Status


@dataclass(frozen=True, slots=True)
class MemoryShape:
    """A memory. `sinks_at` is when time alone forgets it, None for never."""

    id: str
    owner: str
    owner_name: str
    owner_kind: ScopeKind
    persona: str
    kind: Kind
    text: str
    masked: bool
    speaker: str
    tier: int
    strength: int
    useful: int
    status: Status
    source: Source
    important: bool
    pinned: bool
    created_at: float
    happened_at: float
    sinks_at: float | None
    replaced: str
    removal: str
    removal_detail: str
    purge_at: float | None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page of memories. `why_masked` is a refusal, "" if all are shown."""

    memories: list[MemoryShape]
    page: int
    pages: int
    total: int
    why_masked: str
    left_out: int


@dataclass(frozen=True, slots=True)
class EventShape:
    """What happened to a memory; `newer` is the id of what took its place."""

    at: float
    action: str
    by: str
    reason: str
    removal: str
    newer: str


@dataclass(frozen=True, slots=True)
class StoryLineShape:
    """A dated line of a thread, and the memories that say it; `day` as it is written there."""

    day: str
    said: str
    memories: list[MemoryShape]


@dataclass(frozen=True, slots=True)
class MemoryDetails:
    """All that may be known of a memory.

    `story` are the lines of a thread, `threads` those that tell this memory.
    """

    memory: MemoryShape
    trust: float
    mood: Mood
    spent: bool
    editable: bool
    replaced_by: MemoryShape | None
    sources: Sequence[SourceMessage]
    chain: list[MemoryShape]
    story: list[StoryLineShape]
    threads: list[MemoryShape]
    history: list[EventShape]
    shown_at: list[float]
    media: Sequence[Media]
    why_masked: str


@dataclass(frozen=True, slots=True)
class ChangedMemories:
    """What was done to several memories: those it was done to, and why not to the others."""

    done: list[str]
    refused: dict[str, str]


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """A memory that was written or corrected."""

    memory: MemoryShape
    new: bool


def memory_shape(row: BrowsedMemory) -> MemoryShape:
    """A memory as the page has it."""
    view, memory, scope = row.memory, row.memory.memory, Scope.parse(row.memory.memory.scope)
    return MemoryShape(
        memory.id,
        row.owner,
        row.owner_name,
        scope.kind,
        scope.persona,
        memory.kind,
        memory.text,
        view.masked,
        view.speaker_name,
        view.tier,
        memory.vitality.strength,
        memory.vitality.useful_count,
        memory.standing.status,
        memory.source,
        memory.feedback.important is True,
        memory.vitality.pinned,
        memory.created_at,
        memory.happened_at,
        row.outlook.at,
        "" if memory.successor is None else memory.successor.how,
        "" if memory.standing.status is Status.LIVE else view.removal.cause,
        "" if memory.standing.status is Status.LIVE else view.removal.detail,
        memory.standing.purge_at,
    )


def as_sent(value: Any) -> Any:
    """An answer as JSON has it; a row of a listing is a memory."""
    match value:
        case BrowsedMemory():
            return as_sent(memory_shape(value))
        case Mapping():
            return {name: as_sent(each) for name, each in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [as_sent(each) for each in cast("Sequence[Any]", value)]
        case _ if is_dataclass(value):
            return {each.name: as_sent(getattr(value, each.name)) for each in fields(value)}
        case _:
            return value


def page_numbers(page: Page[Any]) -> tuple[int, int, int]:
    """Number, pages and total."""
    return page.number, page.pages, page.total
