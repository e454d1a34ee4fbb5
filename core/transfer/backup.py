"""The backups of a data folder: made, rotated, deleted, and prepared for going back.

A backup is a folder that is complete or not there. It holds the journal and the memories of one
moment: the memories' own file where the backend is a single file, else an export with vectors.
Going back is prepared beside the data and done when the data folder is next opened.
"""

import asyncio
import json
import re
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path

from ..model.conversation import Scope
from ..model.errors import Fault, StorageError, TidemarkError
from ..model.sleeping import Tell, no_progress
from ..ports import DataFiles, Journal, Notes
from ..privacy.erasure import erased_of, recorded_accounts
from ..privacy.unsharing import carry_revelations
from ..queue.job_list import NOTE as JOBS
from ..records.background import in_thread, uninterrupted
from ..records.notes import FILE as JOURNAL
from ..records.notes import adapter, number_note, publish, put_text
from ..settings import BackupSettings
from .copying import EVERYTHING, Held, make_hold
from .export_file import ExportedMemory, Header, export, exported_in
from .foreign.rows import Skip
from .ownership import Backends, note_backend
from .places import numbered, stamp
from .switchable_store import SwitchingStore

FOLDER = "backups"
VERSION = 1
MANIFEST = "backup.json"
MEMORIES = "memories.jsonl"

STAGING, STAGED = "restore.partial", "restore.ready"
RESTORED = "restored.jsonl"
"""Memories of a backup that the store has still to be filled with."""

AT_ONCE = 200
"""Memories filled in at a time."""

PURGED = "purged"
WEEK = 7 * 86_400.0

_NAME = re.compile(r"\d{8}T\d{6}Z(-\d+)?")


class Occasion(StrEnum):
    """Why a backup was made. Only daily ones expire."""

    DAILY = "daily"
    ASKED = "asked"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its name, when it was made (Unix seconds), why, of which backend, its bytes.

    `held` memories were ever kept up to then: those in it, and those deleted on purpose before.
    It takes account of the erasures up to number `known`; `forgotten` accounts were erased since,
    of whom it may still hold something.
    """

    name: str
    at: float
    occasion: Occasion
    backend: str
    size: int
    memories: int = 0
    held: int = 0
    known: int = 0
    forgotten: int = 0


class NoSuchBackup(TidemarkError):
    """There is no complete backup of that name."""


def every_backup(files: DataFiles) -> list[Backup]:
    """Newest first. Blocks."""
    folders = (each for each in (files.folder / FOLDER).glob("*") if _NAME.fullmatch(each.name))
    backups = filter(None, map(_read, folders))
    return sorted(backups, key=lambda backup: (backup.at, backup.name), reverse=True)


def _read(folder: Path) -> Backup | None:
    """The backup in a folder; None for anything else."""
    try:
        written = json.loads((folder / MANIFEST).read_bytes())
        if written["version"] > VERSION:
            return None
        size = sum(file.stat().st_size for file in folder.iterdir())
        return adapter(Backup).validate_python({**written, "name": folder.name, "size": size})
    except (OSError, ValueError, KeyError, TypeError):
        return None


async def write_backup(
    files: DataFiles,
    occasion: Occasion,
    backend: str,
    now: float,
    fill: Callable[[Path, Backup], Awaitable[Backup]],
) -> Backup:
    """Make a backup of what `fill` puts into a folder; nothing is left of one that failed."""
    folder = files.folder / FOLDER
    names = numbered(stamp(now))
    name = await asyncio.to_thread(lambda: next(n for n in names if not (folder / n).exists()))
    whole, begun = folder / name, folder / f".{name}.partial"
    try:
        await uninterrupted(in_thread(_emptied, begun))
        backup = await fill(begun, Backup(name, now, occasion, backend, 0))
        manifest = json.dumps({"version": VERSION, **asdict(backup)})
        # What makes a folder a backup, written last.
        await uninterrupted(in_thread(put_text, manifest, begun / MANIFEST))
        await uninterrupted(in_thread(publish, begun, whole))
        return await asyncio.to_thread(_read, whole) or backup
    except BaseException:
        for made in (begun, whole):
            await uninterrupted(in_thread(shutil.rmtree, made, ignore_errors=True))
        raise


def _emptied(folder: Path) -> None:
    """Make the folder anew, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def expired(
    daily: Sequence[Backup], others: Sequence[Backup], wanted: BackupSettings
) -> list[Backup]:
    """Those of the daily ones, newest first, that may go. Weeks and months are UTC's.

    Not the last that holds more than all that stay: were memories lost unnoticed, it has them.
    """
    staying = [
        *daily[: wanted.keep],
        *_newest_of_each(daily, lambda at: at // WEEK, wanted.keep_weekly),
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
        self.count += more
        await self.journal.set_note(PURGED, str(self.count))


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of one data folder. `backends` tells which backend is in force."""

    files: DataFiles
    store: SwitchingStore
    journal: Journal
    backends: Backends
    purged: PurgeCounter
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def every(self) -> list[Backup]:
        """Newest first."""
        ledger, every = await self.journal.ledger(), await in_thread(every_backup, self.files)
        return [replace(each, forgotten=ledger.later(each.known)) for each in every]

    async def make(self, occasion: Occasion, now: float, tell: Tell = no_progress) -> Backup:
        """Copy everything as it is at one moment; turns and recalls go on.

        `tell` is told pages of the files, and memories where these are in no file of ours.
        Raises StorageError and OSError.
        """
        async with self._making:
            backend, fill = self.backends.in_force, partial(self._fill, tell=tell)
            return await write_backup(self.files, occasion, backend, now, fill)

    async def named(self, name: str) -> Backup:
        """The backup of that name. Raises NoSuchBackup."""
        for backup in await self.every():
            if backup.name == name:
                return backup
        raise NoSuchBackup(name)

    def place(self, name: str) -> Path:
        """The folder of the backup of that name."""
        return self.files.folder / FOLDER / name

    async def delete(self, backups: Collection[Backup]) -> None:
        for backup in backups:
            await asyncio.to_thread(shutil.rmtree, self.place(backup.name))

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
        async with staged(self.files, backup) as stage:
            _, erased = await stage.take_over(self.journal)
            await note_backend(stage.journal, backup.backend, self.backends.chosen)
        return len(erased)

    async def _fill(self, folder: Path, backup: Backup, tell: Tell) -> Backup:
        # Before anything is copied: whoever is erased meanwhile may still be in it.
        ledger = await self.journal.ledger()
        async with AsyncExitStack() as stack:
            # The memories and the journal of one moment: as after a crash at that moment.
            async with self.store.pause_writes():
                frozen = await self.files.freeze(backup.backend)
                stack.push_async_callback(frozen.close)
                memories = await self.store.count(EVERYTHING)
                held = memories + self.purged.count
            await frozen.copy(folder, tell)
            if len(frozen.names) == 1:
                header = Header(backup.at, self.journal.id)
                file = folder / MEMORIES
                await export(self.store, file, header, vectors=True, ledger=ledger, tell=tell)
        return replace(backup, memories=memories, held=held, known=ledger.settled)


@dataclass(slots=True)
class StagedBackup:
    """A backup on its way back: its journal, open, and names of files that are not to come."""

    journal: Journal
    unwanted: set[str]

    async def take_over(self, journal: Journal) -> tuple[int, Collection[Scope]]:
        """Have what a journal knows of erased and disclosed hold for the backup, too.

        The last erasure that the backup knew of, and whose accounts in it were erased since.
        """
        ledger = await journal.ledger()
        known = await self.journal.take_ledger(ledger)
        erased = erased_of(await recorded_accounts(self.journal), ledger, known)
        await self.journal.adopt(await journal.every_disclosure())
        await carry_revelations(journal, self.journal)
        return known, erased


@asynccontextmanager
async def staged(files: DataFiles, backup: Backup) -> AsyncGenerator[StagedBackup]:
    """Prepare going back to a backup; left without an error, the next opening does it.

    Raises SchemaTooNew and StorageError for a backup that cannot be used.
    """
    begun = files.folder / STAGING
    await asyncio.to_thread(_stage, files.folder / FOLDER / backup.name, begun)
    try:
        await _check(files, begun)
        stage = StagedBackup(await files.journal(begun), set())
        try:
            # Of its own making the backup knows only that it was under way.
            await stage.journal.set_note(JOBS, "[]")
            yield stage
        finally:
            await stage.journal.close()
        await asyncio.to_thread(_ready, begun, files.folder / STAGED, stage.unwanted)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, begun, ignore_errors=True)
        raise


async def finish_restoring(store: SwitchingStore, file: Path) -> None:
    """Fill the store with what a restored export holds, and with nothing else. Repeatable."""
    await make_hold(store, _restored(file))
    await asyncio.to_thread(file.unlink)


async def _restored(file: Path) -> AsyncIterator[Held]:
    rows = (row for row in exported_in(file) if isinstance(row, ExportedMemory))
    while page := await asyncio.to_thread(lambda: list(islice(rows, AT_ONCE))):
        vectors = {each.memory.id: each.vector for each in page if each.vector is not None}
        yield [each.memory for each in page], vectors


async def _check(files: DataFiles, folder: Path) -> None:
    for file in await asyncio.to_thread(lambda: sorted(folder.iterdir())):
        if file.suffix == ".db":
            await files.verify(file)
        elif not await asyncio.to_thread(_is_whole, file):
            text = "the memories of the backup are not all there"
            raise StorageError(text, file=MEMORIES, fault=Fault.DAMAGED)


def _is_whole(export: Path) -> bool:
    rows = exported_in(export)
    return all(isinstance(row, ExportedMemory) or row.reason is Skip.UNREADABLE for row in rows)


def _stage(source: Path, begun: Path) -> None:
    if not (source / JOURNAL).exists():
        text = "the backup has no journal: it was made of what was left"
        raise StorageError(text, file=JOURNAL, fault=Fault.LOST)
    _emptied(begun)
    for file in source.iterdir():
        if file.suffix == ".db":
            shutil.copyfile(file, begun / file.name)
        elif file.name == MEMORIES:
            shutil.copyfile(file, begun / RESTORED)


def _ready(begun: Path, ready: Path, unwanted: Collection[str]) -> None:
    """The one step from the old to the new: before it nothing is changed, after it all will be."""
    for file in list(begun.iterdir()):
        if ".before-" in file.name or file.name in unwanted:
            file.unlink()
    shutil.rmtree(ready, ignore_errors=True)
    publish(begun, ready)
