"""When scopes sleep: at intervals, when they are quiet, at night. Async."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo

from ..model.conversation import Episode
from ..model.sleeping import INSTALLATION, SleepCause
from ..model.times import moment
from ..ports import Journal, MemoryReader
from ..records.notes import number_note
from .pipeline import SETTLING
from .sweep import LAST_SWEEP

LAST_NIGHT = "last_night"
"""The note with the last night for which sleeps were begun."""

HOUR = 3_600.0


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Begins sleeps. Asked often; it looks at few notes as long as nothing is due.

    `full`: whether more than the sweep is wanted.
    """

    store: MemoryReader
    journal: Journal
    interval_hours: float
    full: bool
    night_hour: int
    quiet_seconds: float
    where: tzinfo | None

    async def beat(self, now: float, ended: Sequence[Episode]) -> None:
        """Begin what is due at `now`; `ended` are the episodes that silence has just ended."""
        last = await number_note(self.journal, LAST_SWEEP) or 0.0
        # A time in the future is the trace of a clock that has been set back.
        if not 0 <= now - last < self.interval_hours * HOUR:
            await self.begin_all(SleepCause.INTERVAL, now)
            await self.journal.set_note(LAST_SWEEP, repr(now))
        if self.full:
            await self._quiet(now, ended)
            await self._night(now)

    async def begin_all(self, cause: SleepCause, now: float) -> list[int]:
        """A sleep for each scope in which there is anything, and one for the installation."""
        scopes = frozenset(await self.store.scopes()) | await self.journal.scopes()
        return await self.begin([INSTALLATION, *sorted(scopes)], cause, now)

    async def begin(
        self, scopes: Collection[str], cause: SleepCause, now: float, *, not_before: float = 0.0
    ) -> list[int]:
        """A sleep for each of these scopes."""
        return await self.journal.begin_sleeps(scopes, cause, at=now, not_before=not_before)

    async def _quiet(self, now: float, ended: Sequence[Episode]) -> None:
        for episode in ended:
            wait = max(now + SETTLING, episode.last_at + self.quiet_seconds)
            until = min(wait, now + self.quiet_seconds + SETTLING)
            await self.begin([episode.place.scope], SleepCause.QUIET, now, not_before=until)

    async def _night(self, now: float) -> None:
        night = latest_night(now, self.night_hour, self.where)
        known = await self.journal.note(LAST_NIGHT)
        if known == repr(night):
            return
        # The first night of an installation is still to come.
        if known is not None:
            await self.begin_all(SleepCause.NIGHT, now)
        await self.journal.set_note(LAST_NIGHT, repr(night))


def latest_night(now: float, hour: int, where: tzinfo | None) -> float:
    """The last time at or before `now` at which it was `hour` there, Unix seconds."""
    local = moment(now, where)
    night = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    if night > local:
        night -= timedelta(days=1)
    return night.timestamp()
