"""Merges memories of one holder that say the same; each merger can be undone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...conflict.trust import SUPPORTS, linked
from ...forgetting.lifecycle import BinPolicy, to_bin
from ...model.conversation import Role, Scope, ScopeKind
from ...model.memory import Memory, Status, Succession, Successor
from ...model.sleeping import BY_SLEEP, Decided, Decision, Deed, Left, SleepCause, Undone
from ...ports import Filter, Journal, MemoryStore
from ...records import merging
from ...records.merging import created, replaced
from ...records.names import by_one_name, linked_names, renamed
from ...records.sameness import (
    MERGED,
    NEAR,
    OF_ONE_MATTER,
    apart,
    eligible,
    matter,
    same_by_judgement,
    same_claim,
)
from ...similarity.measure import Matrix, nearest
from ..memory_similarity import MemorySimilarity
from ..pipeline import FULL, StepRun

MOST = 20
"""Memories that become one at a time; the merged one may be merged again the next night."""

type Pair = tuple[float, int, int]


@dataclass(frozen=True, slots=True)
class MergingStep:
    """Finds and merges what says the same in a scope.

    A decision names the merged memory first, then its sources.
    """

    name: ClassVar[str] = "merging"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryStore
    journal: Journal
    similarity: MemorySimilarity
    bin_policy: BinPolicy

    async def run(self, run: StepRun) -> None:
        """Merge what is found; first carry out what was decided before a kill."""
        for decided in await run.decided():
            await self._carry_out(decided.decision, run.at)
        names = by_one_name(await linked_names(self.store, run.journal, {run.scope}))
        undone = [frozenset(key.split(" ")) for key in run.refused]
        groups = await self._groups(run.scope)
        run.count(Left.SEEN, sum(map(len, groups.values())))
        for group in groups.values():
            if len(group) < 2:
                continue
            vectors = await self.similarity.centred(run.scope, [each.id for each in group])
            told = [renamed(memory, names) for memory in group]
            found = await asyncio.to_thread(clusters, told, vectors, undone)
            for cluster in found:
                ids = {memory.id for memory in cluster}
                whole = [memory for memory in group if memory.id in ids]
                own = [memory for memory in whole if await self._is_of_one(memory)]
                if len(own) < 2:
                    continue
                decision = self._decision(own)
                await run.decide(decision)
                await self._carry_out(decision, run.at)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """The sources come back, with the verdicts since; the merged one goes to the bin."""
        id, *sources = decided.decision.memories
        found = {memory.id: memory for memory in await self.store.find([id, *sources])}
        newer = found.pop(id, None)
        if newer is None or len(found) < len(sources):
            return Undone.GONE
        if newer.standing.reason == merging.TAKEN_APART:
            return Undone.DONE
        # Forgotten, corrected or merged again since: that is what holds.
        if newer.standing.status is Status.BINNED or newer.successor is not None:
            return Undone.GONE
        await self._take_apart(newer, sources, decided.decision, now)
        return Undone.DONE

    async def _groups(self, scope: str) -> Mapping[object, list[Memory]]:
        """Those that may be merged, by kind and holder."""
        groups: defaultdict[object, list[Memory]] = defaultdict(list)
        where = Filter(scopes=frozenset({scope}), recallable=True, kinds=MERGED)
        async for page in self.store.pages(where):
            for memory in filter(eligible, page):
                groups[memory.kind, memory.account].append(memory)
        return groups

    async def _is_of_one(self, memory: Memory) -> bool:
        """Whether in a group it rests on the words of its holder alone.

        Else a merger would go with whoever else is erased, and take along what does not rest on
        them.
        """
        if Scope.kind_of(memory.scope) is not ScopeKind.GROUP:
            return True
        if memory.speaker is None:
            return False
        turns = [await self.journal.turn(seq) for seq in memory.origin.turns]
        return all(
            turn is None or (turn.role is Role.USER and turn.speaker.id == memory.speaker.id)
            for turn in turns
        )

    def _decision(self, sources: Sequence[Memory]) -> Decision:
        names = sorted(memory.id for memory in sources)
        id = merging.merged_id(self.journal.id, names)
        claimed = all(same_claim(sources[0], other) for other in sources[1:])
        judged = any(same_by_judgement(sources[0], other) for other in sources[1:])
        kept = merging.baseline(merging.merged(sources, id))
        reason = "judged the same" if judged else "same statement"
        reason = "same claim" if claimed else reason
        return Decision(" ".join(names), Deed.MERGED, (id, *names), reason, kept)

    async def _carry_out(self, decision: Decision, at: float) -> None:
        id, *names = decision.memories
        sources = await self.store.find(names)
        if len(sources) < len(names):
            return
        merged = merging.merged(sources, id)
        await self.journal.audit([created(merged, by=BY_SLEEP)])
        await self.store.put([merged])
        await self.store.amend(
            names, lambda memory: merging.followed(memory, id, now=at, policy=self.bin_policy)
        )
        left = await self.store.find(names)
        newer = await self.store.get(id)
        if newer.standing.status is Status.LIVE and not all(
            merging.is_source(memory, id) for memory in left
        ):
            # Somebody has forgotten or corrected one meanwhile: it must not live on in another.
            await self._take_apart(newer, names, decision, at)
            return
        link = Successor(id, Succession.MERGES)
        await self.journal.audit([replaced(source, link, by=BY_SLEEP, at=at) for source in left])

    async def _take_apart(
        self, newer: Memory, sources: Sequence[str], decision: Decision, now: float
    ) -> None:
        since = decision.kept
        await self.store.amend(
            sources, lambda memory: merging.taken_apart(memory, newer, since, now=now)
        )
        await self.store.amend(
            [newer.id],
            lambda memory: to_bin(
                memory, now=now, reason=merging.TAKEN_APART, policy=self.bin_policy
            ),
        )


def clusters(
    group: Sequence[Memory], vectors: Matrix | None, undone: Sequence[frozenset[str]] = ()
) -> list[list[Memory]]:
    """Those of a group that say the same, the nearest first, two or more each. Pure.

    Each is the same as each other of its cluster: what is near to something near is no reason.
    `undone` are the sources of mergers that somebody took apart.
    """

    def are_one(a: int, b: int) -> bool:
        pair = group[a], group[b]
        alike = 0.0 if vectors is None else float(vectors[a] @ vectors[b])
        apart_before = any({each.id for each in pair} <= sources for sources in undone)
        return not (apart_before or apart(*pair, alike))

    kept: dict[int, list[int]] = {}
    for _, one, other in sorted({*_pairs(group, vectors)}, reverse=True):
        first, second = kept.setdefault(one, [one]), kept.setdefault(other, [other])
        if first is second or len(first) + len(second) > MOST:
            continue
        if all(are_one(a, b) for a in first for b in second):
            first += second
            kept.update(dict.fromkeys(second, first))
    whole = {id(cluster): cluster for cluster in kept.values() if len(cluster) > 1}
    return [[group[place] for place in sorted(cluster)] for cluster in whole.values()]


def _pairs(group: Sequence[Memory], vectors: Matrix | None) -> Iterator[Pair]:
    """Likeness and places of what may be the same, the later first: each with `MOST` at most."""
    slots, at = defaultdict[str, list[int]](list), {each.id: n for n, each in enumerate(group)}
    for place, memory in enumerate(group):
        if memory.claim is not None:
            known = slots[memory.claim.slot]
            same = (other for other in known[-MOST:] if same_claim(memory, group[other]))
            yield from ((1.0, place, other) for other in same)
            known.append(place)
        judged = (at[id] for id in linked(memory, SUPPORTS) if id in at)
        yield from ((1.0, place, other) for other in judged if other < place)
    if vectors is None:
        return
    matters = [matter(memory) for memory in group]
    # Thousands that are all alike would be millions of pairs.
    for alike, one, other in nearest(vectors, range(len(group)), MOST, lambda _: OF_ONE_MATTER):
        if alike >= NEAR or matters[one] == matters[other]:
            yield alike, max(one, other), min(one, other)
