"""Upkeep of the whole installation: empties the bin, drops old rows of the journal."""

from dataclasses import dataclass
from typing import ClassVar

from ...model.sleeping import Decided, Deed, SleepCause, Undone
from ...ports import Journal, MemoryStore, Notes
from ...privacy.purging import purge_due
from ...privacy.retention import Retention
from ...records.notes import number_note
from ..pipeline import EVERY, StepRun
from ..rhythm import HOUR

LAST_PURGE = "last_purge"
DAY = 24 * HOUR

REPORTS_KEPT = 400 * DAY


@dataclass(frozen=True, slots=True)
class PurgeStep:
    """Empties the bin of what has lain there long enough, at an interval of its own."""

    name: ClassVar[str] = "purge"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryStore
    journal: Journal
    notes: Notes
    every_hours: float

    async def run(self, run: StepRun) -> None:
        """Delete for good what is due."""
        last = await number_note(self.notes, LAST_PURGE)
        waited = last is None or not 0 <= run.at - last < self.every_hours * HOUR
        if not (waited or run.sleep.cause is SleepCause.COMMAND):
            return
        gone = await purge_due(store=self.store, journal=self.journal, now=run.at)
        run.count(Deed.PURGED, gone)
        await self.notes.set_note(LAST_PURGE, repr(run.at))

    async def undo(self, decided: Decided, now: float) -> Undone:
        """What is deleted cannot come back."""
        return Undone.NEVER


@dataclass(frozen=True, slots=True)
class CondenseStep:
    """Keeps the journal bounded: rows of old conversations, and old reports."""

    name: ClassVar[str] = "condense"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    retention: Retention

    async def run(self, run: StepRun) -> None:
        """Drop what nothing rests on."""
        await self.retention.condense(run.at)
        await run.journal.trim_reports(run.at - REPORTS_KEPT)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """It decides nothing."""
        return Undone.NEVER
