"""Upkeep of the whole installation: empties the bin, drops old rows of the journal."""

from dataclasses import dataclass
from typing import ClassVar

from ...model.sleeping import Deed, SleepCause
from ...model.times import utc_day
from ...ports import Census, Journal, MemoryStore, Notes, Tiers
from ...privacy.purging import purge_due
from ...privacy.retention import Retention
from ...records.notes import number_note
from ..pipeline import EVERY, Step, StepRun
from ..rhythm import HOUR

LAST_PURGE = "last_purge"
REPORTS_KEPT = 400 * 24 * HOUR


@dataclass(frozen=True, slots=True)
class PurgeStep(Step):
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


@dataclass(frozen=True, slots=True)
class CensusStep(Step):
    """Notes how many memories each tier holds, for the page's chart of them."""

    name: ClassVar[str] = "census"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryStore
    tiers: Tiers

    async def run(self, run: StepRun) -> None:
        """Count them; a later sleep of the day counts them anew."""
        counted = await self.store.tally(self.tiers)
        await run.journal.note_census(Census(utc_day(run.at), counted.tiers))


@dataclass(frozen=True, slots=True)
class CondenseStep(Step):
    """Keeps the journal bounded: rows of old conversations, and old reports."""

    name: ClassVar[str] = "condense"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    retention: Retention

    async def run(self, run: StepRun) -> None:
        """Drop what nothing rests on."""
        await self.retention.condense(run.at)
        await run.journal.trim_reports(run.at - REPORTS_KEPT)
