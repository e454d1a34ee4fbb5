"""Work in the background as values: what a sleep does to one scope, and long work as it is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .errors import Fault

BY_SLEEP = "sleep"
"""Who acts, as the audit log names it."""

INSTALLATION = ""
"""Stands for a scope where a sleep is about the whole installation."""


class SleepCause(StrEnum):
    """Why a scope sleeps, the least first: a greater cause joined to a sleep takes its place."""

    INTERVAL = "interval"
    QUIET = "quiet"
    NIGHT = "night"
    COMMAND = "command"


class Deed(StrEnum):
    """What a step of a sleep may do to memories."""

    WEAKENED = "weakened"
    DEMOTED = "demoted"
    ARCHIVED = "archived"
    BINNED = "binned"
    SUMMARISED = "summarised"
    EMPTIED = "emptied"
    PURGED = "purged"
    REREAD = "reread"
    OVERLOOKED = "overlooked"
    CONFLICT_FOUND = "conflict_found"
    CONFLICT_SETTLED = "conflict_settled"
    RELATED = "related"
    ENRICHED = "enriched"
    MERGED = "merged"
    INTENTION_STALE = "intention_stale"
    GRADUATED = "graduated"
    PROFILED = "profiled"
    REWORDED = "reworded"
    THREADED = "threaded"
    GROUPED = "grouped"
    LINKED = "linked"


class Left(StrEnum):
    """What a sleep has looked at and left as it was: memories, pairs of them, questions."""

    UNCHANGED = "unchanged"
    SEEN = "seen"
    YOUNG = "young"
    DIFFERENT = "different"
    NO_MODEL = "no_model"
    BUDGET = "budget"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision about memories. `key` names it within its step: decided twice, it is one.

    `reason` is a short code. `kept` is what undoing needs, as JSON values: numbers, ids and codes,
    no text of a memory, for it outlives what was said.
    """

    key: str
    deed: Deed
    memories: tuple[str, ...]
    reason: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class StepState:
    """How a step of one sleep stands; it is there once the step has begun.

    `counts` has what is not a decision; `failures` how often it has failed, `seconds` how long it
    has taken so far.
    """

    done: bool = False
    failures: int = 0
    seconds: float = 0.0
    counts: Mapping[Deed | Left, int] = field(default_factory=dict[Deed | Left, int])


@dataclass(frozen=True, slots=True)
class Sleep:
    """One sleep of one scope, under way or over; when it is over, it is the report.

    `at` is the time that every step is told. `decided` counts decisions by deed.
    """

    id: int
    scope: str
    cause: SleepCause
    at: float
    ended_at: float | None = None
    calls: int = 0
    tokens: int = 0
    steps: Mapping[str, StepState] = field(default_factory=dict[str, StepState])
    decided: Mapping[Deed, int] = field(default_factory=dict[Deed, int])

    @property
    def counts(self) -> Mapping[Deed, int]:
        """Everything it did, in the order of the deeds."""
        told = [self.decided, *(state.counts for state in self.steps.values())]
        sums = {deed: sum(each.get(deed, 0) for each in told) for deed in Deed}
        return {deed: count for deed, count in sums.items() if count}

    @property
    def left(self) -> Mapping[Left, int]:
        """Everything it has left as it was, in the order of the reasons."""
        told = [state.counts for state in self.steps.values()]
        sums = {why: sum(each.get(why, 0) for each in told) for why in Left}
        return {why: count for why, count in sums.items() if count}

    @property
    def seconds(self) -> float:
        """How long its steps have taken."""
        return sum(state.seconds for state in self.steps.values())

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell of it."""
        failed = any(state.failures for state in self.steps.values())
        return not (self.counts or self.calls or failed)


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as it is kept: its number, where and when it was made, and when undone."""

    id: int
    sleep: int
    scope: str
    step: str
    at: float
    decision: Decision
    undone_at: float | None = None


class Undone(StrEnum):
    """What came of undoing: done, what it was about is gone, or it cannot be undone."""

    DONE = "done"
    GONE = "gone"
    NEVER = "never"


type Tell = Callable[[int, int], None]
"""How far work is: done of total, 0 if that is unknown. Raises once the work shall end."""


def no_progress(done: int, total: int) -> None:
    """For work that nobody watches."""


class JobKind(StrEnum):
    """What takes long."""

    MODEL = "model"
    IMPORT = "import"
    BACKUP = "backup"
    EXPORT = "export"
    SIMULATION = "simulation"
    MIGRATION = "migration"
    EMBEDDING = "embedding"
    SLEEP = "sleep"


class JobState(StrEnum):
    """How it stands. INTERRUPTED: the host ended under it."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of long work, under way or over. Times are Unix seconds.

    `by` asked for it: "" is Tidemark itself, or somebody before the last start. `subject` is the
    file or the backend it is about. `done` of `total` steps, `total` 0 where nobody knows it.
    `outcome` is what came of it, `problem` why it failed, as `Class: words`; where that is a file's
    or a server's `fault`, `file` is its name.
    """

    id: str
    kind: JobKind
    state: JobState = JobState.RUNNING
    by: str = ""
    subject: str = ""
    done: int = 0
    total: int = 0
    started_at: float | None = None
    ended_at: float | None = None
    problem: str = ""
    fault: Fault | None = None
    file: str = ""
    outcome: Mapping[str, str | int] = field(default_factory=dict[str, str | int])

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self.state is JobState.RUNNING
