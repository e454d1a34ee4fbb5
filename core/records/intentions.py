"""Transitions of an intention between its states, and what sleep does to them. Pure."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from ..forgetting.lifecycle import DAY, archived
from ..model.knowledge import Intention, IntentionStatus, IntentionType, Relation
from ..model.memory import (
    Access,
    Facet,
    Kind,
    Memory,
    Standing,
    Status,
    Succession,
    Successor,
    Vitality,
)


def referenced(memory: Memory, at: float, *, said_again: bool = False) -> Memory:
    """The intention after it was of use, or said again, at the Unix time `at`; others as they are.

    The caller tells of each occasion once.
    """
    intended = memory.intention
    if intended is None or not intended.pending:
        return memory
    return _with(
        memory,
        status=IntentionStatus.REFERENCED,
        referenced_at=max(intended.referenced_at, at),
        confirmed=intended.confirmed + said_again,
    )


def closed(memory: Memory, at: float, *, by: str = "", given_up: bool = False) -> Memory:
    """The intention once it is done or given up, as the raw turn `by` says; only a pending one."""
    intended = memory.intention
    if intended is None or not intended.pending:
        return memory
    status = IntentionStatus.CLOSED
    return _with(memory, status=status, closed_at=at, closed_by=by, given_up=given_up)


def reopened(memory: Memory, at: float) -> Memory:
    """The intention as meant once more, heard of at the Unix time `at`; a pending one as it is."""
    intended = memory.intention
    if intended is None or intended.pending:
        return memory
    fresh = Intention(intended.type, due_at=intended.due_at, confirmed=intended.confirmed)
    return replace(memory, intention=replace(fresh, referenced_at=at))


def surfaced(memory: Memory, at: float) -> Memory:
    """The intention after its person was reminded of it, the first time."""
    intended = memory.intention
    return memory if intended is None or intended.surfaced_at else _with(memory, surfaced_at=at)


def messaged(memory: Memory, at: float, *, since: float) -> Memory:
    """The intention once a message about it is begun; as it is if one was, or it came up since."""
    intended = memory.intention
    if intended is None or intended.surfaced_at > since or intended.messaged_at:
        return memory
    return _with(memory, messaged_at=at)


def unsent(memory: Memory) -> Memory:
    """The intention after that message was certainly not sent."""
    return _with(memory, messaged_at=0.0)


def heard_at(memory: Memory) -> float:
    """When anything was last heard of an intention, Unix time."""
    intended = memory.intention or Intention()
    heard = memory.created_at, intended.referenced_at, intended.closed_at, intended.due_at or 0.0
    return max(heard)


def _with(memory: Memory, **changes: Any) -> Memory:
    intended = memory.intention
    return memory if intended is None else replace(memory, intention=replace(intended, **changes))


CONFIRMED = 3
"""Episodes that say an idea again before it counts as a fact."""

STALE = "stale"
OVER = "over"
"""Why an intention is archived: nothing was heard of it for long, or it has been over for long."""


def is_stale(memory: Memory, at: float, days: float) -> bool:
    """Whether nothing was heard of a pending intention for so long. What is exempt never is."""
    intended = memory.intention
    pending = intended is not None and intended.pending
    return pending and not memory.exempt and _unheard(memory, at, days)


def is_long_over(memory: Memory, at: float, days: float) -> bool:
    """Whether it has been closed for so long."""
    closed = memory.intention is not None and memory.intention.status is IntentionStatus.CLOSED
    return closed and not memory.exempt and _unheard(memory, at, days)


def put_away(memory: Memory, at: float, days: float) -> Memory:
    """A stale intention, or one long over, in the archive; any other as it is."""
    if is_long_over(memory, at, days):
        return archived(memory, now=at, reason=OVER)
    if memory.standing.status is not Status.LIVE or not is_stale(memory, at, days):
        return memory
    return archived(_with(memory, status=IntentionStatus.STALE), now=at, reason=STALE)


def has_graduated(memory: Memory) -> bool:
    """Whether an idea was said again so often that it counts as a fact."""
    intended = memory.intention or Intention()
    idea = intended.type is IntentionType.IDEA and intended.pending
    return idea and intended.confirmed >= CONFIRMED and memory.recallable


def fact_of(idea: Memory, journal: str, at: float, strength: int) -> Memory:
    """What a confirmed idea says, as a fact of the Unix time `at`."""
    id = str(uuid5(UUID(journal), f"graduated:{idea.id}"))
    return replace(
        idea.with_relations([Relation(id, Succession.SUPERSEDES.value, idea.id)]),
        id=id,
        kind=Kind.SEMANTIC,
        facet=Facet.PREFERENCE,
        intention=None,
        created_at=at,
        happened_at=at,
        vitality=Vitality(strength),
        access=Access(at, at),
        standing=Standing(),
        successor=None,
    )


def followed(memory: Memory, by: str) -> Memory:
    """The idea once the memory `by` is in its place."""
    if memory.successor is not None:
        return memory
    return replace(memory, successor=Successor(by, Succession.SUPERSEDES))


def unfollowed(memory: Memory, by: str) -> Memory:
    """The same as before that."""
    if memory.successor != Successor(by, Succession.SUPERSEDES):
        return memory
    return replace(memory, successor=None)


def _unheard(memory: Memory, at: float, days: float) -> bool:
    return at - heard_at(memory) >= days * DAY
