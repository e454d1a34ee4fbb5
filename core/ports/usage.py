"""Part of the journal: what calls of models have cost."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Usage:
    """Model calls and tokens of one UTC day (ISO date)."""

    day: str
    calls: int
    tokens: int


class ModelUsage(Protocol):
    """Calls and tokens of each day."""

    async def usage(self, day: str) -> Usage:
        """Calls and tokens counted for the day."""
        ...

    async def count_usage(self, day: str, *, calls: int, tokens: int) -> None:
        """Add to the day's usage."""
        ...
