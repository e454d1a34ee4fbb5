"""Part of the journal: whether what was recalled was of use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Judged:
    """How often a memory was judged useful and useless."""

    memory: str
    useful: int
    useless: int


class Verdicts(Protocol):
    """One verdict per turn and memory."""

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        """Write to the feedback ledger; the first verdict of a (turn, memory) stays."""
        ...

    async def judged(self, *, after: str = "", limit: int = 500) -> list[Judged]:
        """Memories with a verdict in the ledger, by id, those after `after`."""
        ...

    async def verdict_counts(self) -> tuple[int, int]:
        """(useful, useless) over the whole ledger."""
        ...
