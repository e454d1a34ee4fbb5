"""One pass of any policy over one scope, page by page. Async."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ..memory import Memory, Status
from ..ports import Amendment, AuditEntry, Change, DecayCount, Filter, Journal, MemoryStore
from .lifecycle import DAY, RETENTION, BinPolicy, archived, to_bin
from .policy import Action, Archive, Fold, ForgettingPolicy, Keep, Numbers, ToBin
from .population import Population, joined
from .summary import LEAST_GROUP, MOST_GROUP, Summarise, folded, topic
from .tiered import Tiered

DECAYED = "decayed"
"""The reason of what TMD lets go."""

POLICY = "policy "
"""Begins the reason of what another policy lets go; its name follows."""

SUMMARISED = "summarised"
"""The reason of what has become part of a summary."""

PAGE = 100


@dataclass(frozen=True, slots=True)
class Pass:
    """A policy at one time over one scope. Done again, it changes nothing."""

    store: MemoryStore
    journal: Journal
    bin_policy: BinPolicy
    summarise: Summarise
    policy: ForgettingPolicy
    now: float

    async def over(self, scope: str) -> DecayCount:
        """Apply the policy to every memory of the scope that it may touch."""
        fitted = replace(self, policy=await fitted_to(self.policy, self.store, scope, self.now))
        count, folds = DecayCount(0, 0), Folds()
        async for page in fitted.pages(scope):
            count += await fitted._page(page, folds)
        return count + await fitted._fold(folds)

    async def pages(self, scope: str) -> AsyncIterator[Sequence[Memory]]:
        """Live memories of the scope, then those that a policy has archived, if this one does."""
        async for page in paged(self.store, Filter(scopes=frozenset({scope}))):
            yield page
        if self.policy.archives:
            shelf = Filter(scopes=frozenset({scope}), status=Status.ARCHIVED)
            async for page in paged(self.store, shelf):
                yield [memory for memory in page if memory.standing.reason.startswith(POLICY)]

    async def _page(self, page: Sequence[Memory], folds: "Folds") -> DecayCount:
        population = Population.of(page)
        fates = self.policy.fates(population, now=self.now)
        changed = (
            (fates.action != Action.KEEP)
            | (fates.strength != population.strength)
            | (fates.useful_score != population.useful_score)
            | (fates.last_decay_at != population.last_decay_at)
        )
        folding = fates.action >= Action.FOLD
        folds.add([memory for memory, flag in zip(page, folding, strict=True) if flag])
        ids = [m.id for m, flag in zip(page, changed & ~folding, strict=True) if flag]
        return await self._apply(ids, self._settled, {})

    async def _fold(self, folds: "Folds") -> DecayCount:
        count = DecayCount(0, 0)
        for group in folds.groups():
            if len(group) >= LEAST_GROUP:
                count += await self._summarised(group)
                continue
            # Too few for a summary: what the policy does with one alone.
            ids = [memory.id for memory in group]
            count += await self._apply(ids, self._settled, {})
        return count

    async def _summarised(self, group: Sequence[Memory]) -> DecayCount:
        summary = folded(group, self.summarise, journal=self.journal.id, now=self.now)
        await self.store.put([summary])
        reason = f"{SUMMARISED} {summary.id}"

        def change(memory: Memory) -> Memory:
            return to_bin(memory, now=self.now, reason=reason, policy=self.bin_policy)

        count = await self._apply([memory.id for memory in group], change, {"of": len(group)})
        return replace(count, summarised=count.binned)

    def _settled(self, memory: Memory) -> Memory:
        """The memory after its fate; one that would be folded is alone here."""
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

    async def _apply(self, ids: Sequence[str], change: Change, numbers: Numbers) -> DecayCount:
        amendments = await self.store.amend(ids, change) if ids else []
        moved = [a for a in amendments if a.before.standing != a.after.standing]
        await self.journal.audit([self._entry(amendment, numbers) for amendment in moved])
        binned = sum(a.after.standing.status is Status.BINNED for a in moved)
        return DecayCount(len(amendments) - len(moved), binned, len(moved) - binned)

    def _entry(self, amendment: Amendment, numbers: Numbers) -> AuditEntry:
        fate = self.policy.fate(amendment.before, now=self.now)
        why = numbers if isinstance(fate, Keep) else {**numbers, **fate.numbers}
        return moved_entry(amendment.after, self.now, by=self.policy.name, numbers=why)


@dataclass(frozen=True, slots=True)
class Folds:
    """Memories that are to be folded, by topic."""

    by_topic: defaultdict[str, list[Memory]] = field(
        default_factory=lambda: defaultdict[str, list[Memory]](list)
    )

    def add(self, memories: Sequence[Memory]) -> None:
        """File them under their topics."""
        for memory in memories:
            self.by_topic[topic(memory)].append(memory)

    def groups(self) -> list[list[Memory]]:
        """Of each topic at most `MOST_GROUP` at a time; what has no topic is alone."""
        alone = [[memory] for memory in self.by_topic.pop("", [])]
        return alone + [
            memories[start : start + MOST_GROUP]
            for _, memories in sorted(self.by_topic.items())
            for start in range(0, len(memories), MOST_GROUP)
        ]


async def fitted_to(
    policy: ForgettingPolicy, store: MemoryStore, scope: str, now: float
) -> ForgettingPolicy:
    """The policy for a scope as it is now; read through only if the policy asks for it."""
    if not policy.looks_around:
        return policy
    where = Filter(scopes=frozenset({scope}))
    parts = [Population.of(page) async for page in paged(store, where)]
    return policy.fitted(joined(parts), now=now) if parts else policy


async def paged(store: MemoryStore, where: Filter) -> AsyncIterator[list[Memory]]:
    """Every match once, `PAGE` at a time; others have their turn in between."""
    page: list[Memory] = []
    async for memory in store.iterate(where, page=PAGE):
        page.append(memory)
        if len(page) == PAGE:
            yield page
            page = []
            await asyncio.sleep(0)
    if page:
        yield page


def moved_entry(
    memory: Memory, now: float, *, by: str, numbers: Numbers | None = None
) -> AuditEntry:
    """What the audit log keeps of a memory that a policy has binned or archived."""
    action = "archived" if memory.standing.status is Status.ARCHIVED else "binned"
    age = (now - memory.created_at) / DAY
    detail = {"useful_score": memory.vitality.useful_score, "age_days": age, **(numbers or {})}
    return AuditEntry(
        key=f"{action}:{now!r}:{memory.id}",
        memory=memory.id,
        scope=memory.scope,
        action=action,
        by=RETENTION if memory.standing.reason == RETENTION else by,
        at=now,
        detail=json.dumps({"reason": memory.standing.reason, **detail}),
    )
