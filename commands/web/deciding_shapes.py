"""What the page is sent of what waits for a person: conflicts, plans, and what sleep decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.actions.conflicts import BrowsedConflict
from ...core.actions.plans import Which
from ...core.model.intentions import IntentionType
from ...core.model.sleeping import Deed, Left, SleepCause
from .shapes import MemoryShape


@dataclass(frozen=True, slots=True)
class ConflictPage:
    """Conflicts that nobody has decided."""

    conflicts: Sequence[BrowsedConflict]
    page: int
    pages: int
    total: int
    why_masked: str


@dataclass(frozen=True, slots=True)
class BothShape:
    """How many memories hold side by side; without `hold` they no longer do."""

    count: int
    hold: bool


@dataclass(frozen=True, slots=True)
class SettledShape:
    """The memory that holds, and how many were set aside."""

    memory: MemoryShape
    withdrawn: int


@dataclass(frozen=True, slots=True)
class PlanShape:
    """What somebody means to do. `due_at` is None without a day, `closed_at` 0 while it is open."""

    memory: MemoryShape
    type: IntentionType
    due_at: float | None
    closed_at: float
    given_up: bool


@dataclass(frozen=True, slots=True)
class PlanPage:
    """A page of plans, and how many there are of each sort."""

    plans: list[PlanShape]
    counts: dict[Which, int]
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class SleepShape:
    """What one sleep did and left; `place` is whose memories, "" for the installation."""

    id: int
    at: float
    cause: SleepCause
    place: str
    place_name: str
    deeds: dict[Deed, int]
    left: dict[Left, int]
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SleepPage:
    """Reports, the newest first."""

    sleeps: list[SleepShape]
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class DecisionShape:
    """One decision. `undone_at` is None as long as it holds."""

    id: int
    deed: Deed
    reason: str
    memories: list[MemoryShape]
    undone_at: float | None


@dataclass(frozen=True, slots=True)
class SleepDecisions:
    """One sleep with a page of what it decided."""

    sleep: SleepShape
    decisions: list[DecisionShape]
    page: int
    pages: int
