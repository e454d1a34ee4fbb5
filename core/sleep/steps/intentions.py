"""Intentions: stale ones are archived, confirmed ideas become facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ...forgetting.lifecycle import HAND, UNDONE, BinPolicy, restored, to_bin
from ...model.knowledge import IntentionStatus
from ...model.memory import Memory, Status
from ...model.sleeping import BY_SLEEP, Decided, Decision, Deed, SleepCause, Undone
from ...ports import AuditEntry, Filter, Journal, MemoryRecords
from ...records.intentions import (
    OVER,
    STALE,
    fact_of,
    followed,
    has_graduated,
    is_long_over,
    is_stale,
    put_away,
    reopened,
    unfollowed,
)
from ...records.merging import created
from ..pipeline import FULL, StepRun
from ..sweep import moved_entry, paged

GRADUATED = "confirmed"


@dataclass(frozen=True, slots=True)
class IntentionStep:
    """Of one scope. Nothing is deleted: undone, each is as it was."""

    name: ClassVar[str] = "intentions"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords
    journal: Journal
    stale_days: float
    strength_of: Callable[[Memory], int]
    bin_policy: BinPolicy

    async def run(self, run: StepRun) -> None:
        """Go through the intentions of the scope, page by page."""
        if run.resumed:
            await self._note(run)
        every = frozenset(IntentionStatus)
        async for page in paged(self.store, Filter(frozenset({run.scope}), intentions=every)):
            await self._put_away(run, page)
            await self._make(run, page)
            await run.advance(page[-1].id)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """As it was before, if it is still there."""
        decision = decided.decision
        found = await self.store.find(decision.memories[:1])
        if not found:
            return Undone.GONE
        if decision.deed in (Deed.INTENTION_STALE, Deed.ARCHIVED):
            back = partial(self._back, since=decided.at, now=now)
            await self.store.amend(decision.memories, back)
            return Undone.DONE
        old, fresh = decision.memories
        gone = partial(to_bin, now=now, reason=HAND, policy=self.bin_policy)
        await self.store.amend([fresh], gone)
        await self.store.amend([old], partial(unfollowed, by=fresh))
        return Undone.DONE

    async def _note(self, run: StepRun) -> None:
        """What was done before a kill, which may have come before it was noted."""
        for decided in await run.decided():
            old, *made = decided.decision.memories
            fresh = [created(memory, by=BY_SLEEP) for memory in await self.store.find(made)]
            await self.journal.audit([*self._moved(await self.store.find([old]), run.at), *fresh])

    @staticmethod
    def _moved(memories: Sequence[Memory], at: float) -> list[AuditEntry]:
        """Entries of those that were put away at this time."""
        away = [m for m in memories if m.standing.status is Status.ARCHIVED]
        return [moved_entry(m, at, by=BY_SLEEP) for m in away if m.standing.since == at]

    async def _put_away(self, run: StepRun, page: Sequence[Memory]) -> None:
        decisions = [
            decision
            for memory in page
            if (decision := self._leaves(memory, run.at)) and decision.key not in run.refused
        ]
        await run.decide(*decisions)
        ids = [decision.memories[0] for decision in decisions]
        change = partial(put_away, at=run.at, days=self.stale_days)
        await self.store.amend(ids, change)
        await self.journal.audit(self._moved(await self.store.find(ids), run.at))

    async def _make(self, run: StepRun, page: Sequence[Memory]) -> None:
        """A fact of each confirmed idea."""
        for idea in filter(has_graduated, page):
            if (key := f"graduated:{idea.id}") in run.refused:
                continue
            fresh = fact_of(idea, self.journal.id, run.at, self.strength_of(idea))
            if not await self.store.find([fresh.id]):
                await run.decide(Decision(key, Deed.GRADUATED, (idea.id, fresh.id), GRADUATED))
                await self.store.put([fresh])
            await self.store.amend([idea.id], partial(followed, by=fresh.id))
            await self.journal.audit([created(fresh, by=BY_SLEEP)])

    def _leaves(self, memory: Memory, at: float) -> Decision | None:
        if is_stale(memory, at, self.stale_days):
            status = memory.intention.status if memory.intention else ""
            kept = {"status": str(status)}
            key = f"stale:{memory.id}:{at!r}"
            return Decision(key, Deed.INTENTION_STALE, (memory.id,), STALE, kept)
        if is_long_over(memory, at, self.stale_days):
            return Decision(f"over:{memory.id}", Deed.ARCHIVED, (memory.id,), OVER)
        return None

    def _back(self, memory: Memory, *, since: float, now: float) -> Memory:
        """Live again, and heard of now, so that the next sleep leaves it."""
        if memory.standing.since != since or memory.standing.status is not Status.ARCHIVED:
            return memory
        back = restored(memory, now=now, reason=UNDONE, strength=self.strength_of(memory))
        stale = memory.intention is not None and memory.intention.status is IntentionStatus.STALE
        return reopened(back, now) if stale else back
