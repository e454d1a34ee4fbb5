"""What a journal notes of its memories: the backend in force, and the places where they have lain.

A migration or a backup changes the backend from that of the settings, whose file is the user's and
is not written. The places tell a lost file from a new start; the memories name their journal. Files
written before either did so are accepted as they are.
"""

import json
from dataclasses import dataclass

from ..model.errors import Fault, StorageError
from ..ports import DataFiles, Journal, MemoryStore, Notes
from ..records.notes import FILE, value_note
from .copying import EVERYTHING

BACKEND, SIBLINGS = "backend", "siblings"
"""Names of the two notes."""


@dataclass(slots=True)
class Backends:
    """The backend in force, and the one that the settings name."""

    journal: Notes
    in_force: str
    chosen: str

    @classmethod
    async def read(cls, journal: Notes, chosen: str) -> "Backends":
        """What the journal says, else the settings' choice.

        Once both agree the journal's word is dropped: the next choice is the user's again.
        Raises StorageError if what the journal says is damaged.
        """
        noted = await value_note(journal, BACKEND, str)
        if noted == chosen:
            await journal.set_note(BACKEND, "null")
        return cls(journal, noted or chosen, chosen)

    @property
    def agree(self) -> bool:
        return self.in_force == self.chosen

    async def switch(self, backend: str) -> None:
        """Put this backend in force, now and after every start."""
        await note_backend(self.journal, backend, self.chosen)
        self.in_force = backend


async def note_backend(journal: Notes, backend: str, chosen: str) -> None:
    """Note in a journal the backend that is in force with it; `chosen` needs no note."""
    await journal.set_note(BACKEND, json.dumps(None if backend == chosen else backend))


@dataclass(frozen=True, slots=True)
class Ownership:
    """What one journal knows of its memories."""

    files: DataFiles
    journal: Journal

    async def expect(self, backend: str) -> None:
        """Before the memories are opened. Raises StorageError if they are certainly gone."""
        place = self.files.place(backend)
        if not self.files.has(backend) and place in await self._places():
            raise lost(place)

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
            raise lost(place)
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
        return await value_note(self.journal, SIBLINGS, set[str]) or set()

    async def _note(self, places: set[str]) -> None:
        await self.journal.set_note(SIBLINGS, json.dumps(sorted(places)))


def lost(file: str) -> StorageError:
    """What belongs to a file is there, and it is not."""
    text = f"{file} is missing or empty, although what belongs to it is there"
    return StorageError(text, file=file, fault=Fault.LOST)
