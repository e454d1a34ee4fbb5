"""What a recall is asked, after what was said, and how it was understood."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

import numpy as np

from ..languages.terms import content_terms
from ..languages.times import Interval
from ..model.memory import RAW, WHOLE, Memory
from ..ports import Embedder, MemoryStore, MemoryVectors, Reranker, Turns, Vector, Views
from ..records.evidence import as_said
from ..records.tool_calls import split_calls
from ..scoring.decision import Eagerness, Fitted, Fusion
from ..scoring.fitted import FITTED
from ..similarity.calibration import Frame, Frames
from ..text.quoting import normalise
from .block import Style
from .selection import Context, Matter
from .trace import Intent, Leg

NEAR = 1.0
"""Relevance from which a memory is about what a query names: most of what answers it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to recall for. `deadline` in seconds; budget in tokens; `first` number to give.

    `earlier` are the person's turns before this one, oldest first; `own` is the id of the raw turn
    that asks; `now` is a Unix time, in the zone `where` (None: the machine's own). Legs in
    `without` are left out. What is `due` is shown first, whatever is asked. Who `insists` has asked
    for memories, and is told what there is.
    """

    text: str
    scopes: frozenset[str]
    context: Context
    deadline: float
    budget: int
    limit: int
    style: Style
    first: int = 1
    without: frozenset[Leg] = frozenset()
    earlier: tuple[str, ...] = ()
    now: float = 0.0
    where: tzinfo | None = None
    due: tuple[Memory, ...] = ()
    eagerness: Eagerness = Eagerness.BALANCED
    fusion: Fusion = Fusion.WEIGHTED
    insists: bool = False
    own: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to search, and who judges; `frames` tell what the embedder's cosines mean.

    `turns_of` gives the ids of the raw turns that a memory was learnt from; `same` the other
    names (`entity_id`) of whoever goes, or went, by a name. `fitted` decides.
    """

    store: MemoryStore
    embedder: Embedder | None = None
    frames: Frames | None = None
    reranker: Reranker | None = None
    turns_of: Callable[[Memory], Sequence[str]] = lambda _: ()
    same: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    fitted: Fitted = FITTED


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as read, once: its intents, the times it asks about, and its other words."""

    question: Question
    intents: Mapping[Intent, float]
    times: tuple[Interval, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """The question as a unit vector, without the turns before it too, and how cosines are read.

    `known` are the vectors that have been read in this recall, `views` those of the further views
    of these memories by name; `told` is what they say, see `best_views`.
    """

    vector: Vector
    alone: Vector
    fingerprint: str
    frame: Frame
    known: dict[str, Vector] = field(default_factory=dict[str, Vector])
    views: dict[str, Views] = field(default_factory=dict[str, Views])
    told: dict[str, tuple[float, str]] = field(default_factory=dict[str, tuple[float, str]])

    def asks(self) -> float:
        """What the turn itself says of whether it needs a memory, as a logit; 0 if unknown."""
        scales = self.frame.scales
        return 0.0 if scales is None else scales.asking.logit(self.alone)

    def lasting(self, ids: Sequence[str]) -> dict[str, float]:
        """Of each that is known: what it says of whether it tells what lasts, as a logit."""
        own, scales = [id for id in ids if id in self.known], self.frame.scales
        if scales is None or not own:
            return {}
        told = scales.lasts(np.stack([self.known[id] for id in own]))
        return dict(zip(own, told.tolist(), strict=True))

    async def read(self, store: MemoryVectors, ids: Iterable[str]) -> None:
        """Know the vectors of these memories, those of this embedder."""
        unread = [id for id in ids if id not in self.known]
        found = await store.vectors(unread) if unread else {}
        for id, each in found.items():
            # One may have been embedded anew meanwhile, in another space.
            if each.fingerprint == self.fingerprint and each.vector.size == self.vector.size:
                self.known[id] = each.vector
                if each.views:
                    self.views[id] = each.views

    def best_views(self, ids: Sequence[str], *, raw: bool) -> dict[str, tuple[float, str]]:
        """Of each that is known what its nearest view says to the question, 0 unrelated, 1 related,
        and the view's name, "" for the whole. Read once, in the frame of its kind.
        """
        self.told.update(
            self._readings(self.vector, [id for id in ids if id not in self.told], raw)
        )
        return {id: self.told[id] for id in ids if id in self.told}

    def about(self, query: Vector, memories: Iterable[Memory]) -> set[str]:
        """Ids of those that are as near to a query as most of what answers it."""
        # An embedder may answer in another space meanwhile.
        memories = memories if query.size == self.vector.size else ()
        kinds = {True: list[str](), False: list[str]()}
        for memory in memories:
            kinds[memory.kind in RAW].append(memory.id)
        read = [self._readings(query, ids, raw) for raw, ids in kinds.items()]
        return {id for found in read for id, (value, _) in found.items() if value >= NEAR}

    async def unwanted(
        self, matters: Sequence[Matter], memories: Sequence[Memory], embedder: Embedder
    ) -> frozenset[str]:
        """Ids of those that are about one of these matters, but for the wishes themselves."""
        told: set[str] = set()
        for matter in matters:
            query = await embedder.embed_query(matter.name)
            told |= self.about(query, memories) - {matter.wish}
        return frozenset(told)

    def _readings(
        self, query: Vector, ids: Iterable[str], raw: bool
    ) -> dict[str, tuple[float, str]]:
        """Of each that is known, the reading of its best view and the view's name."""
        rows: list[tuple[str, str, Vector]] = []
        for id in ids:
            if (whole := self.known.get(id)) is not None:
                rows.append((id, WHOLE, whole))
                rows += [(id, name, view) for name, view in self.views.get(id, {}).items()]
        if not rows:
            return {}
        matrix = np.stack([vector for *_, vector in rows])
        readings = self.frame.relevances(query, matrix, raw=raw).tolist()
        best: dict[str, tuple[float, str]] = {}
        for (id, name, _), value in zip(rows, readings, strict=True):
            if id not in best or value > best[id][0]:
                best[id] = (value, name)
        return best


SHORT = 50
"""Texts that are compared without leaving the event loop."""

EARLIER = 3
LONGEST = 500
"""Characters of an earlier turn that say what it was about."""


async def comparable(history: frozenset[str]) -> frozenset[str]:
    """The texts of a history as the evidence of the same turns would hold them, normalised."""

    def normalised() -> frozenset[str]:
        return frozenset(normalise(as_said(text)).strip() for text in history)

    return await asyncio.to_thread(normalised) if len(history) > SHORT else normalised()


async def turns_seen(seq: int | None, history: frozenset[str], journal: Turns) -> frozenset[int]:
    """Seqs of the turns of the same episode that a history, as `comparable` gives it, holds."""
    turn = None if seq is None or not history else await journal.turn(seq)
    if turn is None:
        return frozenset() if seq is None else frozenset({seq})
    said = await journal.turns_of(turn.episode)
    return frozenset(one.seq for one in said if one.seq == seq or _as_seen(one.text) in history)


def _as_seen(text: str) -> str:
    """As the history has it: without what the bot did for an answer."""
    return normalise(as_said(split_calls(text)[0])).strip()


async def turns_before(seq: int | None, journal: Turns) -> tuple[str, ...]:
    """The last turns with content of the same person in the same episode, oldest first."""
    turn = None if seq is None else await journal.turn(seq)
    if turn is None:
        return ()
    said: list[str] = []
    for one in reversed(await journal.turns_of(turn.episode)):
        text = one.text[:LONGEST]
        if one.seq < turn.seq and one.speaker.id == turn.speaker.id and content_terms(text):
            said.append(text)
        if len(said) == EARLIER:
            break
    return tuple(reversed(said))
