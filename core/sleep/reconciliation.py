"""What a recall brought up is compared in the background; what contradicts or agrees is linked.

Nothing that is remembered is changed: both memories state what the other is to them. Their trust
follows from that, and in later recalls the newer of two that contradict each other comes first.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Protocol

from ..conflict.trust import CONTRADICTS, CORROBORATES, linked
from ..conflict.verdict import Reading, Stance, judged
from ..model.knowledge import Relation
from ..model.memory import Kind, Memory
from ..ports import EmbedderSource, MemoryRecords, VectorSearch, WorkKind, WorkQueue
from ..similarity.calibration import Frames
from ..similarity.measure import Matrix
from ..similarity.thresholds import ABOUT_THE_SAME
from .comparison import compared

CLAIMS = frozenset({Kind.EPISODIC, Kind.SEMANTIC, Kind.PROCEDURAL})
"""What claims something. A raw turn is what was said, and what it claims has not been weighed."""

REMEMBERED = 4_096
"""Pairs that are known to have been compared; one that fell out is compared again."""

type Pair = tuple[str, str]
"""Ids of two memories, in their order."""


class ComparedStore(MemoryRecords, VectorSearch, Protocol):
    """Memories to be linked, and their vectors."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Queues what was brought up together, and compares it as it is then."""

    store: ComparedStore
    journal: WorkQueue
    embedders: EmbedderSource
    frames: Frames
    _done: OrderedDict[Pair, None] = field(default_factory=OrderedDict[Pair, None])

    async def queue(self, turn: int, shown: Sequence[Memory]) -> None:
        """Have compared what a turn showed, unless all of it is known. Raises StorageError."""
        pairs = [pair for own in claims(shown) for pair in combinations(own, 2)]
        fresh = [pair for pair in pairs if not _are_linked(*pair) and _ids(pair) not in self._done]
        if fresh:
            ids = sorted({memory.id for pair in fresh for memory in pair})
            await self.journal.enqueue(WorkKind.RECONCILE, work_key(turn), {"memories": ids})

    async def reconcile(self, ids: Sequence[str]) -> dict[Pair, Stance]:
        """Link those of these memories that contradict or corroborate each other; what was found.

        Only memories that may still be recalled, of one scope: a memory never tells of one that
        others may not see. Raises StorageError.
        """
        stances: dict[Pair, Stance] = {}
        for own in claims(await self.store.find(ids)):
            alike = await compared(own, self.store, await self.embedders.choose(), self.frames)
            # Every two of them are read word by word: the event loop does not wait for that.
            stances |= await asyncio.to_thread(_stances, own, alike)
        for pair, stance in stances.items():
            if stance is not Stance.UNRELATED:
                await self.store.amend(pair, partial(_linked, pair, stance))
        self._remember(stances)
        return stances

    def _remember(self, pairs: Iterable[Pair]) -> None:
        self._done.update(dict.fromkeys(pairs))
        while len(self._done) > REMEMBERED:
            self._done.popitem(last=False)


def work_key(turn: int) -> str:
    """The key of the work that compares what the turn `turn` showed."""
    return f"compare:{turn}"


def claims(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Of these memories the recallable claims of each scope that has several."""
    by_scope: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.kind in CLAIMS and memory.recallable:
            by_scope[memory.scope].append(memory)
    return [own for own in by_scope.values() if len(own) > 1]


def _stances(memories: Sequence[Memory], alike: Matrix) -> Mapping[Pair, Stance]:
    """What each two of these memories of one scope, this much alike, are to each other."""
    read = [Reading(memory) for memory in memories]
    found: dict[Pair, Stance] = {}
    for one, other in combinations(range(len(read)), 2):
        near = float(alike[one, other])
        about_the_same = near >= ABOUT_THE_SAME
        stance = judged(read[one], read[other], near).stance if about_the_same else None
        found[_ids((memories[one], memories[other]))] = stance or Stance.UNRELATED
    return found


def _ids(pair: tuple[Memory, Memory]) -> Pair:
    first, second = sorted(memory.id for memory in pair)
    return first, second


def _are_linked(one: Memory, other: Memory) -> bool:
    return any(other.id in linked(one, how) for how in (CONTRADICTS, CORROBORATES))


def _linked(pair: Pair, stance: Stance, memory: Memory) -> Memory:
    """The memory with its relation to the other of the pair; the opposite one is withdrawn."""
    (other,) = set(pair) - {memory.id}
    kept = [each for each in memory.relations if not _links(memory.id, each, other)]
    relation = Relation(memory.id, stance.value, other)
    if relation in memory.relations and len(kept) + 1 == len(memory.relations):
        return memory
    return replace(memory, relations=(*kept, relation))


def _links(own: str, relation: Relation, other: str) -> bool:
    judged = relation.predicate in (CONTRADICTS, CORROBORATES)
    return judged and (relation.subject, relation.object) == (own, other)
