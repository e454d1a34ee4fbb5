"""Imports of other programs' memories: previewed, taken in as a batch, undone."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import batched, islice
from pathlib import Path

from ..model.errors import TidemarkError
from ..model.jobs import Tell, no_progress
from ..model.memory import Memory, Succession
from ..ports import DataFiles, Erasure, Journal, MemoryStore
from ..privacy.erased_accounts import accounts_of as owners
from ..records.threads import release
from .batches import Batch, Batches, BatchState, entry_of
from .foreign.opening import Opening, opened
from .foreign.owners import MappingRules
from .foreign.rows import ForeignMemory, ForeignSource
from .import_plan import ImportGate, ImportTally, Making, MovePlan, Paused, admitted

UNDONE_AT_ONCE = 200
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
        for some in batched(ids, UNDONE_AT_ONCE):
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
            for ids in batched(going, UNDONE_AT_ONCE):
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
        async with self._opened(asked) as source:
            return await self._go(source, asked.rules, paused, now, None, "")

    async def run(
        self, asked: MoveRequest, paused: Paused, now: float, by: str, tell: Tell = no_progress
    ) -> tuple[Batch | None, MovePlan]:
        """Take the memories in; cut short, the same call goes on with the same batch.

        No batch if there was nothing new. `tell` is told the rows read. Raises NotASource,
        ImportRunning, StorageError and OSError.
        """
        if self._running.locked():
            raise ImportRunning
        async with self._running, self._opened(asked) as source:
            batch = await self.batches.begin(source.program, asked.name, now)
            plan = await self._go(source, asked.rules, paused, now, batch, by, tell)
            return await self.batches.finish(batch, sum(plan.skipped.values())), plan

    async def _go(
        self,
        source: ForeignSource,
        rules: MappingRules,
        paused: Paused,
        now: float,
        batch: Batch | None,
        by: str,
        tell: Tell = no_progress,
    ) -> MovePlan:
        id, at = ("", now) if batch is None else (batch.id, batch.at)
        making = Making(self.journal.id, id, source.program, at)
        gone = frozenset(e.memory for e in await self.journal.audit_by_action(PURGED))
        gate = ImportGate(making, rules, await self.journal.ledger(), gone, paused)
        tally, rows, read = ImportTally(), source.rows(now), 0
        while page := await asyncio.to_thread(lambda: list(islice(rows, PAGE))):
            # Whoever asks meanwhile to be forgotten is, from the next page on.
            gate.ledger = await self.journal.ledger()
            pairs = list[tuple[ForeignMemory, Memory]]()
            for some in batched(page, AT_ONCE):
                pairs += await admitted(some, gate, tally)
                await asyncio.sleep(0)
            new = await self._new([memory for _, memory in pairs])
            for row, memory in pairs:
                counts = tally.new if memory.id in new else tally.known
                counts[row.chat, row.persona] += 1
            if batch is not None:
                fresh = [memory for _, memory in pairs if memory.id in new]
                await self._take(fresh, batch, by, now)
                read += len(page)
                tell(read, 0)
        return tally.plan(source, rules)

    @asynccontextmanager
    async def _opened(self, asked: MoveRequest) -> AsyncGenerator[ForeignSource]:
        source = opened(asked.file, Opening(self.files.tables, asked.columns))
        found = await asyncio.to_thread(source.__enter__)
        try:
            yield found
        finally:
            await asyncio.to_thread(source.__exit__, None, None, None)

    async def _new(self, memories: Sequence[Memory]) -> frozenset[str]:
        ids = [memory.id for memory in memories]
        return frozenset(ids) - {memory.id for memory in await self.store.find(ids)}

    async def _take(self, fresh: Sequence[Memory], batch: Batch, by: str, now: float) -> None:
        """Noted first: what is in the store and not in the batch could not be taken back."""
        if not fresh:
            return
        before = (await self.journal.ledger()).count
        await self.journal.audit([entry_of(m.id, m.scope, batch.id, by, now) for m in fresh])
        await self.store.put(fresh)
        ledger = await self.journal.ledger()
        if ledger.count > before:
            erased = [m.id for m in fresh if any(ledger.erased_since(a, before) for a in owners(m))]
            await self.store.purge(erased)
            await self.journal.erase(Erasure(memories=frozenset(erased)))
