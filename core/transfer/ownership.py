"""Knows which memories belong to which journal, so that a lost file is not taken for a new start.

The journal notes the places where its memories have lain; the memories name their journal. Files
written before either did so are accepted as they are.
"""

import json
from dataclasses import dataclass

from ..model.errors import Fault, StorageError
from ..ports import DataPlaces, Journal, MemoryStore
from ..records.notes import FILE, damaged, json_note
from .copying import EVERYTHING

NOTE = "siblings"


def refuse_lost_journal(files: DataPlaces) -> None:
    """Raises StorageError if there are memories but no journal."""
    if not files.has_journal() and files.has_memories():
        raise _lost(FILE)


@dataclass(frozen=True, slots=True)
class Ownership:
    """What one journal knows of its memories."""

    files: DataPlaces
    journal: Journal

    async def expect(self, backend: str) -> None:
        """Before the memories are opened. Raises StorageError if they are certainly gone."""
        place = self.files.place(backend)
        if not self.files.has(backend) and place in await self._places():
            raise _lost(place)

    async def check(self, backend: str, store: MemoryStore) -> None:
        """Raises StorageError for memories of another journal, and for none where some were.

        Whatever names nobody yet is adopted.
        """
        owner, place = await store.owner(), self.files.place(backend)
        if owner not in (None, self.journal.id):
            text = f"{FILE} and the memories in {place} do not belong together"
            raise StorageError(text, file=place, fault=Fault.APART)
        known = place in await self._places()
        if owner is None and known and not await store.count(EVERYTHING):
            raise _lost(place)
        if owner is None or not known:
            await self.bind(backend, store)

    async def bind(self, backend: str, store: MemoryStore) -> None:
        """From now on the two belong together."""
        await store.belong_to(self.journal.id)
        await self._note({*await self._places(), self.files.place(backend)})

    async def part(self, backend: str) -> None:
        """Note that the memories there have been deleted on purpose."""
        await self._note(await self._places() - {self.files.place(backend)})

    async def _places(self) -> set[str]:
        noted = await json_note(self.journal, NOTE)
        if noted is not None and not isinstance(noted, list):
            raise damaged(NOTE)
        return {str(place) for place in noted or ()}

    async def _note(self, places: set[str]) -> None:
        await self.journal.set_note(NOTE, json.dumps(sorted(places)))


def _lost(file: str) -> StorageError:
    text = f"{file} is missing or empty, although what belongs to it is there"
    return StorageError(text, file=file, fault=Fault.LOST)
