"""Transitions of an intention between its states. Pure; repeating one changes nothing."""

from dataclasses import replace

from ..model.intentions import Intention, IntentionStatus
from ..model.memory import Memory


def referenced(memory: Memory, at: float, *, said_again: bool = False) -> Memory:
    """The intention after it was of use, or said again, at the Unix time `at`; others as they are.

    The caller tells of each occasion once.
    """
    intended = memory.intention
    if intended is None or not intended.pending:
        return memory
    return _with(
        memory,
        replace(
            intended,
            status=IntentionStatus.REFERENCED,
            referenced_at=max(intended.referenced_at, at),
            confirmed=intended.confirmed + said_again,
        ),
    )


def closed(memory: Memory, at: float, *, by: str = "", given_up: bool = False) -> Memory:
    """The intention once it is done or given up, as the raw turn `by` says; only a pending one."""
    intended = memory.intention
    if intended is None or not intended.pending:
        return memory
    status = IntentionStatus.CLOSED
    return _with(
        memory, replace(intended, status=status, closed_at=at, closed_by=by, given_up=given_up)
    )


def reopened(memory: Memory, at: float) -> Memory:
    """The intention as meant once more, heard of at the Unix time `at`; a pending one as it is."""
    intended = memory.intention
    if intended is None or intended.pending:
        return memory
    fresh = Intention(intended.type, due_at=intended.due_at, confirmed=intended.confirmed)
    return _with(memory, replace(fresh, referenced_at=at))


def surfaced(memory: Memory, at: float) -> Memory:
    """The intention after its person was reminded of it, the first time."""
    intended = memory.intention
    if intended is None or intended.surfaced_at:
        return memory
    return _with(memory, replace(intended, surfaced_at=at))


def messaged(memory: Memory, at: float, *, since: float) -> Memory:
    """The intention once a message about it is begun; as it is if one was, or it came up since."""
    intended = memory.intention
    if intended is None or intended.surfaced_at > since or intended.messaged_at:
        return memory
    return _with(memory, replace(intended, messaged_at=at))


def unsent(memory: Memory) -> Memory:
    """The intention after that message was certainly not sent."""
    intended = memory.intention
    if intended is None or not intended.messaged_at:
        return memory
    return _with(memory, replace(intended, messaged_at=0.0))


def heard_at(memory: Memory) -> float:
    """When anything was last heard of an intention, Unix time."""
    intended = memory.intention or Intention()
    heard = memory.created_at, intended.referenced_at, intended.closed_at, intended.due_at or 0.0
    return max(heard)


def _with(memory: Memory, intention: Intention) -> Memory:
    return replace(memory, intention=intention)
