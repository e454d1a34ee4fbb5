"""Pairs of memories of one holder that are looked at because one of them is new. Async."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
NEAR_ENOUGH = 0.5
"""Centred cosine under which nothing is compared, however near it is beside the rest."""

WINDOW = 7 * DAY
"""What is new stays so for long enough to be learnt and to get its vector."""

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
        every = [memory for group in groups.values() for memory in group]
        pairs = dict.fromkeys(_contradicting(every), 0.0)
        for group in groups.values():
            fresh = [n for n, each in enumerate(group) if each.created_at >= since - WINDOW]
            if fresh and len(group) > 1:
                vectors = await self.similarity.centred(scope, group)
                if vectors is not None:
                    pairs |= await asyncio.to_thread(_near, group, fresh, vectors)
        return pairs


def _contradicting(memories: Sequence[Memory]) -> list[Pair]:
    known = {memory.id for memory in memories}
    return [
        pair_of(memory.id, other)
        for memory in memories
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
            for column in np.argsort(-alike[row])[:NEAREST]:
                if alike[row, column] >= NEAR_ENOUGH:
                    pair = pair_of(group[place].id, group[int(column)].id)
                    pairs[pair] = float(alike[row, column])
    return pairs
