"""Which memories of a scope are one story: they share an entity or a slot over time. Pure.

Algorithms, section 13.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..forgetting.lifecycle import DAY
from ..model.memory import Kind, Memory
from ..recall.selection import only_asks
from ..text.display_names import entity_id

LEAST_FRAGMENTS = 3
LEAST_EPISODES = 2
LEAST_SPAN = DAY
MOST_LINES = 12
MOST_STORIES = 40
"""Of one scope."""

COMMON = 0.5
"""Share of the memories of a scope beyond which a name is none of a story: it is in all of them."""

FEW = 20
"""Memories of a scope up to which no name is too common."""

ALIKE = 0.6
"""Share of a story's fragments with which another one tells it already."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What is looked at of a memory. `weight` says which stay where there are too many."""

    id: str
    at: float
    episode: str
    turns: frozenset[int]
    raw: bool
    weight: tuple[float, ...]


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
    _count: int = 0

    def add(self, memory: Memory) -> None:
        """Take a memory, if it can be part of a story."""
        if memory.kind is Kind.NARRATIVE or only_asks(memory.said):
            return
        self._count += 1
        fragment = _fragment(memory)
        for topic, label in topics_of(memory):
            self._topics[topic][memory.id] = fragment
            self._labels.setdefault(topic, label)

    def chosen(self, is_known: Callable[[str], bool]) -> list[Story]:
        """The stories; of those that tell the same a known topic comes first, then the longest.

        The same memories give the same stories, in whatever order they were taken.
        """
        found = [
            Story(topic, self._labels[topic], told)
            for topic, fragments in sorted(self._topics.items())
            if (told := _told(fragments.values())) and self._is_rare(len(fragments))
        ]
        found.sort(key=lambda each: (not is_known(each.topic), -len(each.fragments), each.topic))
        kept: list[Story] = []
        for story in found:
            if len(kept) == MOST_STORIES:
                break
            if not any(_tells(other, story) for other in kept):
                kept.append(story)
        return kept

    def _is_rare(self, fragments: int) -> bool:
        return self._count <= FEW or fragments <= COMMON * self._count


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
        memory.origin.episode,
        frozenset(memory.origin.turns),
        memory.kind is Kind.EVIDENCE,
        (memory.importance, vitality.useful_score, memory.created_at),
    )


def _told(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Those of a topic that tell a story, without raw turns that another one was learnt from."""
    every = list(fragments)
    learnt = frozenset[int]().union(*(each.turns for each in every if not each.raw))
    own = [each for each in every if not each.raw or learnt.isdisjoint(each.turns)]
    best = sorted(own, key=lambda each: (each.weight, each.id), reverse=True)[:MOST_LINES]
    told = sorted(best, key=lambda each: (each.at, each.id))
    return tuple(told) if _is_story(told) else ()


def _is_story(told: Sequence[Fragment]) -> bool:
    if len(told) < LEAST_FRAGMENTS or told[-1].at - told[0].at < LEAST_SPAN:
        return False
    # What has no episode, a memory by hand say, is one of its own.
    return len({each.episode or each.id for each in told}) >= LEAST_EPISODES


def _tells(story: Story, other: Story) -> bool:
    shared = {each.id for each in story.fragments} & {each.id for each in other.fragments}
    return len(shared) >= ALIKE * len(other.fragments)
