"""Recovers when memory does not open because files are lost, damaged or do not belong together.

Nothing may be open. Only what is not there or of no use is brought back from a backup: what is
intact is newer, and stays.
"""

import asyncio
from collections.abc import Collection
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

from ..model.conversation import Scope
from ..model.errors import Fault, StorageError
from ..ports import DataFiles, Erasure, Journal, WorkKind
from ..records.notes import FILE, value_note
from .backup import (
    RESTORED,
    Backup,
    NoSuchBackup,
    Occasion,
    StagedBackup,
    every_backup,
    staged,
    write_backup,
)
from .copying import EVERYTHING
from .ownership import BACKEND, SIBLINGS, Backends, Ownership, note_backend

FAULTS = frozenset({Fault.LOST, Fault.APART, Fault.DAMAGED})
"""The faults for which recovery is offered."""

DATABASE, LEDGER = "memories.db", "erasures.json"
"""Names of files: the memories of SQLite; who was erased, which is newest where it is."""

AFTER_EVERYTHING = 2**53
"""The number of an audit entry that is never reached: no older memory counts as written later."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """Over a data folder; `chosen` is the backend that the settings name."""

    files: DataFiles
    chosen: str

    async def backups(self) -> list[Backup]:
        """Those that hold memories, newest first."""
        every = await asyncio.to_thread(every_backup, self.files)
        return [each for each in every if each.memories]

    async def bring_back(self, name: str, now: float) -> Backup:
        """Have the next opening bring back what is missing from a backup; "" for the newest.

        What would be replaced is kept as a backup. Raises NoSuchBackup and StorageError.
        """
        wanted = [each for each in await self.backups() if name in ("", each.name)]
        problem: StorageError | None = None
        async with aclosing(await self.files.claim()):
            for backup in wanted:
                try:
                    await self._stage(backup, now)
                except StorageError as error:
                    problem = error
                else:
                    return backup
        raise problem or NoSuchBackup(name)

    async def go_on(self) -> None:
        """Accept what is there now as everything: the next opening works on it.

        Raises StorageError if a file is damaged: it would have to be replaced.
        """
        async with AsyncExitStack() as stack:
            stack.push_async_callback((await self.files.claim()).aclose)
            journal = await self.files.journal()
            stack.push_async_callback(journal.close)
            await self._forget_damaged(journal)
            backend = (await Backends.read(journal, self.chosen)).in_force
            store = await self.files.store(backend)
            stack.push_async_callback(store.close)
            await Ownership(self.files, journal).bind(backend, store)

    async def _stage(self, backup: Backup, now: float) -> None:
        async with AsyncExitStack() as stack:
            present = await self._journal()
            if present is not None:
                stack.push_async_callback(present.close)
            stage = await stack.enter_async_context(staged(self.files, backup))
            stage.unwanted.add(LEDGER)
            journal = stage.journal
            if present is not None:
                known, erased = await stage.take_over(present)
                if present.id == journal.id:
                    await self._forget_damaged(present)
                    await _erase_again(present, journal, known, erased)
                    journal = present
                    stage.unwanted.add(FILE)
            await self._choose_memories(backup, stage)
            await note_backend(journal, backup.backend, self.chosen)
            await self._set_aside(backup, now)

    async def _choose_memories(self, backup: Backup, stage: StagedBackup) -> None:
        """Those that are there if they fit the journal, else those of the backup."""
        there = await self._memories_of(backup.backend)
        if there in ("", stage.journal.id):
            stage.unwanted |= {DATABASE, RESTORED}
        elif there is not None and backup.backend != "sqlite":
            text = f"the memories in {backup.backend} belong to another installation"
            raise StorageError(text, file=backup.backend, fault=Fault.APART)

    async def _journal(self) -> Journal | None:
        """The journal that is there, if it can be used."""
        if self.files.has_journal():
            with suppress(StorageError):
                return await self.files.journal()
        return None

    async def _memories_of(self, backend: str) -> str | None:
        """Whose memories are there, "" if they name nobody; None without any that can be read."""
        if not self.files.has(backend):
            return None
        try:
            store = await self.files.store(backend)
        except StorageError:
            return None
        try:
            return await store.owner() or "" if await store.count(EVERYTHING) else None
        finally:
            await store.close()

    async def _set_aside(self, backup: Backup, now: float) -> None:
        """Keep what is there as a backup of its own: some of it will be overwritten."""

        async def fill(partial: Path, kept: Backup) -> Backup:
            await self.files.set_aside(partial)
            return kept

        await write_backup(self.files, Occasion.RESTORE, backup.backend, now, fill)

    async def _forget_damaged(self, journal: Journal) -> None:
        """Go by the settings where what the journal says of its memories cannot be read."""
        for name, kind in ((BACKEND, str), (SIBLINGS, set[str])):
            try:
                await value_note(journal, name, kind)
            except StorageError:
                await journal.set_note(name, "null")


async def _erase_again(
    journal: Journal, older: Journal, known: int, erased: Collection[Scope]
) -> None:
    """Have erased from memories as old as a journal who was erased since; what is newer stays."""
    ledger = await journal.ledger()
    if ledger.count <= known:
        return
    speakers = frozenset((one.platform, one.subject) for one in erased)
    said = [turn.seq async for turn in older.erasable(Erasure(speakers=speakers))]
    payload = {"after": known, "number": known + 1, "until": max(said, default=0)}
    key = f"erase:{ledger.count}:recovered:{known}:{payload['until']}"
    await journal.enqueue(WorkKind.ERASE, key, {**payload, "noted": AFTER_EVERYTHING})
