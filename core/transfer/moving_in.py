"""Imports of other programs' memories: previewed, taken in as a batch, undone."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol

from ..forgetting.tmd import TmdParameters
from ..model.consent import Pause
from ..model.conversation import Scope, ScopeKind
from ..model.errors import TidemarkError
from ..model.jobs import Tell, no_progress
from ..model.memory import Memory
from ..ports import Deletions, Erasure, ErasureLedger, ForeignTables, Ledger
from ..privacy.erased_accounts import accounts_of as owners
from .batches import Batch, Batches, BatchJournal, entry_of
from .copying import FilledStore
from .foreign.making import Making, accounts_of
from .foreign.opening import Opening, opened
from .foreign.owners import LeaveOut, MappingRules, owner_of
from .foreign.rows import Columns, ForeignMemory, ForeignRow, ForeignSource, Skip, SkippedRow
from .undoing import BatchContents, contents_of, undone

PAGE = 200
LONGEST_TEXT = 4_000
"""Characters of an imported memory: what is longer is no memory but a document."""

PURGED = frozenset({"purged"})

type Paused = Callable[[Scope, str], Awaitable[Pause | None]]
"""Who has paused what a user says in a scope: `Consents.pause`."""


class MovingJournal(BatchJournal, ErasureLedger, Deletions, Protocol):
    """Who was erased, what was deleted, and where batches are noted."""


class MovingFiles(Protocol):
    """How a database of another program is opened, as a copy in a folder of ours."""

    def tables(self, source: Path) -> ForeignTables:
        """Copy it. Blocks. Raises StorageError."""
        ...


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """Which file, by what name it is listed, and what the admin decides about it."""

    file: Path
    name: str
    rules: MappingRules = MappingRules()
    columns: Columns = Columns()


@dataclass(frozen=True, slots=True)
class ChatShare:
    """What comes from one chat of the file, under one persona there, and whose it becomes.

    `target` None: nobody is known for it, or it is left out. `number` counts from 1 in the order
    of the chats' names; `known` memories are here already.
    """

    number: int
    chat: str
    persona: str
    name: str
    target: Scope | None
    left_out: bool
    new: int
    known: int
    skipped: int


@dataclass(frozen=True, slots=True)
class MovePlan:
    """What an import would bring, or has brought: by chat, and what does not come, by reason."""

    program: str
    version: str
    chats: Sequence[ChatShare]
    skipped: Mapping[Skip, int]
    new: int
    known: int


class ImportRunning(TidemarkError):
    """Another import is under way."""


@dataclass(slots=True)
class _Tally:
    """Counts by (chat, persona) of the file."""

    new: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    known: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    unwanted: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    names: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    skipped: Counter[Skip] = field(default_factory=Counter[Skip])

    def skip(self, reason: Skip, row: ForeignMemory | None = None) -> None:
        self.skipped[reason] += 1
        if row is not None:
            self.unwanted[row.chat, row.persona] += 1
            self.name(row)

    def name(self, row: ForeignMemory) -> None:
        """Remember the chat, and what it is called: in private that is who speaks."""
        key, owner = (row.chat, row.persona), owner_of(row.chat)
        private = owner is None or owner.kind is ScopeKind.PRIVATE
        called = row.speaker.name if private and row.speaker is not None else ""
        self.names[key] = self.names.get(key) or row.chat_name or called

    def plan(self, source: ForeignSource, rules: MappingRules) -> MovePlan:
        numbers = {chat: n for n, chat in enumerate(sorted({c for c, _ in self.names}), start=1)}
        chats = [
            _share(self, key, numbers[key[0]], rules.target(*key)) for key in sorted(self.names)
        ]
        new, known = self.new.total(), self.known.total()
        return MovePlan(source.program, source.version, chats, dict(self.skipped), new, known)


@dataclass(slots=True)
class _Gate:
    """Decides of each row whether it may come in, and as whose."""

    making: Making
    rules: MappingRules
    ledger: Ledger
    gone: frozenset[str]
    paused: Paused
    seen: set[str] = field(default_factory=set[str])
    asked: dict[str, bool] = field(default_factory=dict[str, bool])

    async def admit(self, row: ForeignMemory) -> Memory | Skip:
        target = self.rules.target(row.chat, row.persona)
        if target is None:
            return Skip.NO_OWNER
        if isinstance(target, LeaveOut):
            return Skip.LEFT_OUT
        if len(row.text) > LONGEST_TEXT:
            return Skip.LONG
        if any(self.ledger.erased_since(one, 0) for one in accounts_of(row, target)):
            return Skip.FORGOTTEN
        if await self._is_paused(row, target):
            return Skip.PAUSED
        memory = self.making.memory(row, target)
        if memory.id in self.gone:
            return Skip.DELETED_HERE
        if memory.id in self.seen:
            return Skip.REPEATED
        self.seen.add(memory.id)
        return memory

    async def _is_paused(self, row: ForeignMemory, scope: Scope) -> bool:
        for _, user in sorted(accounts_of(row, scope)) or [("", "")]:
            key = f"{scope.owner} {user}"
            if key not in self.asked:
                self.asked[key] = await self.paused(scope, user) is not None
            if self.asked[key]:
                return True
        return False


class MovingIn:
    """The imports of one data folder, one at a time."""

    def __init__(self, files: MovingFiles, store: FilledStore, journal: MovingJournal) -> None:
        self._files = files
        self._store = store
        self._journal = journal
        self._running = asyncio.Lock()
        self.batches = Batches(journal)

    async def contents(self, batch: Batch) -> BatchContents:
        """What of a batch is here, and what of that has been used since. Raises StorageError."""
        return await contents_of(batch, self.batches, self._store)

    async def undo(self, batch: Batch, *, everything: bool = False) -> Batch:
        """Delete for good what the batch brought, but for what has been used since.

        With `everything` that too. Cut short, it can be repeated. Raises ImportRunning and
        StorageError.
        """
        if self._running.locked():
            raise ImportRunning
        async with self._running:
            return await undone(batch, self.batches, self._store, self._journal, everything)

    async def preview(
        self, asked: MoveRequest, parameters: TmdParameters, paused: Paused, now: float
    ) -> MovePlan:
        """What would come; nothing is changed. Raises NotASource, StorageError and OSError."""
        return await self._go(asked, parameters, paused, now, None, "")

    async def run(
        self,
        asked: MoveRequest,
        parameters: TmdParameters,
        paused: Paused,
        now: float,
        by: str,
        tell: Tell = no_progress,
    ) -> tuple[Batch | None, MovePlan]:
        """Take the memories in; cut short, the same call goes on with the same batch.

        No batch if there was nothing new. `tell` is told the rows read. Raises NotASource,
        ImportRunning, StorageError and OSError.
        """
        if self._running.locked():
            raise ImportRunning
        async with self._running:
            async with AsyncExitStack() as stack:
                source = await self._opened(asked, stack)
            batch = await self.batches.begin(source.program, asked.name, now)
            plan = await self._go(asked, parameters, paused, now, batch, by, tell)
            return await self.batches.finish(batch, sum(plan.skipped.values())), plan

    async def _go(
        self,
        asked: MoveRequest,
        parameters: TmdParameters,
        paused: Paused,
        now: float,
        batch: Batch | None,
        by: str,
        tell: Tell = no_progress,
    ) -> MovePlan:
        tally = _Tally()
        async with AsyncExitStack() as stack:
            source = await self._opened(asked, stack)
            id = "" if batch is None else batch.id
            at = now if batch is None else batch.at
            making = Making(self._journal.id, id, source.program, parameters, at)
            gone = frozenset(e.memory for e in await self._journal.audit_by_action(PURGED))
            gate = _Gate(making, asked.rules, await self._journal.ledger(), gone, paused)
            rows, read = source.rows(now), 0
            while page := await asyncio.to_thread(_next, rows):
                # Whoever asks meanwhile to be forgotten is, from the next page on.
                gate.ledger = await self._journal.ledger()
                pairs = await _admitted(page, gate, tally)
                new = await self._new([memory for _, memory in pairs])
                for row, memory in pairs:
                    counts = tally.new if memory.id in new else tally.known
                    counts[row.chat, row.persona] += 1
                if batch is not None:
                    fresh = [memory for _, memory in pairs if memory.id in new]
                    await self._take(fresh, batch, by, now)
                    read += len(page)
                    tell(read, 0)
        return tally.plan(source, asked.rules)

    async def _opened(self, asked: MoveRequest, stack: AsyncExitStack) -> ForeignSource:
        wanted = Opening(self._files.tables, asked.columns)
        source = opened(asked.file, wanted)
        found = await asyncio.to_thread(source.__enter__)
        stack.push_async_callback(asyncio.to_thread, source.__exit__, None, None, None)
        return found

    async def _new(self, memories: Sequence[Memory]) -> frozenset[str]:
        ids = [memory.id for memory in memories]
        return frozenset(ids) - {memory.id for memory in await self._store.find(ids)}

    async def _take(self, fresh: Sequence[Memory], batch: Batch, by: str, now: float) -> None:
        """Noted first: what is in the store and not in the batch could not be taken back."""
        if not fresh:
            return
        before = (await self._journal.ledger()).count
        await self._journal.audit([entry_of(m.id, m.scope, batch.id, by, now) for m in fresh])
        await self._store.put(fresh)
        ledger = await self._journal.ledger()
        if ledger.count > before:
            erased = [m.id for m in fresh if any(ledger.erased_since(a, before) for a in owners(m))]
            await self._store.purge(erased)
            await self._journal.erase(Erasure(memories=frozenset(erased)))


async def _admitted(
    page: Sequence[ForeignRow], gate: _Gate, tally: _Tally
) -> list[tuple[ForeignMemory, Memory]]:
    admitted: list[tuple[ForeignMemory, Memory]] = []
    for row in page:
        if isinstance(row, SkippedRow):
            tally.skip(row.reason)
            continue
        if not row.text:
            tally.skip(Skip.EMPTY, row)
            continue
        found = await gate.admit(row)
        if isinstance(found, Skip):
            tally.skip(found, row)
            continue
        tally.name(row)
        admitted.append((row, found))
    return admitted


def _next(rows: Iterator[ForeignRow]) -> list[ForeignRow]:
    return list(islice(rows, PAGE))


def _share(
    tally: _Tally, key: tuple[str, str], number: int, target: Scope | LeaveOut | None
) -> ChatShare:
    chat, persona = key
    return ChatShare(
        number,
        chat,
        persona,
        tally.names[key],
        target if isinstance(target, Scope) else None,
        isinstance(target, LeaveOut),
        tally.new[key],
        tally.known[key],
        tally.unwanted[key],
    )
