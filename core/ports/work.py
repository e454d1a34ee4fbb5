"""Work that is queued in the journal. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class WorkKind(StrEnum):
    """Kinds of queued work."""

    INDEX_TURN = "index_turn"
    LEARN = "learn"
    SWEEP = "sweep"
    PURGE = "purge"
    RECONCILE = "reconcile"
    UNSHARE = "unshare"
    ERASE = "erase"


class WorkState(StrEnum):
    """READY to run (perhaps later), DONE, or DEAD after too many failures."""

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
