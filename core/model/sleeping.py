"""What a sleep does to the memories of one scope: causes, deeds and decisions. Values only.

Every time is a Unix time in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

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
    """How far a step is, from where it goes on after a kill.

    `counts` has what is not a decision; `failures` how often it has failed, `seconds` how long it
    has taken so far.
    """

    cursor: str = ""
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
