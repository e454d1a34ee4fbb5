"""Going back to a backup: prepared beside the data, done when the data folder is next opened."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ..model.errors import Fault, StorageError
from ..ports import DataFiles, Journal
from ..queue.job_list import NOTE as JOBS
from ..records.notes import FILE as JOURNAL
from ..records.on_disk import publish
from .backup import FOLDER, MEMORIES, Backup, emptied
from .copying import drop_absent, write_page
from .importing import entries, open_export
from .lines import NotOurExport
from .switchable_store import SwitchingStore

STAGING, STAGED = "restore.partial", "restore.ready"
RESTORED = "restored.jsonl"
"""Memories of a backup that the store has still to be filled with."""


@dataclass(slots=True)
class StagedBackup:
    """A backup on its way back: its journal, open, and names of files that are not to come."""

    journal: Journal
    unwanted: set[str]


@asynccontextmanager
async def staged(files: DataFiles, backup: Backup) -> AsyncGenerator[StagedBackup]:
    """Prepare going back to a backup; left without an error, the next opening does it.

    Raises SchemaTooNew and StorageError for a backup that cannot be used.
    """
    partial = files.folder / STAGING
    await asyncio.to_thread(_stage, files.folder / FOLDER / backup.name, partial)
    try:
        await _check(files, partial)
        stage = StagedBackup(await files.journal(partial), set())
        try:
            # Of its own making the backup knows only that it was under way.
            await stage.journal.set_note(JOBS, "[]")
            yield stage
        finally:
            await stage.journal.close()
        await asyncio.to_thread(_ready, partial, files.folder / STAGED, stage.unwanted)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
        raise


def is_restoring(files: DataFiles) -> bool:
    """Whether the store has still to be filled with what a backup held."""
    return (files.folder / RESTORED).exists()


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


async def _check(files: DataFiles, folder: Path) -> None:
    for file in await asyncio.to_thread(lambda: sorted(folder.iterdir())):
        if file.suffix == ".db":
            await files.verify(file)
        else:
            await _check_export(file)


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


def _stage(source: Path, partial: Path) -> None:
    if not (source / JOURNAL).exists():
        text = "the backup has no journal: it was made of what was left"
        raise StorageError(text, file=JOURNAL, fault=Fault.LOST)
    emptied(partial)
    for file in source.iterdir():
        if file.suffix == ".db":
            shutil.copyfile(file, partial / file.name)
        elif file.name == MEMORIES:
            shutil.copyfile(file, partial / RESTORED)


def _ready(partial: Path, ready: Path, unwanted: Collection[str]) -> None:
    """The one step from the old to the new: before it nothing is changed, after it all will be."""
    for file in list(partial.iterdir()):
        if ".before-" in file.name or file.name in unwanted:
            file.unlink()
    shutil.rmtree(ready, ignore_errors=True)
    publish(partial, ready)
