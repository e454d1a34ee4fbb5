"""The memories of a chat that have a tag."""

from ..ports import Filter
from .answers import MemoryView
from .archive import by_words
from .context import Context
from .views import PAGE, views

MOST_SEARCHED = 2_000
"""Memories with the tag that one search with words reads, the newest."""


async def search_tagged(
    context: Context, tag: str, text: str = "", *, limit: int = PAGE
) -> list[MemoryView]:
    """Memories of this chat with the tag: the newest, or those that fit the text best."""
    where = Filter(scopes=await context.readable(), recallable=True, tag=tag)
    if not text:
        return await views(context, await context.store.page(where, limit=limit))
    memories = await context.store.page(where, limit=MOST_SEARCHED)
    best = await by_words(memories, text)
    return await views(context, [memory for memory, _ in best[:limit]])
