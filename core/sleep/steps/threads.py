"""Writes threads of what was told of one matter over time, and removes what is gone from them."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, ClassVar, Self, cast

from ...model.memory import Extractor, Kind, Memory, Status
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, Journal, MemoryRecords, Vector
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
    worded,
)
from ..memory_similarity import MemorySimilarity
from ..pipeline import EVERY, StepRun
from ..policy_passes import paged
from ..stories import ALIKE, MOST_LINES, Stories, Story

MOST_ASKED = 5
"""Threads of a scope that a model words in one sleep; others keep their lines until then."""

MOST_CAUSES = 6
"""Memories that a story takes in because others of it name them as the cause."""


@dataclass(frozen=True, slots=True)
class KeptThreads:
    """What the mark of the step keeps: ids of threads that people have put away, and for each
    thread that a model was asked about a digest of the ids that it told then.
    """

    away: frozenset[str] = frozenset()
    asked: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def read(cls, mark: str) -> Self:
        """Nothing of an unreadable one."""
        try:
            found = cast("dict[str, Any]", json.loads(mark or "{}"))
            return cls(frozenset(found["away"]), dict(found["asked"]))
        except (ValueError, TypeError, LookupError):
            return cls()

    def mark(self) -> str:
        """To be read again."""
        return json.dumps({"away": sorted(self.away), "asked": dict(sorted(self.asked.items()))})


@dataclass(frozen=True, slots=True)
class ThreadStep:
    """Of one scope. In a sweep it only takes out what is gone.

    A thread that somebody has undone, forgotten or corrected is not told again.
    """

    name: ClassVar[str] = "threads"
    causes: ClassVar[frozenset[SleepCause]] = EVERY

    store: MemoryRecords
    journal: Journal
    similarity: MemorySimilarity
    show_date: Callable[[float], str]

    async def run(self, run: StepRun) -> None:
        """Tell the stories of the scope as they are now."""
        scope = frozenset({run.scope})
        await self._take_out(scope)
        if run.sleep.cause is SleepCause.INTERVAL:
            return
        known = {thread.id: thread for thread in await threads_in(self.store, scope)}
        before = kept = await self._kept(run, known)
        stories, vectors = Stories(), dict[str, Vector]()
        where = Filter(scope, recallable=True, kinds=frozenset(Kind) - {Kind.NARRATIVE})
        async for page in paged(self.store, where):
            for memory in page:
                stories.add(memory)
            vectors |= await self.similarity.by_kind(run.scope, page)
            await run.advance(page[-1].id)
        await asyncio.to_thread(stories.add_near, vectors)
        found = await asyncio.to_thread(stories.chosen, lambda one: self._id(run, one) in known)
        chosen = {self._id(run, each): each for each in found}
        names = {each.label for each in chosen.values()}
        for id, each in chosen.items():
            if id not in kept.away | run.refused:
                may_ask = len(kept.asked.items() - before.asked.items()) < MOST_ASKED
                asked = names if may_ask else None
                kept = await self._tell(run, id, each, known.get(id), kept, asked)
                await run.advance("")
        await self._drop_told_again(scope, chosen)
        if kept != KeptThreads.read(await run.mark()):
            await run.set_mark(kept.mark())

    async def undo(self, decided: Decided, now: float) -> Undone:
        """Tell it as it was told before, else delete it; what it told stays."""
        found = await self.store.find(decided.decision.memories)
        if not found:
            return Undone.GONE
        before = decided.decision.kept.get("before", ())
        told = _by_time(await self._recallable(before, frozenset({decided.scope})))
        lines = self._lines(told)
        if len(lines) < LEAST_LINES:
            await self.store.purge(decided.decision.memories)
            return Undone.DONE
        earlier = composed(found[0].id, found[0].summary, told, lines)
        await self.store.amend([earlier.id], lambda kept: retold(kept, earlier))
        return Undone.DONE

    def _id(self, run: StepRun, story: Story) -> str:
        return thread_id(self.journal.id, run.scope, story.topic)

    async def _drop_told_again(self, scope: frozenset[str], chosen: Mapping[str, Story]) -> None:
        """Delete what other threads tell: a story begins elsewhere once its first memory left."""
        told = [{each.id for each in story.fragments} for story in chosen.values()]

        def is_told(thread: Memory) -> bool:
            least = ALIKE * len(thread.tells)
            return any(len(ids.intersection(thread.tells)) >= least for ids in told)

        others = [each for each in await threads_in(self.store, scope) if each.id not in chosen]
        live = [each for each in others if each.standing.status is Status.LIVE]
        await self.store.purge([each.id for each in live if is_told(each)])

    async def _take_out(self, scope: frozenset[str]) -> None:
        threads = await threads_in(self.store, scope)
        told = {id for thread in threads for id in thread.tells}
        left = {memory.id for memory in await self._recallable(sorted(told), scope)}
        await release(self.store, self.journal, scope, told - left, summaries=False)

    async def _recallable(self, ids: Sequence[str], scope: frozenset[str]) -> list[Memory]:
        return [memory for memory in await self.store.find(ids, scope) if memory.recallable]

    async def _kept(self, run: StepRun, known: Mapping[str, Memory]) -> KeptThreads:
        """What is known of threads besides them: kept, for the bin is emptied one day."""
        away = {
            id
            for id, thread in known.items()
            if thread.standing.status is not Status.LIVE or thread.successor is not None
        }
        kept = KeptThreads.read(await run.mark())
        return replace(kept, away=(kept.away - known.keys()) | away)

    async def _tell(
        self,
        run: StepRun,
        id: str,
        topic: Story,
        known: Memory | None,
        kept: KeptThreads,
        names: Collection[str] | None,
    ) -> KeptThreads:
        """With the `names` that are known here a model may be asked; with None it is not."""
        told = await self._told(run.scope, topic)
        lines = self._lines(told)
        if len(lines) < LEAST_LINES:
            return kept
        ids = {id for line in lines for id in line.told}
        own = [memory for memory in told if memory.id in ids]
        thread = composed(id, topic.label, own, lines)
        asked = kept.asked.get(id) == _digest(thread.tells)
        same = known is not None and set(known.tells) == set(thread.tells)
        if same and asked:
            return kept
        reply = None
        if names is not None and not asked:
            reply = await run.story([line.said for line in lines], names)
        if reply is not None:
            kept = replace(kept, asked={**kept.asked, id: _digest(thread.tells)})
        if reply:
            newer = composed(id, topic.label, own, worded(reply, lines))
            thread = replace(newer, extractor=Extractor.MODEL)
        if known is not None and (known.text, known.tells) == (thread.text, thread.tells):
            return kept
        reason, before = ("told", ()) if known is None else ("retold", known.tells)
        numbers = {"lines": len(lines), "before": list(before)}
        await run.decide(Decision(id, Deed.THREADED, (id,), reason, numbers))
        await self.store.put([thread])
        await self.store.amend([id], lambda kept: retold(kept, thread))
        # Somebody may have forgotten one of them meanwhile.
        within = frozenset({run.scope})
        if len(await self._recallable(thread.tells, within)) < len(thread.tells):
            await self._take_out(within)
        return kept

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
        return _by_time(found.values())

    def _lines(self, told: Sequence[Memory]) -> list[StoryLine]:
        """A line for each; what two say in the same words is told once."""
        lines: dict[str, StoryLine] = {}
        for memory in told:
            line = line_of(memory, self.show_date(memory.happened_at))
            said = line.said.partition(" ")[2]
            lines.setdefault(said.casefold(), line)
        return list(lines.values())


def _by_time(told: Iterable[Memory]) -> list[Memory]:
    return sorted(told, key=lambda each: (each.happened_at, each.id))


def _digest(ids: Sequence[str]) -> str:
    return blake2b("\n".join(sorted(ids)).encode(), digest_size=8).hexdigest()
