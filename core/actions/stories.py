"""From a thread to what it tells, and back."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.memory import Kind, Memory
from ..ports import Filter
from ..records.threads import lines_of
from .answers import MemoryView
from .context import Context
from .views import views

MOST_THREADS = 200
"""Of the newest that are looked at."""

SHOWN = 5


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of a thread, and the memories that say it."""

    said: str
    memories: Sequence[MemoryView]


async def story(context: Context, thread: Memory) -> Sequence[ToldLine]:
    """The lines of a thread, oldest first; of what has left recall since nothing is told."""
    found = await context.store.find(thread.tells, frozenset({thread.scope}))
    shown = [memory for memory in found if memory.recallable]
    known = {view.memory.id: view for view in await views(context, shown, whole=True)}
    return [
        ToldLine(line.said, [known[id] for id in line.told])
        for line in lines_of(thread)
        if known.keys() >= set(line.told)
    ]


async def threads_telling(context: Context, memories: Sequence[Memory]) -> Sequence[MemoryView]:
    """The newest threads that tell any of these, of their scopes."""
    ids = {memory.id for memory in memories}
    scopes = frozenset(memory.scope for memory in memories)
    where = Filter(scopes, kinds=frozenset({Kind.NARRATIVE}))
    found = await context.store.page(where, limit=MOST_THREADS) if scopes else []
    telling = [each for each in found if not ids.isdisjoint(each.tells)]
    return await views(context, telling[:SHOWN], whole=True)
