"""Forgetting a person for good: every memory and every recorded message, wherever it lies.

The wish is noted before anything is deleted and struck out after everything is: cut short at any
point, it is granted at the worker's next tick, and granting it twice changes nothing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import batched

from ..model.consent import Consent
from ..model.conversation import ANY_PERSONA, Scope, ScopeKind, Turn
from ..model.memory import Kind, Memory
from ..ports import Erasure, Filter, Journal, MemoryStore
from ..queue.worker import Worker
from ..records.evidence import quotation, without_quotes
from ..records.learnt import without_correction
from .consents import Consents
from .unsharing import Unsharing

WISHES = "erasing"
"""The journal's note of whose erasure is not finished: a JSON list of `Scope.owner`."""

ERASED = "erased"
"""The journal's note of who has been erased when: JSON, Unix seconds by `Scope.owner`.

A backup that is older still holds them; whoever goes back to it needs to know.
"""

AT_ONCE = 500

RECENT = 500
"""The last of a person's turns, of which one may be being answered."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What goes with a person: all accounts, so many memories and recorded messages.

    The bot's answers count as messages.
    """

    accounts: frozenset[Scope]
    memories: int
    turns: int


@dataclass(slots=True)
class _Said:
    """The turns that go, and how later evidence may quote them."""

    seqs: set[int] = field(default_factory=set[int])
    quotes: set[str] = field(default_factory=set[str])
    faded: set[str] = field(default_factory=set[str])
    """Episodes of turns whose own text is gone already."""

    def add(self, turn: Turn) -> None:
        self.seqs.add(turn.seq)
        if turn.text:
            self.quotes.add(quotation(turn.text))
        else:
            self.faded.add(turn.episode)

    @property
    def older(self) -> frozenset[int]:
        """Turns that nobody is answering any more."""
        return frozenset(sorted(self.seqs)[:-RECENT])

    def quoted_by(self, memory: Memory) -> bool:
        return self.without_quotes(memory) != memory

    def without_quotes(self, memory: Memory) -> Memory:
        if memory.kind is not Kind.EVIDENCE:
            return memory
        # An empty quotation may have been any.
        return without_quotes(memory, {""} if memory.origin.episode in self.faded else self.quotes)


@dataclass(slots=True)
class _Plan:
    """All that is to be done for one person, read before anything is deleted."""

    accounts: frozenset[Scope]
    erasure: Erasure
    said: _Said
    memories: dict[str, float] = field(default_factory=dict[str, float])
    """When each of those that go was created: id -> Unix seconds."""
    quoting: set[str] = field(default_factory=set[str])
    corrected_by: dict[str, str] = field(default_factory=dict[str, str])
    """Memories of others that hold the text of a correction: id -> the correcting one."""

    @property
    def extent(self) -> Extent:
        return Extent(self.accounts, len(self.memories), len(self.said.seqs))

    def add(self, memory: Memory, scope: Scope) -> None:
        if self._takes(memory, scope):
            self.memories[memory.id] = memory.created_at
            return
        if self.said.quoted_by(memory):
            self.quoting.add(memory.id)
        if memory.successor is not None and memory.feedback.correction is not None:
            self.corrected_by[memory.id] = memory.successor.memory

    def kept(self) -> list[str]:
        """Memories of others in which something of the person is left."""
        corrected = {old for old, newer in self.corrected_by.items() if newer in self.memories}
        return sorted(self.quoting | corrected)

    def in_order(self) -> list[str]:
        """The memories that go, oldest first: what is near in time is near in a file."""
        return sorted(self.memories, key=lambda id: (self.memories[id], id))

    def cleared(self, memory: Memory) -> Memory:
        return without_correction(self.said.without_quotes(memory), self.memories.keys())

    def _takes(self, memory: Memory, scope: Scope) -> bool:
        if scope.kind is ScopeKind.PRIVATE or not self.said.seqs.isdisjoint(memory.origin.turns):
            return True
        speaker = memory.speaker
        return speaker is not None and (scope.platform, speaker.id) in self.erasure.speakers


class Eraser:
    """Deletes what is kept of a person. `answers` is held while turns are deleted.

    `at_rest` waits until no recall that has read memories is still to be recorded.
    """

    def __init__(
        self,
        store: MemoryStore,
        journal: Journal,
        consents: Consents,
        worker: Worker,
        at_rest: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._journal = journal
        self._consents = consents
        self._worker = worker
        self._at_rest = at_rest
        self._granting = asyncio.Lock()
        self.answers = asyncio.Lock()

    async def extent(self, person: Scope) -> Extent:
        """What `erase` would take now."""
        return (await self._plan(person)).extent

    async def erase(self, person: Scope) -> Extent:
        """Delete the private memories and messages of the person's accounts under every persona.

        And what these accounts said in groups, the memories that rest on it, and what the
        memories of others quote of it. Choices go back to their defaults, but who has paused
        stays so. Background work stands still meanwhile.
        """
        async with self._granting:
            await self._wish(person)
            return await self._grant(person)

    async def finish(self) -> None:
        """Grant the wishes that were cut short, unless one is being granted."""
        if self._granting.locked():
            return
        async with self._granting:
            for owner in await self._wishes():
                await self._grant(Scope.parse(owner))

    async def _grant(self, person: Scope) -> Extent:
        async with self._worker.halted():
            await self._at_rest()
            unsharing = Unsharing(self._store, self._journal)
            await unsharing.purge(await self._consents.owners(person))
            plan = await self._plan(person)
            # While the store still tells which memories they are: it is not asked again.
            await self._journal.erase(Erasure(memories=frozenset(plan.memories)))
            for ids in batched(plan.kept(), AT_ONCE):
                await self._store.amend(ids, plan.cleared)
            for ids in batched(plan.in_order(), AT_ONCE):
                await self._store.purge(ids)
            if plan.said.older:
                await self._journal.erase(Erasure(turns=plan.said.older))
            async with self.answers:
                await self._journal.erase(plan.erasure)
            await self._store.wiped()
            await self._journal.wiped()
        await self._remember(plan.accounts)
        await self._consents.change(person, lambda choice: Consent(paused=choice.paused))
        await self._note([owner for owner in await self._wishes() if owner != person.owner])
        return plan.extent

    async def _plan(self, person: Scope) -> _Plan:
        accounts = await self._consents.accounts(replace(person, persona=ANY_PERSONA))
        private, shared = await self._reach(accounts)
        erasure = Erasure(
            scopes=frozenset(private),
            speakers=frozenset((one.platform, one.subject) for one in accounts if one.subject),
        )
        plan = _Plan(accounts, erasure, _Said())
        async for turn in self._journal.erasable(erasure):
            plan.said.add(turn)
        scopes = {**private, **shared}
        where = Filter(scopes=frozenset(scopes), status=None)
        async for memory in self._store.iterate(where):
            plan.add(memory, scopes[memory.scope])
        return plan

    async def _reach(
        self, accounts: frozenset[Scope]
    ) -> tuple[Mapping[str, Scope], Mapping[str, Scope]]:
        """The person's private scopes, and what is common on the same platforms, by key."""
        keys = {*await self._store.scopes(), *await self._journal.scopes()}
        scopes = {key: Scope.parse(key) for key in keys}
        owners = {one.owner for one in accounts}
        platforms = {one.platform for one in accounts}
        private = {key: scope for key, scope in scopes.items() if scope.owner in owners}
        common = {
            key: scope
            for key, scope in scopes.items()
            if scope.kind is not ScopeKind.PRIVATE and scope.platform in platforms
        }
        return private, common

    async def _remember(self, accounts: frozenset[Scope]) -> None:
        now = self._worker.clock.now()
        erased = await _erased(self._journal) | {one.owner: now for one in accounts}
        await self._journal.set_note(ERASED, json.dumps(erased))

    async def _wish(self, person: Scope) -> None:
        wishes = await self._wishes()
        if person.owner not in wishes:
            await self._note([*wishes, person.owner])

    async def _wishes(self) -> list[str]:
        return json.loads(await self._journal.note(WISHES) or "[]")

    async def _note(self, owners: list[str]) -> None:
        await self._journal.set_note(WISHES, json.dumps(owners))


async def wish_again(journal: Journal, *, since: Journal, after: float) -> None:
    """Have erased from an older journal, and its memories, who was erased `after` its time.

    `since` is the journal that knows; what it knows is known to both from now on.
    """
    erased = await _erased(since)
    owners = {owner for owner, at in erased.items() if at >= after}
    wishes = json.loads(await journal.note(WISHES) or "[]")
    await journal.set_note(WISHES, json.dumps(sorted({*wishes, *owners})))
    await journal.set_note(ERASED, json.dumps(await _erased(journal) | erased))


async def forget_erased(journal: Journal, before: float) -> None:
    """Drop the record of erasures that no backup is older than."""
    erased = await _erased(journal)
    kept = {owner: at for owner, at in erased.items() if at >= before}
    if kept != erased:
        await journal.set_note(ERASED, json.dumps(kept))


async def _erased(journal: Journal) -> dict[str, float]:
    return json.loads(await journal.note(ERASED) or "{}")
