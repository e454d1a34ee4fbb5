"""Applying the forgetting policies: page by page over a scope, or over the whole store. Async."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
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
    MemoryStore,
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
        count, folds = DecayCount(0, 0), list[Ruling]()
        async for page in fitted.pages(scope):
            await fitted._note_archived(page)
            rulings = fitted._rulings(page)
            folds += [ruling for ruling in rulings if isinstance(ruling.fate, Fold)]
            alone = [ruling for ruling in rulings if not isinstance(ruling.fate, Fold)]
            count += await fitted._settle(alone)
        for group in _by_topic(folds):
            # Too few for a summary: what the policy does with one alone.
            fold = fitted._settle if len(group) < LEAST_GROUP else fitted._summarised
            count += await fold(group)
        return count

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
        alike = [a for a in amendments if a.before.standing == a.after.standing]
        # Time alone takes of what was found useful only where it takes a tier.
        scores = [(a.before.vitality.useful_score, a.after.vitality.useful_score) for a in alike]
        demoted = sum(after < before for before, after in scores)
        weakened = len(amendments) - len(moved) - demoted
        return DecayCount(weakened, binned, len(moved) - binned, demoted=demoted)

    def _entry(self, amendment: Amendment, ruling: Ruling, numbers: Numbers) -> AuditEntry:
        fate = self._fate(ruling, amendment.before)
        why = numbers if isinstance(fate, Keep) else {**numbers, **fate.numbers}
        return moved_entry(amendment.after, self.now, by=self.policy.name, numbers=why)


def _by_topic(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    """Memories that are to be folded, at most `MOST_GROUP` of a topic together; others alone.

    In a group each person's are apart: a summary goes with whoever is erased, and what others said
    must not go along.
    """
    groups, alone = defaultdict[tuple[str, str], list[Ruling]](list), list[list[Ruling]]()
    for ruling in rulings:
        if name := topic(ruling.memory):
            groups[name, _teller(ruling.memory)].append(ruling)
        else:
            alone.append([ruling])
    return alone + [
        together[start : start + MOST_GROUP]
        for _, together in sorted(groups.items())
        for start in range(0, len(together), MOST_GROUP)
    ]


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
        self, now: float, scopes: frozenset[str] | None = None, tell: Tell | None = None
    ) -> DecayCount:
        """Let go of what the policy lets go of at `now`, in these scopes (None: in all).

        Without scopes each memory that was binned at `now`, whatever the reason, is noted in the
        audit log; with them, whoever asks does that by `note_binned`.
        """
        policy, count = self.policy, DecayCount(0, 0)
        if policy.plan is not None:
            count = await self.store.decay(now, policy.plan, self.bin_policy, scopes)
        else:
            one = PolicyPass(self.store, self.journal, self.bin_policy, policy, now, tell)
            for scope in sorted(await self.store.scopes() if scopes is None else scopes):
                count += await one.over(scope)
        if scopes is None:
            # Also what an earlier pass binned at `now`, and died before it could note it.
            after = ""
            while page := await self.store.binned_at(now, after=after):
                await self.note_binned(page, now)
                after = page[-1].id
            await self.journal.set_note(LAST_SWEEP, repr(now))
        return count

    async def note_binned(self, moved: Sequence[Memory], now: float) -> None:
        """Note in the audit log that these were binned at `now`."""
        entries = [moved_entry(memory, now, by=self.policy.name) for memory in moved]
        await self.journal.audit(entries)
