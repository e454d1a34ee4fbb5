"""One pass of any policy over one scope, page by page. Async."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ..forgetting.lifecycle import DAY, RETENTION, BinPolicy, archived, to_bin
from ..forgetting.policy import Archive, Fate, Fold, ForgettingPolicy, Keep, Numbers, ToBin
from ..forgetting.population import joined
from ..forgetting.summary import (
    LEAST_GROUP,
    MOST_GROUP,
    Summarise,
    SummaryLine,
    extract,
    folded,
    told_in,
    topic,
)
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import DECAYED
from ..model.conversation import Scope, ScopeKind
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
)

POLICY = "policy "
"""Begins the reason of what another policy lets go; its name follows."""

SUMMARISED = "summarised"
"""The reason of what has become part of a summary."""

PAGE = 100

type Tell = Callable[[Sequence[str]], Awaitable[Sequence[SummaryLine]]]
"""Has a model summarise texts; nothing where it cannot be asked, or is not borne out by them."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a policy says of a memory as it was read."""

    memory: Memory
    fate: Fate


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
        fitted = replace(self, policy=await fitted_to(self.policy, self.store, scope, self.now))
        count, folds = DecayCount(0, 0), TopicGroups()
        async for page in fitted.pages(scope):
            await fitted._note_archived(page)
            rulings = fitted._rulings(page)
            folds.add([ruling for ruling in rulings if isinstance(ruling.fate, Fold)])
            alone = [ruling for ruling in rulings if not isinstance(ruling.fate, Fold)]
            count += await fitted._settle(alone)
        return count + await fitted._fold(folds)

    async def pages(self, scope: str) -> AsyncIterator[Sequence[Memory]]:
        """Live memories of the scope, then those that a policy has archived, if this one does."""
        async for page in paged(self.store, Filter(scopes=frozenset({scope}))):
            yield page
        if self.policy.archives:
            in_archive = Filter(scopes=frozenset({scope}), status=Status.ARCHIVED)
            async for page in paged(self.store, in_archive):
                yield [memory for memory in page if memory.standing.reason.startswith(POLICY)]

    async def _note_archived(self, page: Sequence[Memory]) -> None:
        """Note what this pass had archived before the process died, and could not note any more."""
        archived = [memory for memory in page if memory.standing.status is Status.ARCHIVED]
        moved = [memory for memory in archived if memory.standing.since == self.now]
        if moved:
            name = self.policy.name
            await self.journal.audit([moved_entry(m, self.now, by=name) for m in moved])

    def _rulings(self, page: Sequence[Memory]) -> list[Ruling]:
        """Of those on a page with which something happens."""
        fates = self.policy.each(page, now=self.now)
        rulings = [Ruling(memory, fate) for memory, fate in zip(page, fates, strict=True)]
        return [each for each in rulings if each.fate != Keep(each.memory.vitality)]

    async def _fold(self, folds: "TopicGroups") -> DecayCount:
        count = DecayCount(0, 0)
        for group in folds.groups():
            if len(group) >= LEAST_GROUP:
                count += await self._summarised(group)
                continue
            # Too few for a summary: what the policy does with one alone.
            count += await self._settle(group)
        return count

    async def _summarised(self, group: Sequence[Ruling]) -> DecayCount:
        sources = [ruling.memory for ruling in group]
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

        count = await self._apply(group, change, {"of": len(group)})
        return replace(count, summarised=count.binned)

    async def _settle(self, rulings: Sequence[Ruling]) -> DecayCount:
        by_id = {ruling.memory.id: ruling for ruling in rulings}

        def change(memory: Memory) -> Memory:
            return self._settled(memory, self._fate(by_id[memory.id], memory))

        return await self._apply(rulings, change, {})

    def _fate(self, ruling: Ruling, memory: Memory) -> Fate:
        """What becomes of a ruling's memory, which may have changed since it was read."""
        return ruling.fate if memory == ruling.memory else self.policy.fate(memory, now=self.now)

    def _settled(self, memory: Memory, fate: Fate) -> Memory:
        """The memory after its fate; one that would be folded is alone here."""
        if memory.standing.status is Status.BINNED:
            return memory
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
        self, rulings: Sequence[Ruling], change: Change, numbers: Numbers
    ) -> DecayCount:
        by_id = {ruling.memory.id: ruling for ruling in rulings}
        amendments = await self.store.amend(list(by_id), change) if by_id else []
        moved = [a for a in amendments if a.before.standing != a.after.standing]
        await self.journal.audit([self._entry(a, by_id[a.before.id], numbers) for a in moved])
        binned = sum(a.after.standing.status is Status.BINNED for a in moved)
        demoted = sum(_is_demoted(a) for a in amendments if a.before.standing == a.after.standing)
        weakened = len(amendments) - len(moved) - demoted
        return DecayCount(weakened, binned, len(moved) - binned, demoted=demoted)

    def _entry(self, amendment: Amendment, ruling: Ruling, numbers: Numbers) -> AuditEntry:
        fate = self._fate(ruling, amendment.before)
        why = numbers if isinstance(fate, Keep) else {**numbers, **fate.numbers}
        return moved_entry(amendment.after, self.now, by=self.policy.name, numbers=why)


@dataclass(frozen=True, slots=True)
class TopicGroups:
    """Memories that are to be folded, by topic, in a group each person's apart.

    A summary goes with whoever is erased; what others said must not go along.
    """

    by_topic: defaultdict[tuple[str, str], list[Ruling]] = field(
        default_factory=lambda: defaultdict[tuple[str, str], list[Ruling]](list)
    )

    def add(self, rulings: Sequence[Ruling]) -> None:
        """File them under their topics."""
        for ruling in rulings:
            self.by_topic[topic(ruling.memory), _teller(ruling.memory)].append(ruling)

    def groups(self) -> list[list[Ruling]]:
        """Of each topic at most `MOST_GROUP` at a time; what has no topic is alone."""
        without = [key for key in self.by_topic if not key[0]]
        alone = [[ruling] for key in without for ruling in self.by_topic.pop(key)]
        return alone + [
            rulings[start : start + MOST_GROUP]
            for _, rulings in sorted(self.by_topic.items())
            for start in range(0, len(rulings), MOST_GROUP)
        ]


def _is_demoted(amendment: Amendment) -> bool:
    """Time alone takes of what was found useful only where it takes a tier."""
    before, after = amendment.before.vitality, amendment.after.vitality
    return after.useful_score < before.useful_score


def _teller(memory: Memory) -> str:
    """Who in a group said it; "" in private, where all goes with the one person."""
    group = Scope.kind_of(memory.scope) is ScopeKind.GROUP
    return memory.speaker.id if group and memory.speaker is not None else ""


async def fitted_to(
    policy: ForgettingPolicy, store: MemoryReader, scope: str, now: float
) -> ForgettingPolicy:
    """The policy for a scope as it is now; read through only if the policy asks for it."""
    if not policy.needs_other_memories:
        return policy
    parts = [each.population async for each in store.columns(Filter(scopes=frozenset({scope})))]
    return policy.fitted(joined(parts), now=now) if parts else policy


async def paged(store: MemoryReader, where: Filter) -> AsyncIterator[list[Memory]]:
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
