"""What has been imported: one batch each, which can be taken back. The journal keeps the list."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from uuid import UUID, uuid5

from ..ports import AuditEntry, Journal
from ..records.notes import value_note

NOTE = "imports"
MOST = 200
"""Batches that are listed; of older ones the memories stay, and cannot be taken back together."""

IMPORTED = "imported"
"""The action of the audit log; its detail names the batch."""


class BatchState(StrEnum):
    """How far a batch is. One that was cut short goes on when its file is imported again."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One import: of which program and file, begun at (Unix seconds), and what came of it.

    `added` counts its memories, `kept` those that stayed when it was undone.
    """

    id: str
    program: str
    file: str
    at: float
    state: BatchState = BatchState.BEGUN
    added: int = 0
    skipped: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches of one installation."""

    journal: Journal

    async def every(self) -> list[Batch]:
        """Newest first. Raises StorageError if the note is damaged."""
        return await value_note(self.journal, NOTE, list[Batch]) or []

    async def named(self, id: str) -> Batch | None:
        return next((each for each in await self.every() if each.id == id.lower()), None)

    async def begin(self, program: str, file: str, now: float) -> Batch:
        """A new batch, or that of this file which was cut short."""
        every = await self.every()
        for each in every:
            if (each.program, each.file, each.state) == (program, file, BatchState.BEGUN):
                return each
        # Also of its number: two imports may begin at one time.
        seed = f"import:{program}:{file}:{now!r}:{len(every)}"
        id = uuid5(UUID(self.journal.id), seed).hex[:6]
        batch = Batch(id=id, program=program, file=file, at=now)
        await self._write([batch, *every])
        return batch

    async def change(self, batch: Batch) -> None:
        every = await self.every()
        await self._write([batch if each.id == batch.id else each for each in every])

    async def finish(self, batch: Batch, skipped: int) -> Batch | None:
        """It is done: as it is now; None, and off the list, if it has brought nothing at all."""
        added = len(await self.memories(batch.id))
        if not added:
            await self._write([each for each in await self.every() if each.id != batch.id])
            return None
        done = replace(batch, state=BatchState.DONE, added=added, skipped=skipped)
        await self.change(done)
        return done

    async def memories(self, id: str) -> list[str]:
        """Ids of the memories that it brought, in that order, also of those that are gone."""
        return await self.journal.audited(IMPORTED, _detail(id))

    async def _write(self, batches: Sequence[Batch]) -> None:
        listed = json.dumps(batches[:MOST], default=asdict, ensure_ascii=False)
        await self.journal.set_note(NOTE, listed)


def entry_of(memory: str, scope: str, batch: str, by: str, at: float) -> AuditEntry:
    """The note that a memory came with a batch."""
    key = f"{IMPORTED}:{memory}"
    return AuditEntry(key, memory, scope, IMPORTED, by, at, _detail(batch))


def batch_of(entry: AuditEntry) -> str:
    """The batch that such a note names."""
    return str(json.loads(entry.detail)["batch"])


def _detail(batch: str) -> str:
    return json.dumps({"batch": batch})
