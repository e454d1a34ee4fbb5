"""Which memories of a scope are one story: an entity, a slot or near meaning, over time. Pure.

Algorithms, section 13.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..forgetting.lifecycle import DAY
from ..model.memory import Kind, Memory, unmarked
from ..recall.selection import only_asks
from ..similarity.measure import Matrix, Vector
from ..text.display_names import entity_id
from ..text.quoting import quoted

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
        are unit vectors by id; a memory without one is in none. Where anything has been learnt, a
        raw turn from which nothing was is small talk, and no part of a story.
        """
        middles = defaultdict[str, _Middles](_Middles)
        learnt = any(not each.raw for each in self._fragments.values())
        told = (each for each in _uncovered(self._fragments.values()) if each.id in vectors)
        told = (each for each in told if not (learnt and each.raw))
        for each in sorted(told, key=lambda one: (one.at, one.id)):
            topic = f"near:{middles[each.who].nearest(each, vectors[each.id])}"
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
            if (told := _told(fragments.values())) and len(fragments) <= most
        ]
        found.sort(key=lambda each: (not is_known(each), -len(each.fragments), each.topic))
        kept: list[Story] = []
        for story in found:
            if len(kept) == MOST_STORIES:
                break
            if not any(_tells(other, story) for other in kept):
                kept.append(story)
        return kept


@dataclass(slots=True)
class _Middles:
    """The stories of a speaker that may go on: first memory, sum of vectors, time of the last."""

    _firsts: list[str] = field(default_factory=list[str])
    _last: list[float] = field(default_factory=list[float])
    _sums: Matrix = field(default_factory=lambda: np.zeros((OPEN, 0), np.float32))

    def nearest(self, fragment: Fragment, vector: Vector) -> str:
        """The first memory of the story that this one goes on with, its own if it begins one."""
        many = len(self._firsts)
        if not many:
            self._sums = np.zeros((OPEN, vector.size), np.float32)
        sums = self._sums[:many]
        # einsum: a product is shared with threads that wait for each other.
        near = np.einsum("ij,j->i", sums, vector) / np.linalg.norm(sums, axis=1)
        near[fragment.at - np.array(self._last) > PAUSE] = -1.0
        best = int(near.argmax()) if many else 0
        if many and near[best] >= NEAR:
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
    return tuple(told) if _is_story(told) else ()


def _uncovered(fragments: Iterable[Fragment]) -> list[Fragment]:
    """Without raw turns that another one was learnt from."""
    every = list(fragments)
    learnt = frozenset[int]().union(*(each.turns for each in every if not each.raw))
    return [each for each in every if not each.raw or learnt.isdisjoint(each.turns)]


def _is_story(told: Sequence[Fragment]) -> bool:
    if len(told) < LEAST_FRAGMENTS or told[-1].at - told[0].at < LEAST_SPAN:
        return False
    # What has no episode, a memory by hand say, is one of its own.
    return len({each.episode or each.id for each in told}) >= LEAST_EPISODES


def _tells(story: Story, other: Story) -> bool:
    shared = {each.id for each in story.fragments} & {each.id for each in other.fragments}
    return len(shared) >= ALIKE * len(other.fragments)
