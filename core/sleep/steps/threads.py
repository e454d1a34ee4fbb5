"""Writes threads of what was told of one matter over time, and removes what is gone from them."""

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from ...forgetting.lifecycle import DAY
from ...languages.terms import content_terms
from ...model.knowledge import Enrichment
from ...model.memory import Extractor, Kind, Memory, Status, unmarked
from ...model.sleeping import Decided, Decision, Deed, SleepCause, Undone
from ...ports import Filter, Journal, MemoryRecords
from ...recall.selection import only_asks
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
from ...similarity.calibration import PRIOR
from ...similarity.measure import Matrix, Vector, product, rows
from ...text.quoting import entity_id, quoted
from ..memory_similarity import MemorySimilarity
from ..pipeline import EVERY, StepRun

LEAST_FRAGMENTS = 3
LEAST_EPISODES = 2
LEAST_SPAN = DAY
MOST_LINES = 20
MOST_STORIES = 40
"""Of one scope."""

COMMON = 0.5
"""Share of the memories of a scope beyond which a name is none of a story: it is in all of them."""

FEW = 20
"""Memories of a scope up to which no name is too common."""

ALIKE = 0.6
"""Share of a story's fragments with which another one tells it already."""

NEAR = 0.4
"""Cosine to the middle of a story from which a memory is part of it: docs/benchmarks.md."""

RAW_NEAR = 4.3
"""The same of a raw turn, at least, in deviations of the cosines of all pairs of them."""

COHESION = 0.3
"""Mean cosine of two raw turns of a story; where they share a common word it is .01 to .26."""

LEAST_TERMS = 4
"""Of a raw turn that tells something: "good day that. night" is near to whatever is as short."""

LEARNT_SHARE = 0.1
"""Of the memories of a scope that are learnt where somebody learns who leaves out small talk."""

PAUSE = 90 * DAY
"""Without news a story is over."""

LONGEST_LABEL = 40
"""Characters of what a story without a name is called."""

OPEN = 500
"""Stories of a speaker that may go on at a time; the one silent for longest gives way."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What is looked at of a memory. `weight` says which stay where there are too many; a story
    without a name is called what is `said` in its first memory.
    """

    id: str
    at: float
    who: str
    episode: str
    turns: frozenset[int]
    raw: bool
    weight: tuple[float, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Story:
    """A topic, what it is called ("" for no name), and its fragments in the order of time."""

    topic: str
    label: str
    fragments: tuple[Fragment, ...]


@dataclass(slots=True)
class Stories:
    """Takes the memories of a scope one by one."""

    _topics: dict[str, dict[str, Fragment]] = field(
        default_factory=lambda: defaultdict(dict[str, Fragment])
    )
    _labels: dict[str, str] = field(default_factory=dict[str, str])
    _fragments: dict[str, Fragment] = field(default_factory=dict[str, Fragment])
    _vectors: Mapping[str, Vector] = field(default_factory=dict[str, Vector])

    def add(self, memory: Memory) -> None:
        """Take a memory, if it can be part of a story."""
        if memory.kind is Kind.NARRATIVE or only_asks(memory.said):
            return
        fragment = self._fragments[memory.id] = _fragment(memory)
        for topic, label in topics_of(memory):
            self._topics[topic][memory.id] = fragment
            self._labels.setdefault(topic, label)

    def add_near(self, vectors: Mapping[str, Vector]) -> None:
        """Make topics of what is near in meaning, one memory after another as they happened.

        Each joins the topic of its speaker to whose middle it is nearest, or begins one. `vectors`
        are unit vectors by id; a memory without one is in none. Where much has been learnt, a
        raw turn from which nothing was is small talk, and no part of a story.
        """
        raw = {id for id, each in self._fragments.items() if each.raw}
        said = _apart(vectors, raw)
        self._vectors = said | _apart(vectors, self._fragments.keys() - raw)
        least = max(NEAR, RAW_NEAR * _spread([*said.values()]))
        middles = defaultdict[str, _Middles](_Middles)
        learns = len(self._fragments) - len(raw) >= LEARNT_SHARE * len(self._fragments)
        told = [
            each
            for each in _uncovered(self._fragments.values())
            if each.id in self._vectors
            and not (each.raw and (learns or len(content_terms(each.said)) < LEAST_TERMS))
        ]
        for each in sorted(told, key=lambda one: (one.at, one.id)):
            near = least if each.raw else NEAR
            topic = f"near:{middles[each.who].nearest(each, self._vectors[each.id], near)}"
            if topic not in self._topics:
                self._labels[topic] = quoted(unmarked(each.said), LONGEST_LABEL)
            self._topics[topic][each.id] = each

    def chosen(self, is_known: Callable[[Story], bool]) -> list[Story]:
        """The stories; of those that tell the same a known topic comes first, then the longest.

        The same memories give the same stories, in whatever order they were taken.
        """
        every = len(self._fragments)
        most = every if every <= FEW else COMMON * every
        found = [
            Story(topic, self._labels[topic], told)
            for topic, fragments in sorted(self._topics.items())
            if (told := _told(fragments.values()))
            and len(fragments) <= most
            and self.is_of_one_matter([each.id for each in told])
        ]
        found.sort(key=lambda each: (not is_known(each), -len(each.fragments), each.topic))
        kept: list[Story] = []
        for story in found:
            if len(kept) == MOST_STORIES:
                break
            if not any(_tells(other, story) for other in kept):
                kept.append(story)
        return kept

    def is_of_one_matter(self, ids: Sequence[str]) -> bool:
        """Whether these have anything in common; what is mostly learnt has, or has no vector."""
        known = [self._fragments[id] for id in ids if id in self._fragments]
        vectors = [self._vectors[each.id] for each in known if each.id in self._vectors]
        many = len(vectors)
        if many < LEAST_FRAGMENTS or 2 * sum(each.raw for each in known) <= len(known):
            return True
        whole = np.sum(vectors, axis=0)
        return float(whole @ whole) - many >= COHESION * many * (many - 1)


def _apart(vectors: Mapping[str, Vector], ids: Collection[str]) -> dict[str, Vector]:
    """Those of these memories without what they have in common, at unit length."""
    known = [id for id in ids if id in vectors]
    if not known:
        return {}
    own = np.stack([vectors[id] for id in known])
    apart = rows(np.asarray(own - own.sum(axis=0) / (len(own) + PRIOR), np.float32))
    return dict(zip(known, apart, strict=True))


def _spread(vectors: Sequence[Vector]) -> float:
    """Deviation of the cosines of all pairs of these, which are 0 on average."""
    many = len(vectors)
    if many < LEAST_FRAGMENTS:
        return 0.0
    own = np.stack(vectors)
    squares = float(np.square(product(own.T, own)).sum())
    return math.sqrt(max(0.0, squares - many) / (many * (many - 1)))


@dataclass(slots=True)
class _Middles:
    """The stories of a speaker that may go on: first memory, sum of vectors, time of the last."""

    _firsts: list[str] = field(default_factory=list[str])
    _last: list[float] = field(default_factory=list[float])
    _sums: Matrix = field(default_factory=lambda: np.zeros((OPEN, 0), np.float32))

    def nearest(self, fragment: Fragment, vector: Vector, least: float) -> str:
        """The first memory of the story that this one goes on with, its own if it begins one."""
        many = len(self._firsts)
        if not many:
            self._sums = np.zeros((OPEN, vector.size), np.float32)
        sums = self._sums[:many]
        # einsum: a product is shared with threads that wait for each other.
        near = np.einsum("ij,j->i", sums, vector) / np.linalg.norm(sums, axis=1)
        near[fragment.at - np.array(self._last) > PAUSE] = -1.0
        best = int(near.argmax()) if many else 0
        if many and near[best] >= least:
            self._sums[best] += vector
            self._last[best] = fragment.at
            return self._firsts[best]
        place = many if many < OPEN else self._last.index(min(self._last))
        self._firsts[place:] = [fragment.id, *self._firsts[place + 1 :]]
        self._last[place:] = [fragment.at, *self._last[place + 1 :]]
        self._sums[place] = vector
        return fragment.id


def topics_of(memory: Memory) -> Iterator[tuple[str, str]]:
    """What a memory is about, by key and name; its own speaker is no topic."""
    speaker = "" if memory.speaker is None else entity_id(memory.speaker.name)
    names = [*(each.name or each.id for each in memory.entities), *memory.about]
    for name in names:
        if (key := entity_id(name)) and key != speaker:
            yield f"entity:{key}", name
    if memory.claim is not None:
        yield f"slot:{memory.claim.slot}", ""


def _fragment(memory: Memory) -> Fragment:
    vitality = memory.vitality
    return Fragment(
        memory.id,
        memory.happened_at,
        "" if memory.speaker is None else memory.speaker.id,
        memory.origin.episode,
        frozenset(memory.origin.turns),
        memory.kind is Kind.EVIDENCE,
        (memory.importance, vitality.useful_score, memory.created_at),
        memory.said,
    )


def _told(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Those of a topic that tell a story, as many as there are lines."""
    best = sorted(_uncovered(fragments), key=lambda each: (each.weight, each.id), reverse=True)[
        :MOST_LINES
    ]
    told = sorted(best, key=lambda each: (each.at, each.id))
    if len(told) < LEAST_FRAGMENTS or told[-1].at - told[0].at < LEAST_SPAN:
        return ()
    # What has no episode, a memory by hand say, is one of its own.
    episodes = {each.episode or each.id for each in told}
    return tuple(told) if len(episodes) >= LEAST_EPISODES else ()


def _uncovered(fragments: Iterable[Fragment]) -> list[Fragment]:
    """Without raw turns that another one was learnt from."""
    every = list(fragments)
    learnt = frozenset[int]().union(*(each.turns for each in every if not each.raw))
    return [each for each in every if not each.raw or learnt.isdisjoint(each.turns)]


def _tells(story: Story, other: Story) -> bool:
    shared = {each.id for each in story.fragments} & {each.id for each in other.fragments}
    return len(shared) >= ALIKE * len(other.fragments)


MOST_ASKED = 5
"""Threads of a scope that a model words in one sleep; others keep their lines until then."""

MOST_CAUSES = 6
"""Memories that a story takes in because others of it name them as the cause."""


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
        away = await self._away(run, known)
        stories, vectors = Stories(), dict[str, Vector]()
        where = Filter(scope, recallable=True, kinds=frozenset(Kind) - {Kind.NARRATIVE})
        async for page in self.store.pages(where):
            for memory in page:
                stories.add(memory)
            vectors |= await self.similarity.by_kind(run.scope, page)
        await asyncio.to_thread(stories.add_near, vectors)
        found = await asyncio.to_thread(stories.chosen, lambda one: self._id(run, one) in known)
        chosen = {self._id(run, each): each for each in found}
        names, asked = {each.label for each in chosen.values()}, 0
        for id, each in chosen.items():
            if id not in away | run.refused:
                may_ask = asked < MOST_ASKED
                asked += await self._tell(run, id, each, known.get(id), names if may_ask else None)
        await self._drop_untold(scope, chosen, stories)

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

    async def _drop_untold(
        self, scope: frozenset[str], chosen: Mapping[str, Story], stories: Stories
    ) -> None:
        """Delete what other threads tell, since a story begins elsewhere once its first memory
        left, and what has turned out to be of many matters.
        """
        told = [{each.id for each in story.fragments} for story in chosen.values()]
        over = [
            each.id
            for each in await threads_in(self.store, scope)
            if each.id not in chosen
            and each.standing.status is Status.LIVE
            and (
                any(len(ids.intersection(each.tells)) >= ALIKE * len(each.tells) for ids in told)
                or not stories.is_of_one_matter(each.tells)
            )
        ]
        await self.store.purge(over)

    async def _take_out(self, scope: frozenset[str]) -> None:
        told = {id for thread in await threads_in(self.store, scope) for id in thread.tells}
        left = {memory.id for memory in await self._recallable(sorted(told), scope)}
        await release(self.store, self.journal, scope, told - left, summaries=False)

    async def _recallable(self, ids: Sequence[str], scope: frozenset[str]) -> list[Memory]:
        return [memory for memory in await self.store.find(ids, scope) if memory.recallable]

    async def _away(self, run: StepRun, known: Mapping[str, Memory]) -> Set[str]:
        """Ids of threads that people have put away: the mark, for the bin is emptied one day."""
        mark = await run.mark()
        away = {*mark.split()} - known.keys()
        for id, thread in known.items():
            if thread.standing.status is not Status.LIVE or thread.successor is not None:
                away.add(id)
        if (newer := " ".join(sorted(away))) != mark:
            await run.set_mark(newer)
        return away

    async def _tell(
        self,
        run: StepRun,
        id: str,
        story: Story,
        known: Memory | None,
        names: Collection[str] | None,
    ) -> bool:
        """Whether a model was asked: it may be with the `names` that are known here.

        Which memories it was asked about is in the thread, as its enrichment.
        """
        told = await self._told(run.scope, story)
        lines = self._lines(told)
        if len(lines) < LEAST_LINES:
            return False
        ids = {id for line in lines for id in line.told}
        own = [memory for memory in told if memory.id in ids]
        thread = composed(id, story.label, own, lines)
        asked = Enrichment(_digest(thread.tells))
        if known is not None and known.enrichment == asked:
            if {*known.tells} == {*thread.tells}:
                return False
            names = None
        reply = None if names is None else await run.story([line.said for line in lines], names)
        if reply:
            thread = composed(id, story.label, own, worded(reply, lines))
            thread = replace(thread, extractor=Extractor.MODEL)
        if reply is not None or (known is not None and known.enrichment == asked):
            thread = replace(thread, enrichment=asked)
        if known is None or (known.text, known.tells) != (thread.text, thread.tells):
            reason, before = ("told", ()) if known is None else ("retold", known.tells)
            numbers = {"lines": len(lines), "before": list(before)}
            await run.decide(Decision(id, Deed.THREADED, (id,), reason, numbers))
        elif known.enrichment == thread.enrichment:
            return False
        await self.store.put([thread])
        await self.store.amend([id], lambda kept: retold(kept, thread))
        # Somebody may have forgotten one of them meanwhile.
        within = frozenset({run.scope})
        if len(await self._recallable(thread.tells, within)) < len(thread.tells):
            await self._take_out(within)
        return reply is not None

    async def _told(self, scope: str, story: Story) -> list[Memory]:
        """The memories of a story and their causes, in the order of time; a circle ends."""
        found: dict[str, Memory] = {}
        wanted = [each.id for each in story.fragments]
        while wanted:
            more = await self._recallable(wanted, frozenset({scope}))
            more = [memory for memory in more if memory.kind is not Kind.NARRATIVE]
            found |= {memory.id: memory for memory in more}
            causes = dict.fromkeys(cause for memory in more for cause in causes_of(memory))
            room = MOST_LINES + MOST_CAUSES - len(found)
            wanted = [id for id in causes if id not in found][: max(0, room)]
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
