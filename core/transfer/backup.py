"""Backups: a folder each, complete or not there, and going back to one.

A backup holds the journal and the memories of one moment: the memories' own file where the
backend is a single file, else an export with vectors.
"""

import asyncio
import json
import os
import re
import shutil
from collections.abc import Collection
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from ..model.errors import Fault, StorageError, TidemarkError
from ..ports import DataFiles, Journal
from ..privacy.erasure import erased_of, present
from .backend import Backends
from .copying import drop_absent, write_page
from .export import export
from .importing import entries, open_export
from .lines import Header, NotOurExport
from .places import stamp
from .switchable_store import SwitchingStore

FOLDER = "backups"
VERSION = 1
MANIFEST = "backup.json"
MEMORIES = "memories.jsonl"
STAGING, STAGED = "restore.partial", "restore.ready"
RESTORED = "restored.jsonl"
"""Memories of a backup that the store has still to be filled with."""

_NAME = re.compile(r"\d{8}T\d{6}Z(-\d{1,3})?")


class Occasion(StrEnum):
    """Why a backup was made. Only daily ones expire."""

    DAILY = "daily"
    ASKED = "asked"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its name, when it was made (Unix seconds), why, of which backend, its bytes."""

    name: str
    at: float
    occasion: Occasion
    backend: str
    size: int


class NoSuchBackup(TidemarkError):
    """There is no complete backup of that name."""


class Backups:
    """The backups of one data folder. `backends` tells which backend is in force."""

    def __init__(
        self, files: DataFiles, store: SwitchingStore, journal: Journal, backends: Backends
    ) -> None:
        self._files = files
        self._store = store
        self._journal = journal
        self._backends = backends
        self._folder = files.folder / FOLDER
        self._making = asyncio.Lock()

    async def every(self) -> list[Backup]:
        """Newest first."""
        return await asyncio.to_thread(_every, self._folder)

    async def make(self, occasion: Occasion, now: float) -> Backup:
        """Copy everything as it is at one moment; turns and recalls go on.

        Raises StorageError and OSError; nothing is left of a backup that failed.
        """
        async with self._making:
            name = await asyncio.to_thread(_free_name, self._folder, now)
            partial = self._folder / f".{name}.partial"
            await asyncio.to_thread(_empty, partial)
            try:
                await self._fill(partial, Backup(name, now, occasion, self._backends.in_force, 0))
                await asyncio.to_thread(partial.rename, self._folder / name)
            except BaseException:
                await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
                raise
            return await self.named(name)

    async def named(self, name: str) -> Backup:
        """The backup of that name. Raises NoSuchBackup."""
        for backup in await self.every():
            if backup.name == name:
                return backup
        raise NoSuchBackup(name)

    async def delete(self, backups: Collection[Backup]) -> None:
        """Delete these."""
        for backup in backups:
            await asyncio.to_thread(shutil.rmtree, self._folder / backup.name)

    async def rotate(self, keep: int) -> int:
        """Delete all daily backups but the newest `keep`; returns how many went."""
        daily = [each for each in await self.every() if each.occasion is Occasion.DAILY]
        await self.delete(daily[keep:])
        return len(daily[keep:])

    async def stage(self, name: str) -> int:
        """Prepare going back to a backup: it happens when the data folder is next opened.

        Who had themselves erased after it was made will be erased again: so many accounts that
        its journal has heard. Raises NoSuchBackup,
        SchemaTooNew and StorageError for a backup that cannot be used; nothing changes then.
        """
        backup = await self.named(name)
        source, partial = self._folder / name, self._files.folder / STAGING
        await asyncio.to_thread(_stage, source, partial)
        try:
            await self._check(partial)
            async with AsyncExitStack() as stack:
                journal = await self._files.journal(partial)
                stack.push_async_callback(journal.close)
                ledger = await self._journal.ledger()
                known = await journal.take_ledger(ledger)
                held = erased_of(await present(journal), ledger, known)
                await journal.adopt(await self._journal.every_disclosure())
                await self._backends.carry(journal, backup.backend)
            await asyncio.to_thread(_ready, partial, self._files.folder / STAGED)
            return len(held)
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
            raise

    async def _fill(self, partial: Path, backup: Backup) -> None:
        async with AsyncExitStack() as stack:
            # The memories and the journal of one moment: as after a crash at that moment.
            async with self._store.still():
                frozen = await self._files.freeze(backup.backend)
                stack.push_async_callback(frozen.close)
            await frozen.copy(partial)
            if len(frozen.names) == 1:
                header = Header(backup.at, self._journal.id)
                await export(self._store, partial / MEMORIES, header, vectors=True)
        await asyncio.to_thread(_write_manifest, partial, backup)

    async def _check(self, folder: Path) -> None:
        files = await asyncio.to_thread(lambda: sorted(folder.iterdir()))
        for file in files:
            if file.suffix == ".db":
                await self._files.verify(file)
            else:
                await _check_export(file)


async def finish_restoring(files: DataFiles, store: SwitchingStore) -> None:
    """Fill the store with what a restored export holds, and with nothing else. Repeatable."""
    file = files.folder / RESTORED
    if not file.exists():
        return
    kept: set[str] = set()
    async for page in entries(file):
        vectors = {e.memory.id: e.vector for e in page if e.vector is not None}
        await write_page(store, [entry.memory for entry in page], vectors)
        kept.update(entry.memory.id for entry in page)
    await drop_absent(store, kept)
    await asyncio.to_thread(file.unlink)


async def _check_export(file: Path) -> None:
    """Raises StorageError unless the export is whole, with every line sound."""
    try:
        export = await asyncio.to_thread(open_export, file)
    except NotOurExport as error:
        raise StorageError(str(error), file=MEMORIES, fault=Fault.DAMAGED) from error
    with export.source:
        if not await asyncio.to_thread(export.is_whole):
            text = "the memories of the backup are not all there"
            raise StorageError(text, file=MEMORIES, fault=Fault.DAMAGED)


def _every(folder: Path) -> list[Backup]:
    if not folder.is_dir():
        return []
    found = [_read(each) for each in folder.iterdir() if _NAME.fullmatch(each.name)]
    backups = [backup for backup in found if backup is not None]
    return sorted(backups, key=lambda backup: (backup.at, backup.name), reverse=True)


def _read(folder: Path) -> Backup | None:
    """The backup in a folder; None for anything else."""
    try:
        written = json.loads((folder / MANIFEST).read_bytes())
        if written["version"] > VERSION:
            return None
        return Backup(
            name=folder.name,
            at=float(written["at"]),
            occasion=Occasion(written["occasion"]),
            backend=str(written["backend"]),
            size=sum(file.stat().st_size for file in folder.iterdir()),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write_manifest(folder: Path, backup: Backup) -> None:
    written = {"version": VERSION, **asdict(backup)}
    with (folder / MANIFEST).open("w", encoding="utf-8") as out:
        json.dump(written, out)
        out.flush()
        os.fsync(out.fileno())


def _free_name(folder: Path, now: float) -> str:
    name = stamp(now)
    names = [name, *(f"{name}-{number}" for number in range(2, 1_000))]
    return next(each for each in names if not (folder / each).exists())


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _stage(source: Path, partial: Path) -> None:
    _empty(partial)
    for file in source.iterdir():
        if file.suffix == ".db":
            shutil.copyfile(file, partial / file.name)
        elif file.name == MEMORIES:
            shutil.copyfile(file, partial / RESTORED)


def _ready(partial: Path, ready: Path) -> None:
    """The one step from the old to the new: before it nothing is changed, after it all will be."""
    for file in list(partial.iterdir()):
        if ".before-" in file.name:
            file.unlink()
            continue
        with file.open("rb+") as written:
            os.fsync(written.fileno())
    shutil.rmtree(ready, ignore_errors=True)
    partial.rename(ready)
