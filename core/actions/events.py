"""Memories that tell of events of a type, an event at a time, the newest first."""

from dataclasses import dataclass

from ..model.knowledge import EventType
from ..model.memory import Memory
from ..ports import Filter, Order
from ..records.searched_text import searched_terms
from .answers import MemoryView
from .context import Context
from .views import views

MOST_SEARCHED = 20_000
"""Memories that one search reads, the latest; events have no index."""

MOST = 12
"""Memories that are shown."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event, and the memories that tell of it, the latest first."""

    id: str
    memories: tuple[MemoryView, ...]


async def search_events(context: Context, type: EventType, text: str = "") -> list[ToldEvent]:
    """Events of the type of which the memories of this chat tell; with text, those that name it.

    An event is found by what any of its memories says.
    """
    where = Filter(scopes=await context.readable(), recallable=True)
    page = await context.store.page(where, order=Order.LATEST, limit=MOST_SEARCHED)
    by_event: dict[str, list[Memory]] = {}
    for memory in page:
        if memory.event is not None and memory.event.type == type:
            by_event.setdefault(memory.event.id, []).append(memory)
    wanted = frozenset(searched_terms(text))
    found: list[ToldEvent] = []
    left = MOST
    for id, told in by_event.items():
        said = frozenset(term for memory in told for term in searched_terms(memory.text))
        if left > 0 and wanted <= said:
            found.append(ToldEvent(id, tuple(await views(context, told[:left]))))
            left -= len(told[:left])
    return found
