"""Ids that a person can type, and a model can repeat."""

from ..ports import MemoryReader

LENGTHS = (6, 8, 12)


async def short_id(store: MemoryReader, memory: str, scopes: frozenset[str] | None) -> str:
    """The shortest of a few beginnings of the id that means nothing else in these scopes.

    None: in all scopes.
    """
    for length in LENGTHS:
        if len(await store.resolve(memory[:length], scopes)) <= 1:
            return memory[:length]
    return memory
