"""Opens the journal and memories of one data folder; runs backups, migrations and wiping."""

import asyncio
import logging
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from ..model.errors import TidemarkError
from ..model.sleeping import JobKind, Tell, no_progress
from ..ports import Clock, DataFiles, Filter, Journal, MemoryStore, Notes
from ..privacy.erasure import parsed
from ..queue.job_list import JobList
from ..queue.worker import Report, ended, supervised
from ..records.background import uninterrupted
from ..records.notes import FILE as JOURNAL
from ..records.notes import publish
from ..settings import BackupSettings
from .backup import (
    FOLDER,
    RESTORED,
    STAGED,
    STAGING,
    Backup,
    Backups,
    Occasion,
    PurgeCounter,
    finish_restoring,
)
from .copying import held_by, make_hold
from .export_file import Header, export
from .migration import Migration
from .moving_in import MovingIn
from .ownership import Backends, Ownership, lost
from .places import EXPORTS, Places
from .switchable_store import SwitchingStore

NOTE = "traces"
WRITING, WRITTEN = "rewrite.partial", "rewrite.ready"

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Traces:
    """Knows whether anything was deleted since the files were written."""

    files: DataFiles
    journal: Notes
    backends: Backends
    _expected: str = ""

    async def left(self) -> bool:
        """Whether deleted text is still in the files in force, which are soon written anew."""
        backend = self.backends.in_force
        return await self.journal.note(NOTE) == backend and self.files.keeps_traces(backend)

    async def expect(self) -> None:
        """Something is about to be deleted from the backend in force."""
        backend = self.backends.in_force
        if self.files.keeps_traces(backend) and self._expected != backend:
            await self.journal.set_note(NOTE, backend)
            self._expected = backend

    async def remove(self) -> None:
        """Write the memories anew if something was deleted. The backend must not be open.

        Cut short, or where it fails, the old files stay and it is done at the next start.
        """
        folder, backend = self.files.folder, self.backends.in_force
        if not await self.left():
            return
        try:
            old = await self.files.store(backend)
            try:
                await self._write(old, backend)
            finally:
                await old.close()
            await self.files.install(folder / WRITTEN)
            await self.journal.set_note(NOTE, "")
        except (TidemarkError, OSError) as error:
            logger.warning("deleted text may still be in the files of %s: %s", backend, error)

    async def remove_in_use(self, store: SwitchingStore) -> None:
        """The same while the store is in use: recalls wait only while the files are exchanged.

        Raises StorageError and OSError. Cut short, the next start completes it.
        """
        async with store.pause_writes():
            if store.readable.is_set():
                await self._write(store.store, self.backends.in_force)
            await uninterrupted(asyncio.ensure_future(self._exchange(store)))

    async def _exchange(self, store: SwitchingStore) -> None:
        # Where this fails, recalls go on waiting, each to its deadline, until it is tried again.
        store.readable.clear()
        await store.store.close()
        await self.files.install(self.files.folder / WRITTEN)
        store.put_in_force(await self.files.store(self.backends.in_force))
        store.readable.set()
        await self.journal.set_note(NOTE, "")
        self._expected = ""

    async def _write(self, old: MemoryStore, backend: str) -> None:
        folder = self.files.folder / WRITING
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        await asyncio.to_thread(folder.mkdir)
        new = await self.files.store(backend, folder)
        try:
            owner = await old.owner()
            if owner is not None:
                await new.belong_to(owner)
            await make_hold(new, held_by(old))
        finally:
            await new.close()
        await asyncio.to_thread(publish, folder, self.files.folder / WRITTEN)


DAY = 86_400.0
LOOK = 600.0
"""Seconds between looking whether a daily backup is due; the first look comes after that long."""

TRACES_PAUSE = 20.0
"""Seconds between looking whether files keep deleted text; after a rewrite, at least
`TRACES_SHARE` times what it took, as each writes every memory."""

TRACES_SHARE = 20.0


@dataclass(eq=False)
class DataFolder:
    """Opened by `open`; whoever opened it closes it. Knows nothing of the engine above it."""

    files: DataFiles
    journal: Journal
    backends: Backends
    store: SwitchingStore
    purged: PurgeCounter
    traces: Traces
    _stack: AsyncExitStack
    migration: Migration = field(init=False, repr=False)
    jobs: JobList = field(init=False, repr=False)
    """Long work on what lies here; there is neither before it is started."""

    def __post_init__(self) -> None:
        store, journal = self.store, self.journal
        self.backups = Backups(self.files, store, journal, self.backends, self.purged)
        self.places = Places(self.files.folder)
        self.moving_in = MovingIn(self.files, store, journal)

    @classmethod
    async def open(cls, files: DataFiles, chosen: str) -> "DataFolder":
        """Open journal and memories; `chosen` is the backend that the settings name.

        An exchange or restoring that was staged, or cut short, is carried out first. Raises
        StorageError, also where the two do not belong together, one of them is gone or another
        process has them, SchemaTooNew and OSError.
        """
        async with AsyncExitStack() as stack:
            stack.push_async_callback((await files.claim()).aclose)
            await asyncio.to_thread(_remove_leftovers, files.folder)
            await files.install(files.folder / WRITTEN)
            await files.install(files.folder / STAGED)
            if not files.has_journal() and files.has_memories():
                raise lost(JOURNAL)
            journal = await files.journal()
            stack.push_async_callback(journal.close)
            backends = await Backends.read(journal, chosen)
            siblings, backend = Ownership(files, journal), backends.in_force
            restored = files.folder / RESTORED
            filling = restored.exists()
            if not filling:
                await siblings.expect(backend)
            traces, purged = Traces(files, journal, backends), await PurgeCounter.read(journal)
            await traces.remove()
            # It answers the whole port, by `__getattr__`.
            store = SwitchingStore(  # pyright: ignore[reportAbstractUsage]
                await files.store(backend), traces.expect, purged.add
            )
            stack.push_async_callback(store.close)
            if filling:
                await siblings.bind(backend, store)
                await finish_restoring(store, restored)
            else:
                await siblings.check(backend, store)
            return cls(files, journal, backends, store, purged, traces, stack.pop_all())

    async def start(
        self, clock: Clock, settings: Callable[[], BackupSettings], report: Report
    ) -> None:
        """Make daily backups and go on with a migration that was cut short."""
        self.migration = Migration(self.files, self.store, self.journal, self.backends, report)
        self._stack.push_async_callback(self.migration.aclose)
        self.store.other_copies_gone = self.migration.drop_other_copy
        await self.migration.resume()
        self.jobs = JobList(clock, self.journal, report)
        self._stack.push_async_callback(self.jobs.aclose)
        await self.jobs.read()

        async def look() -> None:
            await asyncio.sleep(LOOK)
            now, kept = clock.now(), settings()
            if await self._due(now, kept):
                started = self.jobs.start(
                    JobKind.BACKUP, lambda tell: self.daily(now, kept, tell), outcome=told_of_backup
                )
                await started.result()

        for repeated in (
            supervised("backup", look, report, pause=0.0),
            supervised("erase", self._remove_traces, report, pause=0.0),
        ):
            self._stack.push_async_callback(ended, asyncio.create_task(repeated))

    async def _remove_traces(self) -> None:
        await asyncio.sleep(TRACES_PAUSE)
        # Both read the store that is in force for long. After a failed exchange they wait for the
        # next one, and it must not wait for them.
        busy = self.migration.running or any(job.running for job in self.jobs.every())
        if (busy and self.store.readable.is_set()) or not await self.traces.left():
            return
        began = time.monotonic()
        await self.traces.remove_in_use(self.store)
        await asyncio.sleep((time.monotonic() - began) * TRACES_SHARE)

    async def daily(
        self, now: float, settings: BackupSettings, tell: Tell = no_progress
    ) -> Backup | None:
        """Make the daily backup if it is due, and let the oldest go. Raises StorageError, OSError.

        A newest backup in the future means that the clock was set back; it is ignored.
        """
        if not await self._due(now, settings):
            return None
        made = await self.backups.make(Occasion.DAILY, now, tell)
        await self.backups.rotate(settings)
        return made

    async def _due(self, now: float, settings: BackupSettings) -> bool:
        if not settings.enabled:
            return False
        return not any(0 <= now - backup.at < DAY for backup in await self.backups.every())

    async def export(
        self,
        file: Path,
        now: float,
        scopes: frozenset[str] | None,
        *,
        vectors: bool = False,
        tell: Tell = no_progress,
    ) -> int:
        """Write the memories of these scopes (None: of all) into a file; how many."""
        listed = None if scopes is None else tuple(sorted(scopes))
        # Before anything is read: an import then holds back people who are erased meanwhile.
        ledger = await self.journal.ledger()
        header = Header(now, self.journal.id, listed, ledger.installation, ledger.settled)
        return await export(self.store, file, header, vectors=vectors, ledger=ledger, tell=tell)

    async def counts(self, scopes: frozenset[str] | None) -> Mapping[str, int]:
        """How many memories an export of these scopes (None: of all) holds, by scope."""
        held: Counter[str] = Counter()
        for key in await self.store.scopes() if scopes is None else scopes:
            held[key] += await self.store.count(Filter(scopes=frozenset({key}), status=None))
        for record in await self.store.unreadable():
            if parsed(record.scope) and (scopes is None or record.scope in scopes):
                held[record.scope] += 1
        return {key: count for key, count in held.items() if count}

    async def aclose(self) -> None:
        """Stop what runs, then close memories and journal. Idempotent."""
        await self._stack.aclose()


def told_of_backup(made: Backup | None) -> dict[str, str | int]:
    """What people are told of a backup that is made."""
    return {} if made is None else {"name": made.name, "count": made.memories}


def _remove_leftovers(folder: Path) -> None:
    """Delete what was cut short and will never be finished; nothing of the folder may be open."""
    cut_short = (STAGING, WRITING, f"{FOLDER}/.*.partial", f"{EXPORTS}/.*.partial", "*.db.partial")
    for left in [each for pattern in cut_short for each in folder.glob(pattern)]:
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink(missing_ok=True)
