"""An intention: what somebody means to do, found out or left open, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum


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
