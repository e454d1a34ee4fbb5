"""Imports of other programs' memories: previewed, taken in as a batch, listed, undone."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import batched, islice
from pathlib import Path
from uuid import UUID, uuid5

from ..model.errors import TidemarkError
from ..model.memory import Memory, Succession
from ..model.sleeping import Tell, no_progress
from ..ports import AuditEntry, DataFiles, Embedded, Erasure, Journal, MemoryStore
from ..privacy.erasure import accounts_of
from ..records.notes import value_note
from ..records.threads import release
from .copying import attach
from .export_file import header_of
from .foreign.opening import opened
from .foreign.rows import MappingRules
from .import_plan import Coming, ExportGate, Gate, ImportGate, ImportTally, MovePlan, Paused

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

    async def finish(self, batch: Batch, skipped: int) -> bool:
        """It is done; whether it has brought anything: else it goes off the list."""
        if added := len(await self.memories(batch.id)):
            await self.change(replace(batch, state=BatchState.DONE, added=added, skipped=skipped))
        else:
            await self._write([each for each in await self.every() if each.id != batch.id])
        return bool(added)

    async def memories(self, id: str) -> list[str]:
        """Ids of the memories that it brought, in that order, also of those that are gone."""
        return await self.journal.audited(IMPORTED, _detail(id))

    async def _write(self, batches: Sequence[Batch]) -> None:
        listed = json.dumps(batches[:MOST], default=asdict, ensure_ascii=False)
        await self.journal.set_note(NOTE, listed)


def batch_of(entry: AuditEntry) -> str:
    """The batch that the note names with which a memory came."""
    return str(json.loads(entry.detail)["batch"])


def _detail(batch: str) -> str:
    return json.dumps({"batch": batch})


PAGE = 200
AT_ONCE = 10
"""Rows that are looked at without letting others run; takes some 2 ms."""

PURGED = frozenset({"purged"})

CHANGES = frozenset(each.value for each in Succession) | frozenset(
    "useful useless important unimportant pinned unpinned confirmed both_hold either_holds"
    " restored closed given_up reopened".split()
)
"""What people and models do to a memory, in the words of the audit log; time does none of it."""


@dataclass(frozen=True, slots=True)
class BatchContents:
    """Ids of what a batch brought: untouched, used or changed since, and how many are gone."""

    untouched: Sequence[str]
    used: Sequence[str]
    gone: int


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """Which file, by what name it is listed, and what the admin decides about it."""

    file: Path
    name: str
    rules: MappingRules = MappingRules()
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


class ImportRunning(TidemarkError):
    """Another import is under way."""


@dataclass(slots=True)
class MovingIn:
    """The imports of one data folder, one at a time."""

    files: DataFiles
    store: MemoryStore
    journal: Journal
    _running: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def batches(self) -> Batches:
        """What has been imported."""
        return Batches(self.journal)

    async def contents(self, batch: Batch) -> BatchContents:
        """What of a batch is here, and what of that has been used since. Raises StorageError."""
        changed = {each.memory for each in await self.journal.audit_by_action(CHANGES)}
        untouched, used = list[str](), list[str]()
        ids = await self.batches.memories(batch.id)
        for some in batched(ids, PAGE):
            for memory in await self.store.find(some):
                shown = memory.access.last_at > batch.at
                touched = shown or memory.id in changed or memory.successor is not None
                (used if touched else untouched).append(memory.id)
        return BatchContents(untouched, used, len(ids) - len(untouched) - len(used))

    async def undo(self, batch: Batch, *, everything: bool = False) -> Batch:
        """Delete for good what the batch brought, but for what has been used since.

        With `everything` that too. Cut short, it can be repeated. Raises ImportRunning and
        StorageError.
        """
        if self._running.locked():
            raise ImportRunning
        async with self._running:
            kept = [] if everything else (await self.contents(batch)).used
            held = frozenset(kept)
            going = [id for id in await self.batches.memories(batch.id) if id not in held]
            for ids in batched(going, PAGE):
                await release(self.store, self.journal, None, ids)
                await self.store.purge(ids)
                # Last: until then the log says what is still to go.
                await self.journal.erase(Erasure(memories=frozenset(ids)))
            await self.store.wiped()
            done = replace(batch, state=BatchState.UNDONE, kept=len(kept))
            await self.batches.change(done)
            return done

    async def preview(self, asked: MoveRequest, paused: Paused, now: float) -> MovePlan:
        """What would come; nothing is changed. Raises NotASource, StorageError and OSError."""
        async with self._opened(asked, paused, now) as gate:
            return await self._go(gate, now)

    async def run(
        self, asked: MoveRequest, paused: Paused, now: float, by: str, tell: Tell = no_progress
    ) -> MovePlan:
        """Take the memories in; cut short, the same call goes on with the same batch.

        `tell` is told the rows read. Raises NotASource, ImportRunning, StorageError and OSError.
        """
        if self._running.locked():
            raise ImportRunning
        async with self._running, self._opened(asked, paused, now) as gate:
            batch = await self.batches.begin(gate.source.program, asked.name, now)
            if isinstance(gate, ImportGate):
                gate.batch, gate.now = batch.id, batch.at
            plan = await self._go(gate, now, batch, by, tell)
            done = await self.batches.finish(batch, sum(plan.skipped.values()))
            return replace(plan, batch=batch.id if done else "")

    async def _go(
        self,
        gate: Gate,
        now: float,
        batch: Batch | None = None,
        by: str = "",
        tell: Tell = no_progress,
    ) -> MovePlan:
        tally, rows, read = ImportTally(), gate.source.rows(now), 0
        while page := await asyncio.to_thread(lambda: list(islice(rows, PAGE))):
            # Whoever asks meanwhile to be forgotten is, from the next page on.
            gate.ledger = await self.journal.ledger()
            coming = list[Coming]()
            for some in batched(page, AT_ONCE):
                coming += await tally.admitted(some, gate)
                await asyncio.sleep(0)
            memories = [each.memory for each in coming]
            ids = {memory.id for memory in memories}
            new = ids - {memory.id for memory in await self.store.find(list(ids))}
            for each in coming:
                (tally.new if each.memory.id in new else tally.known)[each.chat] += 1
            if batch is not None:
                await self._put([m for m in memories if m.id in new], batch, by, now)
                await self._give_vectors(coming)
                read += len(page)
                tell(read, 0)
        return tally.plan(gate)

    @asynccontextmanager
    async def _opened(self, asked: MoveRequest, paused: Paused, now: float) -> AsyncGenerator[Gate]:
        ledger = await self.journal.ledger()
        if (header := await asyncio.to_thread(header_of, asked.file)) is not None:
            yield await asyncio.to_thread(ExportGate.opened, asked.file, header, ledger)
            return
        gone = frozenset(e.memory for e in await self.journal.audit_by_action(PURGED))
        opening = opened(asked.file, self.files.tables, asked.columns)
        source = await asyncio.to_thread(opening.__enter__)
        try:
            yield ImportGate(source, self.journal.id, "", now, asked.rules, ledger, gone, paused)
        finally:
            await asyncio.to_thread(opening.__exit__, None, None, None)

    async def _put(self, fresh: Sequence[Memory], batch: Batch, by: str, now: float) -> None:
        """Noted first: what is in the store and not in the batch could not be taken back."""
        if not fresh:
            return
        before = (await self.journal.ledger()).count
        detail = _detail(batch.id)
        await self.journal.audit(
            [
                AuditEntry(f"{IMPORTED}:{m.id}", m.id, m.scope, IMPORTED, by, now, detail)
                for m in fresh
            ]
        )
        await self.store.put(fresh)
        ledger = await self.journal.ledger()
        if ledger.count > before:
            erased = [
                memory.id
                for memory in fresh
                if any(ledger.erased_since(each, before) for each in accounts_of(memory))
            ]
            await self.store.purge(erased)
            await self.journal.erase(Erasure(memories=frozenset(erased)))

    async def _give_vectors(self, coming: Sequence[Coming]) -> None:
        """The vectors of the file to what says the same and has none."""
        given = {each.memory.id: each for each in coming if each.vector is not None}
        have = await self.store.vectors(list(given))
        vectors = dict[str, Embedded]()
        for memory in await self.store.find([id for id in given if id not in have]):
            each = given[memory.id]
            # What a vector is made of.
            same = (each.memory.text, each.memory.cues) == (memory.text, memory.cues)
            if each.vector is not None and same:
                vectors[memory.id] = each.vector
        await attach(self.store, vectors)
