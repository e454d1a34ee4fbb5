"""Removes the bytes of deleted memories that a backend's files still hold.

Some databases only mark what is deleted, and may not be cleaned while they are open. Their
memories are then written into new files, soon or at the next start, and the old files deleted.
"""

import asyncio
import logging
import shutil
from dataclasses import dataclass

from ..model.errors import TidemarkError
from ..ports import DataFiles, MemoryStore, Notes
from ..records.cancellation import uninterrupted
from ..records.on_disk import publish
from .copying import EVERYTHING, copy_page, pages
from .ownership import Backends
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
        """Whether text that was deleted is still in the files of the backend in force."""
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
            async for page in pages(old, EVERYTHING):
                await copy_page(old, new, page)
        finally:
            await new.close()
        await asyncio.to_thread(publish, folder, self.files.folder / WRITTEN)
