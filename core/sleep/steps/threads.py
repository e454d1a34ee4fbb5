"""What was told of one matter over time becomes a thread; what is gone leaves its threads."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, cast

from ...model.memory import Kind, Memory, Status
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Deletions, Filter, JournalIdentity, MemoryRecords
from ...records.threads import (
    LEAST_LINES,
    StoryLine,
    causes_of,
    composed,
    line_of,
    release,
    retold,
    thread_id,
    threads_in,
)
from ..pipeline import EVERY, StepRun
from ..policy_passes import paged
from ..stories import MOST_LINES, Stories, Story

MOST_CAUSES = 6
"""Memories that a story takes in because others of it name them as the cause."""


class ThreadJournal(JournalIdentity, Deletions, Protocol):
    """Names threads, and has quoted them."""


@dataclass(frozen=True, slots=True)
class ThreadStep:
    """Of one scope. In a sweep it only takes out what is gone.

    A thread that somebody has undone, forgotten or corrected is not told again.
    """

    name: ClassVar[str] = "threads"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryRecords
    journal: ThreadJournal
    show_date: Callable[[float], str]

    async def run(self, run: StepRun) -> None:
        """Tell the stories of the scope as they are now."""
        scope = frozenset({run.scope})
        await self._take_out(scope)
        if run.sleep.cause is SleepCause.INTERVAL:
            return
        known = {thread.id: thread for thread in await threads_in(self.store, scope)}
        unwanted = await self._unwanted(run, known) | run.refused
        stories = Stories()
        where = Filter(scope, recallable=True, kinds=frozenset(Kind) - {Kind.NARRATIVE})
        async for page in paged(self.store, where):
            for memory in page:
                stories.add(memory)
            await run.advance(page[-1].id)
        chosen = await asyncio.to_thread(
            stories.chosen, lambda topic: self._id(run, topic) in known
        )
        for story in chosen:
            id = self._id(run, story.topic)
            if id not in unwanted:
                await self._tell(run, id, story, known.get(id))
                await run.advance("")

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Delete the thread; what it told stays."""
        gone = await self.store.purge(decided.decision.memories)
        return Undone.DONE if gone else Undone.GONE

    def _id(self, run: StepRun, topic: str) -> str:
        return thread_id(self.journal.id, run.scope, topic)

    async def _take_out(self, scope: frozenset[str]) -> None:
        threads = await threads_in(self.store, scope)
        told = {id for thread in threads for id in thread.tells}
        left = {memory.id for memory in await self._recallable(sorted(told), scope)}
        await release(self.store, self.journal, scope, told - left)

    async def _recallable(self, ids: Sequence[str], scope: frozenset[str]) -> list[Memory]:
        return [memory for memory in await self.store.find(ids, scope) if memory.recallable]

    async def _unwanted(self, run: StepRun, known: Mapping[str, Memory]) -> frozenset[str]:
        """Threads that people have put away; kept, for the bin is emptied one day."""
        away = {
            id
            for id, thread in known.items()
            if thread.standing.status is not Status.LIVE or thread.successor is not None
        }
        kept = frozenset(cast("list[str]", json.loads(await run.mark() or "[]")))
        unwanted = (kept - known.keys()) | away
        if unwanted != kept:
            await run.set_mark(json.dumps(sorted(unwanted)))
        return unwanted

    async def _tell(self, run: StepRun, id: str, story: Story, known: Memory | None) -> None:
        told = await self._told(run.scope, story)
        lines = self._lines(told)
        if len(lines) < LEAST_LINES:
            return
        ids = {id for line in lines for id in line.told}
        thread = composed(id, story.label, [m for m in told if m.id in ids], lines)
        if known is not None and (known.text, known.tells) == (thread.text, thread.tells):
            return
        reason = "told" if known is None else "retold"
        await run.decide(Decision(id, Deed.THREADED, (id,), reason, {"lines": len(lines)}))
        await self.store.put([thread])
        await self.store.amend([id], lambda kept: retold(kept, thread))
        # Somebody may have forgotten one of them meanwhile.
        await self._take_out(frozenset({run.scope}))

    async def _told(self, scope: str, story: Story) -> list[Memory]:
        """The memories of a story and their causes, in the order of time; a circle ends."""
        within = frozenset({scope})
        found: dict[str, Memory] = {}
        wanted = [each.id for each in story.fragments]
        while wanted and len(found) < MOST_LINES + MOST_CAUSES:
            more = await self._recallable(wanted, within)
            found |= {memory.id: memory for memory in more if memory.kind is not Kind.NARRATIVE}
            causes = dict.fromkeys(cause for memory in more for cause in causes_of(memory))
            room = MOST_LINES + MOST_CAUSES - len(found)
            wanted = [id for id in causes if id not in found][: max(0, room)]
            if not more:
                break
        return sorted(found.values(), key=lambda each: (each.happened_at, each.id))

    def _lines(self, told: Sequence[Memory]) -> list[StoryLine]:
        """A line for each; what two say in the same words is told once."""
        lines: dict[str, StoryLine] = {}
        for memory in told:
            line = line_of(memory, self.show_date(memory.happened_at))
            said = line.said.partition(" ")[2]
            lines.setdefault(said.casefold(), line)
        return list(lines.values())
