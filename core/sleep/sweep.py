"""Applying the forgetting policies: page by page over a scope, or over the whole store. Async."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from ..forgetting.lifecycle import DAY, RETENTION, BinPolicy, archived, to_bin
from ..forgetting.policy import Archive, Fold, ForgettingPolicy, Keep, Numbers, ToBin
from ..forgetting.population import Population, joined
from ..forgetting.summary import (
    LEAST_GROUP,
    Summarise,
    SummaryLine,
    by_topic,
    extract,
    folded,
    told_in,
)
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import DECAYED
from ..model.memory import Memory, Status
from ..ports import (
    Amendment,
    AuditEntry,
    Change,
    DecayCount,
    Filter,
    Journal,
    MemoryReader,
    MemoryRecords,
    MemoryStore,
)

POLICY = "policy "
"""Begins the reason of what another policy lets go; its name follows."""

SUMMARISED = "summarised"
"""The reason of what has become part of a summary."""


type Tell = Callable[[Sequence[str]], Awaitable[Sequence[SummaryLine]]]
"""Has a model summarise texts; nothing where it cannot be asked, or is not borne out by them."""


@dataclass(frozen=True, slots=True)
class PolicyPass:
    """A policy at one time over one scope. Done again, it changes nothing."""

    store: MemoryRecords
    journal: Journal
    bin_policy: BinPolicy
    policy: ForgettingPolicy
    now: float
    tell: Tell | None = None

    async def over(self, scope: str) -> DecayCount:
        """Apply the policy to every memory of the scope that it may touch."""
        count, folds = DecayCount(0, 0), list[Memory]()
        async for page in self._pages(scope):
            fates = zip(page, self.policy.each(page, now=self.now), strict=True)
            touched = [each for each in fates if each[1] != Keep(each[0].vitality)]
            folds += [memory for memory, fate in touched if isinstance(fate, Fold)]
            count += await self._settle([m for m, fate in touched if not isinstance(fate, Fold)])
        for group in by_topic(folds):
            # Too few for a summary: what the policy does with one alone.
            fold = self._settle if len(group) < LEAST_GROUP else self._summarised
            count += await fold(group)
        return count

    async def _pages(self, scope: str) -> AsyncIterator[Sequence[Memory]]:
        """Live memories of the scope, then those that a policy has archived, if this one does."""
        async for page in self.store.pages(Filter(scopes=frozenset({scope}))):
            yield page
        if self.policy.archives:
            in_archive = Filter(scopes=frozenset({scope}), status=Status.ARCHIVED)
            async for page in self.store.pages(in_archive):
                yield [memory for memory in page if memory.standing.reason.startswith(POLICY)]

    async def _summarised(self, sources: Sequence[Memory]) -> DecayCount:
        lines = await self.tell([text for text, _ in told_in(sources)]) if self.tell else ()
        # Words are counted in all of them: too long for the event loop.
        by: Summarise = (lambda _: lines) if lines else extract
        summary = await asyncio.to_thread(
            folded, sources, by, journal=self.journal.id, now=self.now
        )
        await self.store.put([summary])
        reason = f"{SUMMARISED} {summary.id}"

        def change(memory: Memory) -> Memory:
            return to_bin(memory, now=self.now, reason=reason, policy=self.bin_policy)

        count = await self._apply(sources, change, {"of": len(sources)})
        return replace(count, summarised=count.binned)

    async def _settle(self, memories: Sequence[Memory]) -> DecayCount:
        return await self._apply(memories, self._settled, {})

    def _settled(self, memory: Memory) -> Memory:
        """The memory, as it may have become meanwhile, after its fate; of a fold it is alone."""
        if memory.standing.status is Status.BINNED:
            return memory
        fate = self.policy.fate(memory, now=self.now)
        changed = replace(memory, vitality=fate.vitality)
        match fate:
            case Keep() | Fold(else_bin=False):
                return changed
            case Archive():
                return archived(changed, now=self.now, reason=self._reason)
            case ToBin() | Fold():
                return to_bin(changed, now=self.now, reason=self._reason, policy=self.bin_policy)
            case _:
                assert_never(fate)

    @property
    def _reason(self) -> str:
        return DECAYED if isinstance(self.policy, Tiered) else f"{POLICY}{self.policy.name}"

    async def _apply(
        self, memories: Sequence[Memory], change: Change, numbers: Numbers
    ) -> DecayCount:
        ids = [memory.id for memory in memories]
        amendments = await self.store.amend(ids, change) if ids else []
        moved = [a for a in amendments if a.before.standing != a.after.standing]
        await self.journal.audit([self._entry(each, numbers) for each in moved])
        binned = sum(a.after.standing.status is Status.BINNED for a in moved)
        alike = [a for a in amendments if a.before.standing == a.after.standing]
        # Time alone takes of what was found useful only where it takes a tier.
        scores = [(a.before.vitality.useful_score, a.after.vitality.useful_score) for a in alike]
        demoted = sum(after < before for before, after in scores)
        weakened = len(amendments) - len(moved) - demoted
        return DecayCount(weakened, binned, len(moved) - binned, demoted=demoted)

    def _entry(self, amendment: Amendment, numbers: Numbers) -> AuditEntry:
        fate = self.policy.fate(amendment.before, now=self.now)
        why = numbers if isinstance(fate, Keep) else {**numbers, **fate.numbers}
        return moved_entry(amendment.after, self.now, by=self.policy.name, numbers=why)


async def fitted_to(
    policy: ForgettingPolicy, store: MemoryReader, scope: str, now: float
) -> ForgettingPolicy:
    """The policy for a scope as it is now; read through only if the policy asks for it."""
    if not policy.needs_other_memories:
        return policy
    where = Filter(scopes=frozenset({scope}))
    parts = [Population.of(page) async for page in store.pages(where)]
    return policy.fitted(joined(parts), now=now) if parts else policy


def moved_entry(
    memory: Memory, now: float, *, by: str, numbers: Numbers | None = None
) -> AuditEntry:
    """What the audit log keeps of a memory that a policy has binned or archived."""
    action = "archived" if memory.standing.status is Status.ARCHIVED else "binned"
    age = (now - memory.created_at) / DAY
    reason, score = memory.standing.reason, memory.vitality.useful_score
    detail = {"reason": reason, "useful_score": score, "age_days": age, **(numbers or {})}
    by = RETENTION if reason == RETENTION else by
    return AuditEntry.of(memory, f"{action}:{now!r}", action, by, now, **detail)


LAST_SWEEP = "last_sweep"


@dataclass(frozen=True, slots=True)
class Sweeper:
    """A policy over one store. Every pass may be repeated: it changes nothing twice."""

    store: MemoryStore
    journal: Journal
    policy: ForgettingPolicy
    bin_policy: BinPolicy

    async def decay(
        self, now: float, scopes: frozenset[str], tell: Tell | None = None
    ) -> DecayCount:
        """Let go of what the policy lets go of at `now`, in these scopes."""
        if self.policy.plan is not None:
            return await self.store.decay(now, self.policy.plan, self.bin_policy, scopes)
        count = DecayCount(0, 0)
        for scope in sorted(scopes):
            policy = await fitted_to(self.policy, self.store, scope, now)
            one = PolicyPass(self.store, self.journal, self.bin_policy, policy, now, tell)
            count += await one.over(scope)
        return count

    async def moved(self, scope: str, now: float) -> AsyncIterator[Sequence[Memory]]:
        """What left recall in the pass at `now`, also if it was cut short; each is noted."""
        for status in (Status.BINNED, Status.ARCHIVED):
            async for page in self.store.pages(Filter(frozenset({scope}), status=status)):
                moved = [memory for memory in page if memory.standing.since == now]
                entries = [moved_entry(memory, now, by=self.policy.name) for memory in moved]
                await self.journal.audit(entries)
                yield moved
