"""The communities of a chat: names that are mentioned together, and their memories."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from ..graph.links import mentions
from ..model.memory import Memory
from ..ports import Filter, Order
from ..records.searched_text import searched_terms
from ..text.display_names import entity_id
from .answers import MemoryView
from .context import Context
from .views import views

MOST_SEARCHED = 20_000
"""Memories that one search reads, the latest; communities have no index."""

MOST = 12
"""Memories that are shown."""

MOST_LISTED = 20
"""Communities that are listed."""

MOST_NAMES = 3
"""Names by which a community is called: those that most of its memories mention."""


@dataclass(frozen=True, slots=True)
class NamedCommunity:
    """A community, its most central names, how many memories are in it, and some, latest first."""

    id: str
    names: tuple[str, ...]
    total: int
    memories: tuple[MemoryView, ...] = ()


async def communities(context: Context, text: str = "") -> list[NamedCommunity]:
    """Communities of this chat, the largest first; with text, those with a name or a memory that
    has its words, and their memories.
    """
    where = Filter(scopes=await context.readable(), recallable=True)
    page = await context.store.page(where, order=Order.LATEST, limit=MOST_SEARCHED)
    by_id: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in page:
        if memory.community.id:
            by_id[memory.community.id].append(memory)
    ordered = sorted(by_id.items(), key=lambda item: (-len(item[1]), item[0]))
    if not text.strip():
        return [NamedCommunity(id, _names(own), len(own)) for id, own in ordered[:MOST_LISTED]]
    found: list[NamedCommunity] = []
    left = MOST
    for id, own in ordered:
        if left > 0 and _holds(own, text):
            shown = tuple(await views(context, own[:left]))
            found.append(NamedCommunity(id, _names(own), len(own), shown))
            left -= len(shown)
    return found


def _holds(memories: list[Memory], text: str) -> bool:
    wanted = frozenset(searched_terms(text))
    return bool(wanted) and any(wanted <= frozenset(searched_terms(m.text)) for m in memories)


def _names(memories: list[Memory]) -> tuple[str, ...]:
    """As they were written; who speaks names none."""
    told = Counter[str]()
    written: dict[str, str] = {}
    for memory in memories:
        speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
        written |= {entity_id(each.name): each.name for each in memory.entities if each.name}
        written |= {entity_id(name): name for name in memory.about}
        told.update(name for name in mentions(memory) if name != speaker)
    best = sorted(told, key=lambda name: (-told[name], name))[:MOST_NAMES]
    return tuple(written.get(name, name) for name in best)
