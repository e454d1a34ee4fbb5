"""Which names of a scope belong together, and to which community each of its memories does."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import ClassVar

from ...graph.communities import Mentions, named_as_before
from ...graph.links import mentions
from ...model.memory import Community, Kind, Memory
from ...model.sleeping import Decided, Deed, SleepCause, Undone
from ...ports import Filter, JournalIdentity, MemoryRecords
from ...text.display_names import entity_id
from ..pipeline import FULL, StepRun
from ..policy_passes import paged

_TOLD = frozenset(Kind) - {Kind.NARRATIVE}

type Members = Mapping[str, frozenset[str]]
"""Digests of names, by the id of their community."""


@dataclass(frozen=True, slots=True)
class CommunityStep:
    """Names are kept as digests: they outlive the memories that hold them."""

    name: ClassVar[str] = "communities"
    causes: ClassVar[frozenset[SleepCause]] = FULL

    store: MemoryRecords
    journal: JournalIdentity

    async def run(self, run: StepRun) -> None:
        """Put the names together anew, and write to each memory where it belongs."""
        where = Filter(frozenset({run.scope}), recallable=True, kinds=_TOLD)
        told = Mentions()
        async for page in paged(self.store, where):
            for memory in page:
                told.add(self._names(memory))
            await run.advance("")
        found = await asyncio.to_thread(told.communities)
        mark = await run.mark()
        members = named_as_before(found, _read(mark))
        changed = await self._write(run, where, members)
        kept = json.dumps({id: sorted(own) for id, own in sorted(members.items())})
        if changed or kept != (mark or "{}"):
            run.count(Deed.GROUPED, len(members))
            await run.set_mark(kept)

    async def undo(self, decided: Decided, now: float) -> Undone:
        """It decides nothing."""
        return Undone.NEVER

    async def _write(self, run: StepRun, where: Filter, members: Members) -> int:
        community_of = {name: id for id, own in members.items() for name in own}
        belongs = partial(self._belonging, community_of=community_of, at=run.at)
        changed = 0
        async for page in paged(self.store, where):
            ids = [memory.id for memory in page if belongs(memory) != memory]
            changed += len(await self.store.amend(ids, belongs)) if ids else 0
            await run.advance("")
        return changed

    def _belonging(self, memory: Memory, *, community_of: Mapping[str, str], at: float) -> Memory:
        """The memory with the community of most of what it mentions."""
        own = Counter(community_of[name] for name in self._names(memory) if name in community_of)
        id = min(own, key=lambda id: (-own[id], id), default="")
        if id == memory.community.id:
            return memory
        return replace(memory, community=Community(id, at))

    def _names(self, memory: Memory) -> Iterator[str]:
        """Digests of what it mentions; whoever said it is in all that they said."""
        speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
        for name in mentions(memory):
            if name != speaker:
                told = f"{self.journal.id} {memory.scope} {name}"
                yield blake2b(told.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def _read(mark: str) -> Members:
    """What an earlier sleep has kept; nothing of an unreadable one."""
    try:
        return {str(id): frozenset(map(str, own)) for id, own in json.loads(mark or "{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}
