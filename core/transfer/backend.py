"""The backend in force, where a migration or a backup has changed it from the settings.

The journal remembers it, because the journal moves with the memories; the settings file is the
user's and is not written.
"""

import json
from dataclasses import dataclass

from ..ports import Notes
from ..records.notes import damaged, json_note

NOTE = "backend"


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
        noted = await json_note(journal, NOTE)
        if noted is not None and not isinstance(noted, str):
            raise damaged(NOTE)
        if noted == chosen:
            await journal.set_note(NOTE, "null")
        return cls(journal, noted or chosen, chosen)

    @property
    def agree(self) -> bool:
        """Whether the settings name the backend in force."""
        return self.in_force == self.chosen

    async def switch(self, backend: str) -> None:
        """Put this backend in force, now and after every start."""
        await self.carry(self.journal, backend)
        self.in_force = backend

    async def carry(self, journal: Notes, backend: str) -> None:
        """Note the backend in a journal that will be in force later."""
        await note_backend(journal, backend, self.chosen)


async def note_backend(journal: Notes, backend: str, chosen: str) -> None:
    """Note in a journal the backend that is in force with it; `chosen` needs no note."""
    await journal.set_note(NOTE, json.dumps(None if backend == chosen else backend))
