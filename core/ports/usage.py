"""Part of the journal: the tokens of models, and how many memories there were, day by day."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Purpose(StrEnum):
    """Reason for which tokens are paid; a BLOCK's are part of the chat's own calls."""

    LEARNING = "learning"
    SLEEP = "sleep"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls of models that learn and sleep, and their tokens, of one UTC day (ISO date)."""

    day: str
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Expense:
    """Calls and tokens of one purpose in one UTC month (2026-11); of BLOCK, the turns shown one."""

    month: str
    purpose: Purpose
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Census:
    """Live memories by tier 0, 1, 2 in the night of a UTC day (ISO date)."""

    day: str
    tiers: tuple[int, int, int]


class ModelUsage(Protocol):
    """Calls and tokens, and the number of memories, of each day."""

    async def usage(self, day: str) -> Usage:
        """Calls and tokens counted for the day, without those of blocks."""
        ...

    async def count_usage(self, day: str, purpose: Purpose, *, calls: int, tokens: int) -> None:
        """Add to the day's usage."""
        ...

    async def expenses(self) -> Sequence[Expense]:
        """Of every month, the oldest first."""
        ...

    async def note_census(self, census: Census) -> None:
        """Keep it, in place of an earlier one of its day."""
        ...

    async def censuses(self) -> Sequence[Census]:
        """One for each day that has one, the oldest first."""
        ...
