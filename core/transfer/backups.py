"""The backups of a data folder: made, rotated, deleted, and prepared for going back.

A backup holds the journal and the memories of one moment: the memories' own file where the
backend is a single file, else an export with vectors.
"""

import asyncio
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..model.jobs import Tell, no_progress
from ..ports import DataFiles, Journal, Notes
from ..privacy.erased_accounts import erased_of, recorded_accounts
from ..privacy.revelations import carry_revelations
from ..records.cancellation import in_thread, uninterrupted
from ..records.notes import number_note
from ..records.on_disk import publish
from ..settings import BackupSettings
from .backend import Backends
from .backup import (
    FOLDER,
    MEMORIES,
    Backup,
    NoSuchBackup,
    Occasion,
    emptied,
    every_backup,
    free_name,
    write_manifest,
)
from .copying import EVERYTHING
from .export import export
from .lines import Header
from .restoring import staged
from .switchable_store import SwitchingStore

PURGED = "purged"
WEEK = 7 * 86_400.0


def expired(
    daily: Sequence[Backup], others: Sequence[Backup], wanted: BackupSettings
) -> list[Backup]:
    """Those of the daily ones, newest first, that may go. Weeks and months are UTC's.

    Not the last that holds more than all that stay: were memories lost unnoticed, it has them.
    """
    staying = [
        *daily[: wanted.keep],
        *_newest_of_each(daily, _week, wanted.keep_weekly),
        *_newest_of_each(daily, _month, wanted.keep_monthly),
    ]
    going = [each for each in daily if each not in staying]
    fullest = max(going, key=lambda each: (each.held, each.at), default=None)
    most = max((each.held for each in (*staying, *others)), default=-1)
    return [each for each in going if each is not fullest or each.held <= most]


def _newest_of_each(
    daily: Sequence[Backup], period: Callable[[float], object], most: int
) -> list[Backup]:
    newest: dict[object, Backup] = {}
    for each in daily:
        newest.setdefault(period(each.at), each)
    return list(newest.values())[:most]


def _week(at: float) -> object:
    return at // WEEK


def _month(at: float) -> object:
    # Backups past the year 9999 have one month: no calendar counts there.
    if not 0 <= at < 253_402_300_800:
        return None
    day = datetime.fromtimestamp(at, UTC)
    return day.year, day.month


@dataclass(slots=True)
class PurgeCounter:
    """Counts memories deleted on purpose, so that lost ones can be told from forgotten ones.

    Counted in the journal, where it comes along with every backup.
    """

    journal: Notes
    count: int = 0

    @classmethod
    async def read(cls, journal: Notes) -> "PurgeCounter":
        """The count so far; from zero again if it cannot be read."""
        return cls(journal, int(await number_note(journal, PURGED) or 0))

    async def add(self, more: int) -> None:
        """Count this many more."""
        self.count += more
        await self.journal.set_note(PURGED, str(self.count))


class Backups:
    """The backups of one data folder. `backends` tells which backend is in force."""

    def __init__(
        self,
        files: DataFiles,
        store: SwitchingStore,
        journal: Journal,
        backends: Backends,
        purged: PurgeCounter,
    ) -> None:
        self._purged = purged
        self._files = files
        self._store = store
        self._journal = journal
        self._backends = backends
        self.folder = files.folder / FOLDER
        self._making = asyncio.Lock()

    async def every(self) -> list[Backup]:
        """Newest first."""
        return await every_backup(self._files)

    async def make(self, occasion: Occasion, now: float, tell: Tell = no_progress) -> Backup:
        """Copy everything as it is at one moment; turns and recalls go on.

        `tell` is told pages of the files, and memories where these are in no file of ours.
        Raises StorageError and OSError; nothing is left of a backup that failed.
        """
        async with self._making:
            name = await asyncio.to_thread(free_name, self.folder, now)
            partial = self.folder / f".{name}.partial"
            backup = Backup(name, now, occasion, self._backends.in_force, 0)
            try:
                await uninterrupted(in_thread(emptied, partial))
                await self._fill(partial, backup, tell)
                await uninterrupted(in_thread(publish, partial, self.folder / name))
                return await self.named(name)
            except BaseException:
                for made in (partial, self.folder / name):
                    await uninterrupted(in_thread(shutil.rmtree, made, ignore_errors=True))
                raise

    async def named(self, name: str) -> Backup:
        """The backup of that name. Raises NoSuchBackup."""
        for backup in await self.every():
            if backup.name == name:
                return backup
        raise NoSuchBackup(name)

    async def delete(self, backups: Collection[Backup]) -> None:
        """Delete these."""
        for backup in backups:
            await asyncio.to_thread(shutil.rmtree, self.folder / backup.name)

    async def rotate(self, wanted: BackupSettings) -> int:
        """Delete the daily backups that may go; returns how many went."""
        every = await self.every()
        daily = [each for each in every if each.occasion is Occasion.DAILY]
        going = expired(daily, [each for each in every if each not in daily], wanted)
        await self.delete(going)
        return len(going)

    async def stage(self, name: str) -> int:
        """Prepare going back to a backup: it happens when the data folder is next opened.

        Who had themselves erased after it was made will be erased again: so many accounts that
        its journal has heard. Raises NoSuchBackup,
        SchemaTooNew and StorageError for a backup that cannot be used; nothing changes then.
        """
        backup = await self.named(name)
        async with staged(self._files, backup) as stage:
            ledger = await self._journal.ledger()
            known = await stage.journal.take_ledger(ledger)
            held = erased_of(await recorded_accounts(stage.journal), ledger, known)
            await stage.journal.adopt(await self._journal.every_disclosure())
            await carry_revelations(self._journal, stage.journal)
            await self._backends.carry(stage.journal, backup.backend)
        return len(held)

    async def _fill(self, partial: Path, backup: Backup, tell: Tell) -> None:
        async with AsyncExitStack() as stack:
            # The memories and the journal of one moment: as after a crash at that moment.
            async with self._store.pause_writes():
                frozen = await self._files.freeze(backup.backend)
                stack.push_async_callback(frozen.close)
                memories = await self._store.count(EVERYTHING)
                held = memories + self._purged.count
            await frozen.copy(partial, tell)
            if len(frozen.names) == 1:
                header = Header(backup.at, self._journal.id)
                ledger = await self._journal.ledger()
                file = partial / MEMORIES
                await export(self._store, file, header, vectors=True, ledger=ledger, tell=tell)
        counted = replace(backup, memories=memories, held=held)
        await uninterrupted(in_thread(write_manifest, partial, counted))
