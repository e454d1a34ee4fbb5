"""Part of the journal: work still to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class WorkKind(StrEnum):
    """Kinds of queued work."""

    INDEX_TURN = "index_turn"
    LEARN = "learn"
    UNSHARE = "unshare"
    ERASE = "erase"
    SLEEP = "sleep"


class WorkState(StrEnum):
    """READY to run (perhaps later), DONE, or DEAD after failures."""

    READY = "ready"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Work:
    """One unit of queued work. `key` is unique: queueing the same key again does nothing."""

    id: int
    kind: WorkKind
    key: str
    payload: Mapping[str, Any]
    attempts: int
    not_before: float


class WorkQueue(Protocol):
    """Work is done at least once, and never forgotten."""

    async def enqueue(
        self, kind: WorkKind, key: str, payload: Mapping[str, Any], *, not_before: float = 0.0
    ) -> bool:
        """Queue work; False if the key is known (in any state), or that of a condensed turn."""
        ...

    async def due(
        self, now: float, *, kinds: frozenset[WorkKind], limit: int, skip: frozenset[int]
    ) -> list[Work]:
        """READY work of `kinds` whose time has come, oldest first, none of `skip`."""
        ...

    async def finish(self, work_id: int) -> None:
        """Mark DONE."""
        ...

    async def postpone(self, work_id: int, *, until: float, error: str) -> None:
        """Count a failed attempt and try again at `until`."""
        ...

    async def bury(self, work_id: int, error: str) -> None:
        """Give up: DEAD, kept for `/memory health`."""
        ...

    async def backlog(self) -> Mapping[tuple[WorkKind, WorkState], int]:
        """Counts of READY and DEAD work."""
        ...

    async def dead(self, *, limit: int = 10) -> list[tuple[Work, str]]:
        """Dead work with its last error, newest first."""
        ...
