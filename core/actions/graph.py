"""The entities that memories mention, and which are mentioned together."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..graph.communities import MOST_OF_ONE, mentions
from ..model.conversation import Scope
from ..model.memory import LEARNT, Memory
from ..ports import Filter, Order
from ..text.quoting import entity_id
from .answers import MemoryView, Refusal
from .context import Context, over_everybody
from .views import still_hidden, views, why_masked

MOST_READ = 2_000
"""Learnt memories, the latest, that are looked at; of one entity those that mention it."""

MOST_NAMES = 60
MOST_LINKS = 150
NAMED = 12
"""Memories of an entity that are listed."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity as it is written, how many memories mention it, and where it belongs ("" nowhere).

    A `person` speaks, or is said to be one.
    """

    id: str
    name: str
    count: int
    community: str
    person: bool


@dataclass(frozen=True, slots=True)
class Link:
    """Two entities, how many memories mention both, and what is said of the first to the second."""

    one: str
    other: str
    count: int
    predicates: Sequence[str]


@dataclass(frozen=True, slots=True)
class EntityGraph:
    """The most mentioned of `names`, and what joins them; with a focus it and its neighbours.

    `memories` are those of the focus, the latest first. `left_out`: how many scopes were not
    looked at, because they are others' private ones.
    """

    nodes: Sequence[Node]
    links: Sequence[Link]
    memories: Sequence[MemoryView]
    names: int
    total: int
    left_out: int
    why_masked: Refusal | None


class _Reading:
    """Counts what memories mention."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self.counts, self.pairs = Counter[str](), Counter[tuple[str, str]]()
        self.names, self.people = dict[str, str](), set[str]()
        self.said = defaultdict[tuple[str, str], Counter[str]](Counter[str])
        self.communities = defaultdict[str, Counter[str]](Counter[str])
        for memory in memories:
            self._add(memory)

    def _add(self, memory: Memory) -> None:
        own = sorted(mentions(memory))[:MOST_OF_ONE]
        self.counts.update(own)
        self.pairs.update(combinations(own, 2))
        self.names.update({entity_id(name): name for name in memory.about})
        self.names.update({entity_id(each.name): each.name for each in memory.entities})
        self.people |= {entity_id(e.name) for e in memory.entities if e.type == "person"}
        if memory.speaker is not None:
            self.names[entity_id(memory.speaker.name)] = memory.speaker.name
            self.people.add(entity_id(memory.speaker.name))
        if memory.community.id:
            for name in own:
                self.communities[name][f"{memory.scope}\n{memory.community.id}"] += 1
        for relation in memory.relations:
            self.said[relation.subject, relation.object][relation.predicate] += 1

    def nodes(self, among: Sequence[str]) -> list[Node]:
        return [
            Node(
                id,
                self.names.get(id, id),
                self.counts[id],
                self.communities[id].most_common(1)[0][0] if self.communities[id] else "",
                id in self.people,
            )
            for id in among
        ]

    def links(self, among: Sequence[str]) -> list[Link]:
        shown = frozenset(among)
        inside = ((pair, n) for pair, n in self.pairs.items() if shown.issuperset(pair))
        ordered = sorted(inside, key=lambda item: (-item[1], item[0]))[:MOST_LINKS]
        return [
            Link(one, other, n, [*self.said[one, other], *self.said[other, one]])
            for (one, other), n in ordered
        ]


@over_everybody
async def entity_graph(
    context: Context, owner: str = "", focus: str = "", text: str = ""
) -> EntityGraph:
    """Of everybody, or of one owner; `focus` is an entity's id, "" for the most mentioned.

    With a `text` the names that hold it; older ones where it is one of them as a whole.
    """
    keys = await context.store.scopes()
    scopes = frozenset(key for key in keys if owner in ("", Scope.parse(key).owner))
    others = await still_hidden(context, scopes)
    memories = await _memories(context, scopes - others, focus)
    reading, held = _Reading(memories), entity_id(text)
    if held and not any(held in name for name in reading.counts):
        reading = _Reading(await _memories(context, scopes - others, held))
    counts = reading.counts
    ordered = sorted(counts, key=lambda id: (id != focus, -counts[id], id))
    among = [id for id in ordered if held in id][:MOST_NAMES]
    listed = memories[:NAMED] if focus else []
    return EntityGraph(
        reading.nodes(among),
        reading.links(among),
        await views(context, listed, whole=True),
        len(counts),
        len(memories),
        len(others),
        why_masked(context) if others else None,
    )


async def _memories(context: Context, scopes: frozenset[str], focus: str) -> Sequence[Memory]:
    store = context.store
    if not focus:
        where = Filter(scopes=scopes, kinds=LEARNT, recallable=True)
        return await store.page(where, order=Order.LATEST, limit=MOST_READ)
    found = await store.mentioning([focus], scopes, limit=MOST_READ)
    memories = await store.find([each.memory for each in found], scopes)
    learnt = [memory for memory in memories if memory.kind in LEARNT]
    return sorted(learnt, key=lambda memory: (-memory.happened_at, memory.id))
