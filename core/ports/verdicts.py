"""Part of the journal: whether what was recalled was of use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Judged:
    """How often a memory was judged useful and useless."""

    memory: str
    useful: int
    useless: int


@dataclass(frozen=True, slots=True)
class RecallOutcomes:
    """What came of recalls: how many turns had one, memories shown, and verdicts on them.

    `characters` and `blocks`: of the injected blocks that are still kept.
    """

    recalls: int = 0
    shown: int = 0
    blocks: int = 0
    characters: int = 0
    useful: int = 0
    useless: int = 0

    def __add__(self, other: "RecallOutcomes") -> "RecallOutcomes":
        return RecallOutcomes(
            self.recalls + other.recalls,
            self.shown + other.shown,
            self.blocks + other.blocks,
            self.characters + other.characters,
            self.useful + other.useful,
            self.useless + other.useless,
        )


class Verdicts(Protocol):
    """One verdict per turn and memory."""

    async def record_verdicts(
        self, turn_and_memory: Sequence[tuple[int, str]], *, useful: bool, source: str, at: float
    ) -> None:
        """Write to the feedback ledger; the first verdict of a (turn, memory) stays."""
        ...

    async def outcomes(self) -> Mapping[str, RecallOutcomes]:
        """What came of recalls, by the scope they were made in."""
        ...

    async def judged(self, *, after: str = "", limit: int = 500) -> list[Judged]:
        """Memories with a verdict in the ledger, by id, those after `after`."""
        ...

    async def verdict_counts(self) -> tuple[int, int]:
        """(useful, useless) over the whole ledger."""
        ...
