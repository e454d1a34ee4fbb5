"""Links names of one person, and finds which names of a scope belong together."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import ClassVar

from ...graph.communities import Mentions, mentions, named_as_before
from ...model.memory import Community, Kind, Memory, Succession
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, Journal, MemoryRecords
from ...records.names import LINKING, linked, links_in, merged_into, stated_names, unlinked
from ...text.quoting import entity_id
from ..pipeline import FULL, Step, StepRun

SAID = "said"


@dataclass(frozen=True, slots=True)
class LinkStep:
    """Of one scope. The link is in the memory that tells of it, and goes with it.

    What is kept from night to night are the ids of these memories.
    """

    name: ClassVar[str] = LINKING
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords

    async def run(self, run: StepRun) -> None:
        """Link what the memories of the scope say, and nobody has undone."""
        bearers, telling = defaultdict[str, set[str]](set), list[Memory]()
        async for page in self.store.pages(Filter(frozenset({run.scope}), recallable=True)):
            for memory in page:
                if memory.speaker is not None:
                    bearers[entity_id(memory.speaker.name)].add(memory.speaker.id)
                if links_in(memory) or stated_names(memory) is not None:
                    telling.append(memory)
        linking: list[str] = []
        for memory in telling:
            names = stated_names(memory)
            if links_in(memory):
                linking.append(memory.id)
            elif names and not _are_two(names, bearers) and not _refused(memory, run.refused):
                await run.decide(Decision(_key(memory.id), Deed.LINKED, (memory.id,), SAID))
                await self.store.amend([memory.id], partial(linked, names=names))
                linking.append(memory.id)
        mark = json.dumps(sorted(linking))
        if mark != (await run.mark() or "[]"):
            await run.set_mark(mark)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Two names again; what was merged meanwhile forgets the link too."""
        found = await self.store.find(decided.decision.memories)
        if not found:
            return Undone.GONE
        ids = [memory.id for memory in (*found, *await merged_into(self.store, found))]
        await self.store.amend(ids, unlinked)
        return Undone.DONE


def _are_two(names: tuple[str, str], bearers: Mapping[str, Set[str]]) -> bool:
    """Whether different people speak under these names."""
    one, other = (bearers.get(name, frozenset[str]()) for name in names)
    return bool(one and other) and one.isdisjoint(other)


def _refused(memory: Memory, refused: Set[str]) -> bool:
    """Whether it was undone for this memory, or for one that was merged into it."""
    superseded = (
        edge.object
        for edge in memory.relations
        if edge.subject == memory.id and edge.predicate == Succession.SUPERSEDES
    )
    return any(_key(id) in refused for id in (memory.id, *superseded))


def _key(id: str) -> str:
    return f"link:{id}"


_TOLD = frozenset(Kind) - {Kind.NARRATIVE}


@dataclass(frozen=True, slots=True)
class CommunityStep(Step):
    """Puts names that are mentioned together into one community, as digests.

    A community is known again by the memories that belong to it, and an id outlives what named it.
    """

    name: ClassVar[str] = "communities"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords
    journal: Journal

    async def run(self, run: StepRun) -> None:
        """Put the names together anew, and write to each memory where it belongs."""
        where = Filter(frozenset({run.scope}), recallable=True, kinds=_TOLD)
        told, known = Mentions(), defaultdict[str, set[str]](set)
        async for page in self.store.pages(where):
            for memory in page:
                told.add(names := [*self._names(memory)])
                if memory.community.id:
                    known[memory.community.id].update(names)
        found = await asyncio.to_thread(told.communities)
        members = named_as_before(found, known)
        community_of = {name: id for id, own in members.items() for name in own}
        belonging = partial(self._belonging, community_of=community_of, at=run.at)
        changed = 0
        async for page in self.store.pages(where):
            ids = [memory.id for memory in page if belonging(memory) != memory]
            changed += len(await self.store.amend(ids, belonging)) if ids else 0
        run.count(Deed.GROUPED, len(members) if changed else 0)

    def _belonging(self, memory: Memory, *, community_of: Mapping[str, str], at: float) -> Memory:
        """The memory with the community of most of what it mentions."""
        own = Counter(community_of[name] for name in self._names(memory) if name in community_of)
        id = min(own, key=lambda id: (-own[id], id), default="")
        return memory if id == memory.community.id else replace(memory, community=Community(id, at))

    def _names(self, memory: Memory) -> Iterator[str]:
        """Digests of what it mentions; whoever said it is in all that they said."""
        speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
        for name in mentions(memory):
            if name != speaker:
                told = f"{self.journal.id} {memory.scope} {name}"
                yield blake2b(told.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
