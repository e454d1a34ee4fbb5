"""Pairs of memories of one holder to be checked because one of them is new. Async."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..conflict.trust import CONTRADICTS, linked
from ..forgetting.lifecycle import DAY
from ..model.memory import Memory
from ..ports import Filter, MemoryReader, Order
from ..records.sameness import MERGED, eligible
from ..similarity.matrix_product import product
from ..similarity.measure import Matrix
from .examined import Pair, pair_of
from .memory_similarity import MemorySimilarity
from .policy_passes import paged

NEAREST = 10
NEAR_ENOUGH = 0.4
"""Centred cosine under which nothing is compared, however near it is beside the rest."""

WINDOW = 7 * DAY
"""What is new stays so for long enough to be learnt and to get its vector."""

FREED = 2_000
"""Memories let go of at a time."""

type Nearness = Mapping[Pair, float]
"""Centred cosine by pair."""


@dataclass(frozen=True, slots=True)
class FreshPairs:
    """Finds them in a scope."""

    store: MemoryReader
    similarity: MemorySimilarity

    async def found(self, scope: str, since: float) -> Nearness:
        """Those of which one was made at `since` or later, with claims that contradict each other.

        Without vectors only the latter are found. Nothing new costs one look.
        """
        where = Filter(frozenset({scope}), recallable=True, kinds=MERGED)
        newest = await self.store.page(where, order=Order.NEWEST, limit=1)
        if not newest or newest[0].created_at < since - WINDOW:
            return {}
        groups: defaultdict[object, list[Memory]] = defaultdict(list)
        async for page in paged(self.store, where):
            for memory in filter(eligible, page):
                groups[memory.account].append(memory)
        pairs = dict.fromkeys(_contradicting(groups.values()), 0.0)
        for group in groups.values():
            fresh = [n for n, each in enumerate(group) if each.created_at >= since - WINDOW]
            if fresh and len(group) > 1:
                vectors = await self.similarity.centred(scope, group)
                if vectors is not None:
                    pairs |= await asyncio.to_thread(_near, group, fresh, vectors)
            await let_go(group)
        return pairs


async def let_go(memories: list[Memory]) -> None:
    """To free fifty thousand of them at once would hold up the event loop for 40 ms."""
    while memories:
        del memories[-FREED:]
        await asyncio.sleep(0)


def _contradicting(groups: Iterable[Sequence[Memory]]) -> list[Pair]:
    every = [memory for group in groups for memory in group]
    known = {memory.id for memory in every}
    return [
        pair_of(memory.id, other)
        for memory in every
        if memory.claim is not None
        for other in sorted(linked(memory, CONTRADICTS) & known)
    ]


def _near(group: Sequence[Memory], fresh: Sequence[int], vectors: Matrix) -> Nearness:
    """The nearest of each fresh one."""
    pairs: dict[Pair, float] = {}
    for start in range(0, len(fresh), 256):
        some = fresh[start : start + 256]
        alike = product(vectors[some], vectors.T)
        alike[np.arange(len(some)), some] = -1.0
        for row, place in enumerate(some):
            near = np.flatnonzero(alike[row] >= NEAR_ENOUGH)
            for column in near[np.argsort(-alike[row, near], kind="stable")[:NEAREST]].tolist():
                pairs[pair_of(group[place].id, group[column].id)] = float(alike[row, column])
    return pairs
