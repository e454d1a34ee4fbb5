"""Links names that somebody said belong to one person."""

import json
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from ...model.memory import Memory, Succession
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, MemoryRecords
from ...records.linked_names import LINKING, merged_into
from ...records.namings import linked, links_in, stated_names, unlinked
from ...text.display_names import entity_id
from ..pipeline import FULL, StepRun
from ..policy_passes import paged

SAID = "said"


@dataclass(slots=True)
class _Named:
    """Who speaks under each name, and the memories that say two names to be one person's."""

    bearers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    telling: list[Memory] = field(default_factory=list[Memory])

    def add(self, memory: Memory) -> None:
        """Note one memory."""
        if memory.speaker is not None:
            self.bearers[entity_id(memory.speaker.name)].add(memory.speaker.id)
        if links_in(memory) or stated_names(memory) is not None:
            self.telling.append(memory)

    def are_two(self, one: str, other: str) -> bool:
        """Whether different people speak under these names."""
        first, second = self.bearers.get(one), self.bearers.get(other)
        return bool(first and second and first.isdisjoint(second))


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
        named = _Named()
        async for page in paged(self.store, Filter(frozenset({run.scope}), recallable=True)):
            for memory in page:
                named.add(memory)
            await run.advance("")
        telling: list[str] = []
        for memory in named.telling:
            names = stated_names(memory)
            if links_in(memory):
                telling.append(memory.id)
            elif names and not named.are_two(*names) and not _refused(memory, run.refused):
                await run.decide(Decision(_key(memory.id), Deed.LINKED, (memory.id,), SAID))
                await self.store.amend([memory.id], partial(linked, names=names))
                telling.append(memory.id)
        mark = json.dumps(sorted(telling))
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
