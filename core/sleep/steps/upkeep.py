"""Upkeep of the whole installation: empties the bin, counts, drops old rows of the journal."""

from dataclasses import dataclass
from typing import ClassVar

from ...model.sleeping import Deed, SleepCause
from ...model.times import utc_day
from ...ports import Census, Journal, MemoryStore, Tiers
from ...privacy.purging import Purging
from ...privacy.retention import Retention
from ...records.notes import number_note
from ..pipeline import EVERY, Step, StepRun
from ..rhythm import HOUR

LAST_PURGE = "last_purge"
REPORTS_KEPT = 400 * 24 * HOUR


@dataclass(frozen=True, slots=True)
class UpkeepStep(Step):
    """Empties the bin of what has lain there long enough, at an interval of its own; notes how many
    memories each tier holds, for the page's chart; drops of the journal what nothing rests on.
    """

    name: ClassVar[str] = "upkeep"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryStore
    journal: Journal
    retention: Retention
    tiers: Tiers
    purge_hours: float

    async def run(self, run: StepRun) -> None:
        """All of it; a later sleep of the day counts anew."""
        last = await number_note(self.journal, LAST_PURGE)
        waited = last is None or not 0 <= run.at - last < self.purge_hours * HOUR
        if waited or run.sleep.cause is SleepCause.COMMAND:
            gone = await Purging(self.store, self.journal, run.at).due()
            run.count(Deed.PURGED, gone)
            await self.journal.set_note(LAST_PURGE, repr(run.at))
        counted = await self.store.tally(self.tiers)
        await self.journal.note_census(Census(utc_day(run.at), counted.tiers))
        await self.retention.condense(run.at)
        await self.journal.trim_reports(run.at - REPORTS_KEPT)
