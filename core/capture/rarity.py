"""How much each term tells in a scope, by what was said there last. Async."""

import asyncio

from ..model.memory import RAW
from ..ports import Filter, MemoryReader
from ..records.coverage import Rarity, rarities


async def rarity_in(store: MemoryReader, scope: str, *, newest: int) -> Rarity:
    """By the newest raw turns, so many; they are counted in a thread."""
    raw = Filter(frozenset({scope}), status=None, kinds=RAW)
    page = await store.page(raw, limit=newest)
    return await asyncio.to_thread(rarities, [memory.text for memory in page])
