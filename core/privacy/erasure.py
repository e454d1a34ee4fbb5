"""Forgetting a person for good: every memory and every recorded message, wherever it lies.

What goes is fixed as the person confirms: what was said up to that moment. It is entered in the
journal's ledger and queued before anything is deleted; cut short or refused by a disk at any
point, it is done later like other work, up to the same moment, and doing it twice changes nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import batched
from typing import Any

from ..model.conversation import ANY_PERSONA, Scope, ScopeKind
from ..model.errors import StorageError, TidemarkError
from ..ports import Erasure, Filter, Journal, MemoryRecords, Work, WorkKind
from ..queue.worker import Worker, backoff
from ..records.threads import release
from .consents import Consents
from .erased_accounts import accounts_of, erased_of, parsed, recorded_accounts
from .erasure_plan import ErasedTurns, ErasurePlan, Extent
from .unsharing import Unsharing

AT_ONCE = 500


class ErasureDelayed(TidemarkError):
    """What was confirmed could not be deleted now; it will be later, as far as was confirmed."""


class Eraser:
    """Deletes what is kept of a person. `answers` is held while turns are deleted.

    `at_rest` waits until no recall that has read memories is still to be recorded. `forgotten` is
    told whose data is gone: to be dropped from what is in memory.
    """

    def __init__(
        self,
        store: MemoryRecords,
        journal: Journal,
        consents: Consents,
        worker: Worker,
        at_rest: Callable[[], Awaitable[None]],
        forgotten: Callable[[frozenset[Scope]], Awaitable[None]],
    ) -> None:
        self._store = store
        self._journal = journal
        self._consents = consents
        self._worker = worker
        self._at_rest = at_rest
        self._forgotten = forgotten
        self._granting = asyncio.Lock()
        self._done: tuple[int, Extent] | None = None
        """The work that was done last, and what it took."""
        self.answers = asyncio.Lock()

    async def extent(self, person: Scope) -> Extent:
        """What `erase` would take now."""
        owner = replace(person, persona=ANY_PERSONA)
        return (await self._plan(await self._consents.accounts(owner), {})).extent

    async def erase(self, person: Scope) -> Extent:
        """Delete the private memories and messages of the person's accounts under every persona.

        And what these accounts said in groups, the memories that rest on it, and what the memories
        of others quote of it. Choices go back to their defaults, except that a pause stays in
        force. Background work is halted meanwhile.

        Raises StorageError if nothing will be deleted, and ErasureDelayed if it will be later.
        """
        work = await self._consents.forget(replace(person, persona=ANY_PERSONA))
        async with self._granting, self._worker.halted():
            try:
                return await self._do(work)
            except (TidemarkError, OSError, ValueError, RuntimeError) as error:
                text = f"{type(error).__name__}: {error}"[:500]
                until = self._worker.clock.now() + backoff(1)
                # While the worker is halted, which would try again at once.
                with suppress(StorageError):
                    await self._journal.postpone(work.id, until=until, error=text)
                raise ErasureDelayed(text) from error

    async def withdraw(self, turns: Collection[int]) -> None:
        """Have turns deleted that no longer exist where they were said, with their answers.

        And what was learnt from them alone; in the background.
        """
        await withdraw(self._journal, turns)
        self._worker.wake()

    async def work(self, work: Work) -> None:
        """Do an erasure that was confirmed, or one that a restored journal did not know of."""
        async with self._granting, self._worker.halted():
            await self._do(work)

    async def _do(self, work: Work) -> Extent:
        # The worker may have done it before the caller looks.
        if self._done is not None and self._done[0] == work.id:
            return self._done[1]
        await self._at_rest()
        if "turns" in work.payload:
            plan = await self._withdrawal(frozenset(map(int, work.payload["turns"])))
            return await self._finish(work, plan)
        accounts = await self._accounts(work.payload)
        await Unsharing(self._store, self._journal).purge(frozenset(a.owner for a in accounts))
        return await self._finish(work, await self._plan(accounts, work.payload))

    async def _finish(self, work: Work, plan: ErasurePlan) -> Extent:
        await self._delete(plan)
        if "after" in work.payload:
            await self._consents.reset(plan.accounts)
        await self._forgotten(plan.accounts)
        await self._journal.finish(work.id)
        # The work named them.
        await self._journal.wiped()
        self._done = work.id, plan.extent
        return plan.extent

    async def _withdrawal(self, turns: frozenset[int]) -> ErasurePlan:
        plan = ErasurePlan(frozenset(), Erasure(turns=turns), ErasedTurns())
        scopes: set[str] = set()
        async for turn in self._journal.erasable(plan.erasure):
            plan.said.add(turn)
            scopes.add(turn.place.scope)
        if scopes:
            async for memory in self._store.iterate(Filter(scopes=frozenset(scopes), status=None)):
                plan.add(memory, Scope.parse(memory.scope))
        return plan

    async def _delete(self, plan: ErasurePlan) -> None:
        # While the store still tells which memories they are: it is not asked again.
        # What was noted of revelations stands under the owners.
        owners = {one.owner for one in plan.accounts}
        noted = plan.memories.keys() | plan.told | owners
        await self._journal.erase(Erasure(memories=frozenset(noted)))
        for ids in batched(plan.kept(), AT_ONCE):
            await self._store.amend(ids, plan.cleared)
        await release(self._store, self._journal, None, plan.memories)
        for ids in batched(plan.in_order(), AT_ONCE):
            await self._store.purge(ids)
        if plan.said.older:
            await self._journal.erase(Erasure(turns=plan.said.older))
        async with self.answers:
            await self._journal.erase(plan.erasure)
        await self._store.wiped()

    async def _accounts(self, payload: Mapping[str, Any]) -> frozenset[Scope]:
        """Whom the work is about: named, or found by their digests in what was put back."""
        if "owners" in payload:
            return frozenset(Scope.parse(owner) for owner in payload["owners"])
        found = await recorded_accounts(self._journal)
        async for memory in self._store.iterate(Filter(status=None)):
            found |= accounts_of(memory)
        return erased_of(found, await self._journal.ledger(), int(payload["after"]))

    async def _plan(self, accounts: frozenset[Scope], payload: Mapping[str, Any]) -> ErasurePlan:
        private, shared = await self._reach(accounts)
        until = payload.get("until")
        erasure = Erasure(
            scopes=frozenset(private),
            speakers=frozenset((one.platform, one.subject) for one in accounts if one.subject),
            until=None if until is None else int(until),
            noted=int(payload["noted"]) if "noted" in payload else None,
        )
        plan = ErasurePlan(accounts, erasure, ErasedTurns())
        if payload:
            plan.noted = await self._journal.noted_since(int(payload["noted"]))
        async for turn in self._journal.erasable(erasure):
            plan.said.add(turn)
        scopes = {**private, **shared}
        where = Filter(scopes=frozenset(scopes), status=None)
        async for memory in self._store.iterate(where):
            plan.add(memory, scopes[memory.scope])
        later_turns = {seq for m in plan.perhaps_later.values() for seq in m.origin.turns}
        recorded = self._journal.erasable(Erasure(turns=frozenset(later_turns)))
        plan.settle({turn.seq async for turn in recorded})
        for record in await self._store.unreadable():
            if (scope := parsed(record.scope)) is not None:
                plan.add_unreadable(record, scope, self._journal.id)
        return plan

    async def _reach(
        self, accounts: frozenset[Scope]
    ) -> tuple[Mapping[str, Scope], Mapping[str, Scope]]:
        """The person's private scopes, and what is common on the same platforms, by key."""
        keys = {*await self._store.scopes(), *await self._journal.scopes()}
        scopes = {key: scope for key in keys if (scope := parsed(key)) is not None}
        owners = {one.owner for one in accounts}
        platforms = {one.platform for one in accounts}
        private = {key: scope for key, scope in scopes.items() if scope.owner in owners}
        common = {
            key: scope
            for key, scope in scopes.items()
            if scope.kind is not ScopeKind.PRIVATE and scope.platform in platforms
        }
        return private, common


async def withdraw(journal: Journal, turns: Collection[int]) -> None:
    """Note in the queue that these turns are to be deleted, with what rests on them alone."""
    key = f"withdraw:{','.join(map(str, sorted(turns)))}"
    await journal.enqueue(WorkKind.ERASE, key, {"turns": sorted(turns)})
