"""Intentions: stale ones are archived, confirmed ideas become facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import ClassVar

from ...forgetting.lifecycle import DAY, HAND, UNDONE, BinPolicy, restored, to_bin
from ...forgetting.tmd import initial_strength
from ...model.knowledge import IntentionStatus
from ...model.memory import Memory, Status
from ...model.sleeping import BY_SLEEP, Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, Journal, MemoryRecords
from ...records.intentions import (
    OVER,
    STALE,
    fact_of,
    followed,
    has_graduated,
    heard_at,
    is_long_over,
    is_stale,
    put_away,
    reopened,
    unfollowed,
)
from ...records.merging import created
from ..pipeline import FULL, StepRun
from ..sweep import moved_entry

GRADUATED = "confirmed"


@dataclass(frozen=True, slots=True)
class IntentionStep:
    """Of one scope. Nothing is deleted: undone, each is as it was."""

    name: ClassVar[str] = "intentions"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords
    journal: Journal
    stale_days: float
    bin_policy: BinPolicy

    async def run(self, run: StepRun) -> None:
        """Go through the intentions of the scope, page by page."""
        every = frozenset(IntentionStatus)
        async for page in self.store.pages(Filter(frozenset({run.scope}), intentions=every)):
            await self._put_away(run, page)
            for idea in filter(has_graduated, page):
                await self._make_fact(run, idea)
        await self._note(run)

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

    async def _put_away(self, run: StepRun, page: Sequence[Memory]) -> None:
        going = list[Decision]()
        for memory in page:
            if decision := self._leaves(memory, run.at):
                going += [decision] if decision.key not in run.refused else []
            elif self._leaves(memory, inf):
                run.wait_for(heard_at(memory) + self.stale_days * DAY)
        await run.decide(*going)
        change = partial(put_away, at=run.at, days=self.stale_days)
        await self.store.amend([decision.memories[0] for decision in going], change)

    async def _make_fact(self, run: StepRun, idea: Memory) -> None:
        if (key := f"graduated:{idea.id}") in run.refused:
            return
        fresh = fact_of(idea, self.journal.id, run.at, initial_strength(idea.importance))
        if not await self.store.find([fresh.id]):
            await run.decide(Decision(key, Deed.GRADUATED, (idea.id, fresh.id), GRADUATED))
            await self.store.put([fresh])
        await self.store.amend([idea.id], partial(followed, by=fresh.id))

    async def _note(self, run: StepRun) -> None:
        """Audit all that the sleep has done, before a kill too."""
        for decided in await run.decided():
            old, *made = decided.decision.memories
            entries = [created(memory, by=BY_SLEEP) for memory in await self.store.find(made)]
            for memory in await self.store.find([old]):
                standing = memory.standing
                if standing.status is Status.ARCHIVED and standing.since == run.at:
                    entries.append(moved_entry(memory, run.at, by=BY_SLEEP))
            await self.journal.audit(entries)

    def _leaves(self, memory: Memory, at: float) -> Decision | None:
        if is_stale(memory, at, self.stale_days):
            key = f"stale:{memory.id}:{at!r}"
            return Decision(key, Deed.INTENTION_STALE, (memory.id,), STALE)
        if is_long_over(memory, at, self.stale_days):
            return Decision(f"over:{memory.id}", Deed.ARCHIVED, (memory.id,), OVER)
        return None

    def _back(self, memory: Memory, *, since: float, now: float) -> Memory:
        """Live again, and heard of now, so that the next sleep leaves it."""
        if memory.standing.since != since or memory.standing.status is not Status.ARCHIVED:
            return memory
        strength = initial_strength(memory.importance)
        back = restored(memory, now=now, reason=UNDONE, strength=strength)
        stale = memory.intention is not None and memory.intention.status is IntentionStatus.STALE
        return reopened(back, now) if stale else back
