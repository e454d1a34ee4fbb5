"""Removes the bytes of deleted memories that a backend's files still hold.

Some databases only mark what is deleted, and may not be cleaned while they are open. Their
memories are then written into new files at the next start, and the old files deleted.
"""

import asyncio
import logging
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..model.errors import TidemarkError
from ..ports import DataFiles, Notes
from ..records.on_disk import publish
from .backend import Backends
from .copying import EVERYTHING, copy_page
from .export import pages

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
        await self.files.install(folder / WRITTEN)
        if await self.journal.note(NOTE) != backend or not self.files.keeps_traces(backend):
            return
        try:
            await self._write(backend, folder / WRITING)
            await asyncio.to_thread(publish, folder / WRITING, folder / WRITTEN)
            await self.files.install(folder / WRITTEN)
            await self.journal.set_note(NOTE, "")
        except (TidemarkError, OSError) as error:
            logger.warning("deleted text may still be in the files of %s: %s", backend, error)

    async def _write(self, backend: str, folder: Path) -> None:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        await asyncio.to_thread(folder.mkdir)
        old = await self.files.store(backend)
        try:
            new = await self.files.store(backend, folder)
            try:
                owner = await old.owner()
                if owner is not None:
                    await new.belong_to(owner)
                async for page in pages(old, EVERYTHING):
                    await copy_page(old, new, page)
            finally:
                await new.close()
        finally:
            await old.close()
