"""Forgetting a person for good: every memory and every recorded message, wherever it lies.

What goes is fixed as the person confirms: what was said up to that moment. It is entered in the
journal's ledger and queued before anything is deleted; cut short or refused by a disk at any
point, it is done later like other work, up to the same moment, and doing it twice changes nothing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import batched
from typing import Any

from ..forgetting.summary import without_parts
from ..model.conversation import ANY_PERSONA, Account, Scope, ScopeKind
from ..model.errors import StorageError, TidemarkError
from ..model.memory import Kind, Memory
from ..ports import Erasure, Filter, Journal, Ledger, MemoryRecords, Unreadable, Work, WorkKind
from ..queue.worker import Worker, backoff
from ..records.evidence import evidence_id, quotation, without_quotes
from ..records.learnt import is_quarantined, without_correction, without_successor
from ..records.threads import release
from .consents import Consents
from .unsharing import Unsharing

RECENT = 500
"""The newest of a person's turns, one of which may just be answered."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What goes with a person: all accounts, so many memories and recorded messages.

    The bot's answers count as messages.
    """

    accounts: frozenset[Scope]
    memories: int
    turns: int


@dataclass(slots=True)
class ErasurePlan:
    """All that is to be done for one person, or for turns that are withdrawn, read before anything
    is deleted. `seqs` are the turns that go, with how later evidence may quote them.
    """

    accounts: frozenset[Scope]
    erasure: Erasure
    noted: Set[str] = frozenset()
    """Memories that were written or imported later."""

    seqs: set[int] = field(default_factory=set[int])
    quotes: set[str] = field(default_factory=set[str])
    episodes: set[str] = field(default_factory=set[str])
    faded: set[str] = field(default_factory=set[str])
    """Episodes of turns whose own text is gone already."""

    memories: dict[str, float] = field(default_factory=dict[str, float])
    """When each of those that go was created: id -> Unix seconds."""

    quoting: set[str] = field(default_factory=set[str])
    told: set[str] = field(default_factory=set[str])
    """Summaries that lose lines."""

    perhaps_later: dict[str, Memory] = field(default_factory=dict[str, Memory])
    """Theirs, of turns that are later if they are of this journal."""

    corrected_by: dict[str, str] = field(default_factory=dict[str, str])
    """Memories that stay and hold the text of a correction, or are replaced: id -> by which."""

    async def read(self, journal: Journal) -> frozenset[str]:
        """Take the turns that go; the scopes in which they were said."""
        scopes = set[str]()
        async for turn in journal.erasable(self.erasure):
            scopes.add(turn.place.scope)
            self.seqs.add(turn.seq)
            self.episodes.add(turn.episode)
            if turn.text:
                self.quotes.add(quotation(turn.text))
            else:
                self.faded.add(turn.episode)
        return frozenset(scopes)

    @property
    def older(self) -> frozenset[int]:
        """Turns that nobody is answering any more."""
        return frozenset(sorted(self.seqs)[:-RECENT])

    @property
    def extent(self) -> Extent:
        """How much goes."""
        return Extent(self.accounts, len(self.memories), len(self.seqs))

    def add(self, memory: Memory, scope: Scope) -> None:
        """Decide on a memory: it goes, loses what is the person's, or is left alone."""
        left = self._without_said(memory)
        if left is not None and left != memory:
            # Of a summary of many the lines that rest on something else stay.
            self.told.add(memory.id)
            memory = left
        if self._rests_on_said(memory):
            self.memories[memory.id] = memory.created_at
        elif not self._is_theirs(memory, scope) or memory.id in self.noted:
            self._keep(memory)
        elif self.erasure.until is not None and _all_after(memory, self.erasure.until):
            self.perhaps_later[memory.id] = memory
        else:
            self.memories[memory.id] = memory.created_at

    def settle(self, recorded: Set[int]) -> None:
        """Of what is perhaps later, keep what rests on turns that are recorded."""
        for memory in self.perhaps_later.values():
            if recorded >= set(memory.origin.turns):
                self._keep(memory)
            else:
                self.memories[memory.id] = memory.created_at

    def add_unreadable(self, record: Unreadable, scope: Scope, journal: str) -> None:
        """Delete it too, unless it tells that it is somebody else's."""
        if scope.kind is ScopeKind.PRIVATE:
            theirs = scope.owner in {one.owner for one in self.accounts}
        else:
            evidence = {evidence_id(journal, seq) for seq in self.seqs}
            theirs = record.id in evidence or self._may_be_theirs(record, scope)
        if theirs:
            self.memories[record.id] = 0.0

    def kept(self) -> list[str]:
        """Memories of others in which something of the person is left."""
        corrected = {old for old, newer in self.corrected_by.items() if newer in self.memories}
        return sorted((self.quoting | self.told | corrected) - self.memories.keys())

    def in_order(self) -> list[str]:
        """The memories that go, oldest first: what is near in time is near in a file."""
        return sorted(self.memories, key=lambda id: (self.memories[id], id))

    def cleared(self, memory: Memory) -> Memory:
        """A memory of others without what is the person's in it."""
        memory = self._without_said(memory) or memory
        cleared = self._without_quotes(memory)
        if self.accounts:
            cleared = without_correction(cleared, self.memories.keys())
        else:
            cleared = without_successor(self._withdrawn(cleared), self.memories.keys())
        return cleared

    def _without_quotes(self, memory: Memory) -> Memory:
        if memory.kind is not Kind.EVIDENCE:
            return memory
        # The text behind an empty quotation can no longer be known: it may be theirs.
        return without_quotes(memory, {""} if memory.origin.episode in self.faded else self.quotes)

    def _without_said(self, memory: Memory) -> Memory | None:
        return without_parts(memory, lambda part: not self.seqs.isdisjoint(part.turns))

    def _rests_on_said(self, memory: Memory) -> bool:
        if is_quarantined(memory) and memory.origin.episode in self.episodes:
            # What it cites does not bear it out, so any turn of the episode may.
            return True
        turns = self.seqs.intersection(memory.origin.turns)
        return bool(turns) and (bool(self.accounts) or turns == set(memory.origin.turns))

    def _withdrawn(self, memory: Memory) -> Memory:
        """A memory that rests on other turns, too, without those that are withdrawn."""
        turns = tuple(seq for seq in memory.origin.turns if seq not in self.seqs)
        return replace(memory, origin=replace(memory.origin, turns=turns))

    def _keep(self, memory: Memory) -> None:
        if self._without_quotes(memory) != memory or not self.seqs.isdisjoint(memory.origin.turns):
            self.quoting.add(memory.id)
        held = memory.feedback.correction is not None or not self.accounts
        if memory.successor is not None and held:
            self.corrected_by[memory.id] = memory.successor.memory

    def _is_theirs(self, memory: Memory, scope: Scope) -> bool:
        if scope.kind is ScopeKind.PRIVATE:
            return bool(self.accounts)
        speaker = memory.speaker
        return speaker is not None and (scope.platform, speaker.id) in self.erasure.speakers

    def _may_be_theirs(self, record: Unreadable, scope: Scope) -> bool:
        if scope.platform not in {platform for platform, _ in self.erasure.speakers}:
            return False
        try:
            told = json.loads(record.raw["body"])
            speaker, turns = told["speaker"]["id"], told["origin"]["turns"]
            said = any(seq in self.seqs for seq in turns)
            said = said or not self.quotes.isdisjoint(told.get("cues", ()))
        except (ValueError, TypeError, LookupError, AttributeError):
            return True
        return said or (scope.platform, speaker) in self.erasure.speakers


def _all_after(memory: Memory, until: int) -> bool:
    return bool(memory.origin.turns) and min(memory.origin.turns) > until


async def recorded_accounts(journal: Journal) -> set[Account]:
    """Every account of which a journal may hold anything."""
    scopes = [parsed(key) for key in await journal.scopes()]
    private = {
        (scope.platform, scope.subject)
        for scope in scopes
        if scope is not None and scope.kind is ScopeKind.PRIVATE
    }
    return private | await journal.heard()


def accounts_of(memory: Memory) -> frozenset[Account]:
    """Whose memory it is, and who said it."""
    scope = parsed(memory.scope)
    if scope is None:
        return frozenset()
    owner = (scope.platform, scope.subject)
    said = None if memory.speaker is None else (scope.platform, memory.speaker.id)
    theirs = owner if scope.kind is ScopeKind.PRIVATE else None
    return frozenset(account for account in (theirs, said) if account is not None)


def erased_of(accounts: Iterable[Account], ledger: Ledger, after: int) -> frozenset[Scope]:
    """Those of the accounts that were erased after the erasure of this number."""
    return frozenset(
        Scope(ScopeKind.PRIVATE, platform, user)
        for platform, user in accounts
        if ledger.erased_since((platform, user), after)
    )


def parsed(key: str) -> Scope | None:
    """The scope of a key; None for a damaged one."""
    try:
        return Scope.parse(key)
    except ValueError:
        return None


AT_ONCE = 500


class ErasureDelayed(TidemarkError):
    """What was confirmed could not be deleted now; it will be later, as far as was confirmed."""


@dataclass(eq=False)
class Eraser:
    """Deletes what is kept of a person. `answers` is held while turns are deleted.

    `at_rest` waits until no recall that has read memories is still to be recorded. `forgotten` is
    told whose data is gone: to be dropped from what is in memory.
    """

    store: MemoryRecords
    journal: Journal
    consents: Consents
    worker: Worker
    at_rest: Callable[[], Awaitable[None]]
    forgotten: Callable[[frozenset[Scope]], Awaitable[None]]
    answers: asyncio.Lock = field(default_factory=asyncio.Lock)
    _granting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _done: tuple[int, Extent] | None = None
    """The work that was done last, and what it took."""

    async def extent(self, person: Scope) -> Extent:
        """What `erase` would take now."""
        owner = replace(person, persona=ANY_PERSONA)
        return (await self._plan(await self.consents.accounts(owner), {})).extent

    async def erase(self, person: Scope) -> Extent:
        """Delete the private memories and messages of the person's accounts under every persona.

        And what these accounts said in groups, the memories that rest on it, and what the memories
        of others quote of it. Choices go back to their defaults, except that a pause stays in
        force. Background work is halted meanwhile.

        Raises StorageError if nothing will be deleted, and ErasureDelayed if it will be later.
        """
        work = await self.consents.forget(replace(person, persona=ANY_PERSONA))
        async with self._granting, self.worker.halted():
            try:
                return await self._do(work)
            except (TidemarkError, OSError, ValueError, RuntimeError) as error:
                text = f"{type(error).__name__}: {error}"[:500]
                until = self.worker.clock.now() + backoff(1)
                # While the worker is halted, which would try again at once.
                with suppress(StorageError):
                    await self.journal.postpone(work.id, until=until, error=text)
                raise ErasureDelayed(text) from error

    async def withdraw(self, turns: Collection[int]) -> None:
        """Have turns deleted that no longer exist where they were said, with their answers.

        And what was learnt from them alone; in the background.
        """
        await withdraw(self.journal, turns)
        self.worker.wake()

    async def work(self, work: Work) -> None:
        """Do an erasure that was confirmed, or one that a restored journal did not know of."""
        async with self._granting, self.worker.halted():
            await self._do(work)

    async def _do(self, work: Work) -> Extent:
        # The worker may have done it before the caller looks.
        if self._done is not None and self._done[0] == work.id:
            return self._done[1]
        await self.at_rest()
        if "turns" in work.payload:
            plan = await self._withdrawal(frozenset(map(int, work.payload["turns"])))
            return await self._finish(work, plan)
        accounts = await self._accounts(work.payload)
        await Unsharing(self.store, self.journal).purge(frozenset(a.owner for a in accounts))
        return await self._finish(work, await self._plan(accounts, work.payload))

    async def _finish(self, work: Work, plan: ErasurePlan) -> Extent:
        await self._delete(plan)
        if "after" in work.payload:
            await self.consents.reset(plan.accounts)
        await self.forgotten(plan.accounts)
        await self.journal.finish(work.id)
        # The work named them.
        await self.journal.wiped()
        self._done = work.id, plan.extent
        return plan.extent

    async def _withdrawal(self, turns: frozenset[int]) -> ErasurePlan:
        plan = ErasurePlan(frozenset(), Erasure(turns=turns))
        if scopes := await plan.read(self.journal):
            async for memory in self.store.iterate(Filter(scopes=scopes, status=None)):
                plan.add(memory, Scope.parse(memory.scope))
        return plan

    async def _delete(self, plan: ErasurePlan) -> None:
        # While the store still tells which memories they are: it is not asked again.
        # What was noted of revelations stands under the owners.
        owners = {one.owner for one in plan.accounts}
        noted = plan.memories.keys() | plan.told | owners
        await self.journal.erase(Erasure(memories=frozenset(noted)))
        for ids in batched(plan.kept(), AT_ONCE):
            await self.store.amend(ids, plan.cleared)
        await release(self.store, self.journal, None, plan.memories)
        for ids in batched(plan.in_order(), AT_ONCE):
            await self.store.purge(ids)
        if plan.older:
            await self.journal.erase(Erasure(turns=plan.older))
        async with self.answers:
            await self.journal.erase(plan.erasure)
        await self.store.wiped()

    async def _accounts(self, payload: Mapping[str, Any]) -> frozenset[Scope]:
        """Whom the work is about: named, or found by their digests in what was put back."""
        if "owners" in payload:
            return frozenset(Scope.parse(owner) for owner in payload["owners"])
        found = await recorded_accounts(self.journal)
        async for memory in self.store.iterate(Filter(status=None)):
            found |= accounts_of(memory)
        return erased_of(found, await self.journal.ledger(), int(payload["after"]))

    async def _plan(self, accounts: frozenset[Scope], payload: Mapping[str, Any]) -> ErasurePlan:
        scopes = await self._reach(accounts)
        owners = {one.owner for one in accounts}
        private = frozenset(key for key, scope in scopes.items() if scope.owner in owners)
        until = payload.get("until")
        erasure = Erasure(
            scopes=private,
            speakers=frozenset((one.platform, one.subject) for one in accounts if one.subject),
            until=None if until is None else int(until),
            noted=int(payload["noted"]) if "noted" in payload else None,
        )
        plan = ErasurePlan(accounts, erasure)
        if payload:
            plan.noted = await self.journal.noted_since(int(payload["noted"]))
        await plan.read(self.journal)
        async for memory in self.store.iterate(Filter(scopes=frozenset(scopes), status=None)):
            plan.add(memory, scopes[memory.scope])
        later_turns = {seq for m in plan.perhaps_later.values() for seq in m.origin.turns}
        recorded = self.journal.erasable(Erasure(turns=frozenset(later_turns)))
        plan.settle({turn.seq async for turn in recorded})
        for record in await self.store.unreadable():
            if (scope := parsed(record.scope)) is not None:
                plan.add_unreadable(record, scope, self.journal.id)
        return plan

    async def _reach(self, accounts: frozenset[Scope]) -> Mapping[str, Scope]:
        """The person's private scopes, and what is common on the same platforms, by key."""
        keys = {*await self.store.scopes(), *await self.journal.scopes()}
        scopes = {key: scope for key in keys if (scope := parsed(key)) is not None}
        owners, platforms = {a.owner for a in accounts}, {a.platform for a in accounts}
        return {
            key: scope
            for key, scope in scopes.items()
            if scope.owner in owners
            or (scope.kind is not ScopeKind.PRIVATE and scope.platform in platforms)
        }


async def withdraw(journal: Journal, turns: Collection[int]) -> None:
    """Note in the queue that these turns are to be deleted, with what rests on them alone."""
    key = f"withdraw:{','.join(map(str, sorted(turns)))}"
    await journal.enqueue(WorkKind.ERASE, key, {"turns": sorted(turns)})
