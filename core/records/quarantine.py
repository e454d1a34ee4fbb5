"""Quarantine: learnt memories that their turns do not bear out, until somebody decides. Pure."""

import json
from dataclasses import replace

from ..model.memory import Memory, Status, Succession, Successor
from ..ports import AuditEntry

FOLLOWS = {
    Succession.CORRECTS.value: Succession.CORRECTS,
    Succession.UPDATES.value: Succession.UPDATES,
}


def doubted_of(memory: Memory, *, by: str) -> AuditEntry:
    """The note that a memory was set aside, and why; the same however often it is made."""
    return AuditEntry(
        key=f"quarantined:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action="quarantined",
        by=by,
        at=memory.created_at,
        detail=json.dumps({"reason": memory.standing.reason}),
    )


def is_quarantined(memory: Memory) -> bool:
    """Whether nobody has decided on it."""
    return memory.standing.status is Status.QUARANTINED


def followed_by(memory: Memory) -> list[tuple[str, Successor]]:
    """The ids of what a memory corrects or continues, and how."""
    return [
        (link.object, Successor(memory.id, FOLLOWS[link.predicate]))
        for link in memory.relations
        if link.subject == memory.id and link.predicate in FOLLOWS
    ]


def vouched_for(memory: Memory) -> Memory:
    """A memory that its person has kept, though it was doubted: it is so."""
    return replace(memory, feedback=replace(memory.feedback, accurate=True))
