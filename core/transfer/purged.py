"""Counts memories deleted on purpose, so that lost ones can be told from forgotten ones."""

from dataclasses import dataclass

from ..ports import Notes
from ..records.notes import number_note

NOTE = "purged"


@dataclass(slots=True)
class PurgeCounter:
    """Counted in the journal, where it comes along with every backup."""

    journal: Notes
    count: int = 0

    @classmethod
    async def read(cls, journal: Notes) -> "PurgeCounter":
        """The count so far; from zero again if it cannot be read."""
        return cls(journal, int(await number_note(journal, NOTE) or 0))

    async def add(self, more: int) -> None:
        """Count this many more."""
        self.count += more
        await self.journal.set_note(NOTE, str(self.count))
