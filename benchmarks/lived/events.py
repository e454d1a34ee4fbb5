"""The events of a life that was played: memories made, shown and judged, and when each is needed.

A life is played through the engine without a host, and nothing is let go of: what a policy would
have kept is told afterwards from the events.
"""

from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core.forgetting.population import Flags, Floats, Population
from ...core.forgetting.tmd import initial_strength
from ...core.model.conversation import Scope, ScopeKind
from ...core.model.memory import Access, Memory, Standing, Succession, Vitality
from ...core.ports import Embedder, Filter, Journal, MemoryStore
from ..living import script
from ..living.installation import AWAKE, Learning, opened
from ..living.judging import holds
from ..living.player import Player
from .life import WORD, Life, line_of

type Tells = Callable[[Memory], bool]
type Marks = Mapping[float, Sequence[Tells] | None]
"""By the time of a message what it needs, each told by some memories: None where that is not known,
empty for nothing."""

MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A memory, by its row, in the block of a message; `useful` by the marks, None without any."""

    at: float
    row: int
    useful: bool | None


@dataclass(frozen=True, slots=True)
class NeededRows:
    """Something a message needs, and the rows that tell it."""

    at: float
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Everything that happened to the memories of one life, as they were when they were made.

    A row counts as memory until it is replaced (`until`); a claim `holds_until`. From `stale_from`
    on all it tells has ended.
    """

    name: str
    born: Population
    until: Floats
    holds_until: Floats
    stale_from: Floats
    shown: Sequence[ShownRow]
    needed: Sequence[NeededRows]

    @property
    def noise(self) -> Flags:
        """Rows that nothing ever needs."""
        found = np.ones(len(self.born), dtype=np.bool_)
        found[[row for need in self.needed for row in need.rows]] = False
        return found

    def stretched(self, factor: float) -> "Events":
        """The same with that much more time between any two events."""
        first = self.born.created_at.min()

        def at[Time: (float, Floats)](time: Time) -> Time:
            return first + (time - first) * factor

        created = at(self.born.created_at)
        return replace(
            self,
            born=replace(self.born, created_at=created, last_access_at=created),
            until=at(self.until),
            holds_until=at(self.holds_until),
            stale_from=at(self.stale_from),
            shown=[replace(one, at=at(one.at)) for one in self.shown],
            needed=[replace(one, at=at(one.at)) for one in self.needed],
        )


async def month_events(life: Life, embedder: Embedder | None, folder: Path) -> Events:
    """A written month played here: raw turns, and what the rules make of them."""
    kind = ScopeKind.GROUP if life.group else ScopeKind.PRIVATE
    zh = life.name.startswith("zh")
    scope = Scope(kind, "life", life.name, "default")
    lines = [line_of(one, WORD[zh]) for one in life.said]
    played = script.Life(life.name, "zh" if zh else "en", scope, ())
    async with _played(played, lines, embedder, folder, "rules") as player:
        parts = player.at.engine.parts
        return await _of_month(life, parts.store, parts.journal, scope.key)


async def _of_month(life: Life, store: MemoryStore, journal: Journal, scope: str) -> Events:
    def tells(fact: str) -> Tells:
        return lambda memory: life.facts[fact].told_by(memory.text)

    def stale_from(memory: Memory) -> float:
        ends = [one.until for one in life.facts.values() if one.told_by(memory.text)]
        known = [life.said[end].at for end in ends if end is not None]
        return max(known) if ends and len(known) == len(ends) else np.inf

    marks: Marks = {
        one.at: None if one.needs is None else [tells(fact) for fact in one.needs]
        for one in life.said
    }
    return await _events(life.name, store, journal, scope, marks, stale_from)


async def life_events(
    life: script.Life, said: Sequence[script.Line], embedder: Embedder | None, folder: Path
) -> Events:
    """A life of the data, by its questions; what is said between its lines needs nothing.

    What a good reader learns is learnt where the data say so.
    """
    learning: Learning = "recorded" if life.recorded else "rules"
    async with _played(life, said, embedder, folder, learning) as player:

        def tells(part: script.Part) -> Tells:
            return lambda memory: holds(part, memory.text, player.labels(memory))

        def needs(line: script.Line) -> list[Tells] | None:
            if line.need is None:
                return None if line.life else []
            return [tells(part) for part in line.need.parts]

        parts, marks = player.at.engine.parts, {one.at: needs(one) for one in said}
        key = life.scope.key
        return await _events(life.name, parts.store, parts.journal, key, marks, lambda _: np.inf)


@asynccontextmanager
async def _played(
    life: script.Life,
    lines: Sequence[script.Line],
    embedder: Embedder | None,
    folder: Path,
    learning: Learning,
) -> AsyncIterator[Player]:
    async with opened(folder, embedder, AWAKE, learning, life.recorded) as at:
        player = Player(at)
        at.clock.at = lines[0].at - script.DAY
        for line in lines:
            await player.say(life, line)
        await player.come_to_rest()
        yield player


async def _events(
    name: str,
    store: MemoryStore,
    journal: Journal,
    scope: str,
    marks: Marks,
    stale_from: Callable[[Memory], float],
) -> Events:
    where = Filter(scopes=frozenset({scope}), status=None)
    memories = [each async for each in store.iterate(where)]
    memories.sort(key=lambda memory: memory.created_at)
    made = {memory.id: memory.created_at for memory in memories}
    after = [memory.successor for memory in memories]
    replaced = [None if s is None or s.how is Succession.UPDATES else s.memory for s in after]
    until = np.array([made.get(id or "", np.inf) for id in replaced])
    claims = [memory.claim for memory in memories]
    ends = [np.inf if c is None or c.valid_to is None else c.valid_to for c in claims]
    needed = [
        NeededRows(at, rows)
        for at, needs in marks.items()
        for tells in needs or ()
        if (rows := _telling(memories, until, tells, at))
    ]
    born, chance = Population.of([_as_made(each) for each in memories]), np.random.default_rng(0)
    return Events(
        name,
        # Ids are drawn anew in every play, and luck follows from them.
        replace(
            born, holds=np.array([c is not None for c in claims]), luck=chance.random(len(born))
        ),
        until,
        np.array(ends),
        np.array([stale_from(memory) for memory in memories]),
        sorted(await _shown(memories, journal, marks), key=lambda one: one.at),
        sorted(needed, key=lambda one: one.at),
    )


async def _shown(memories: Sequence[Memory], journal: Journal, marks: Marks) -> list[ShownRow]:
    said, shown = sorted(marks), list[ShownRow]()
    for row, memory in enumerate(memories):
        for one in await journal.showings(memory.id, limit=MOST):
            # In a host it is shown a moment after the message.
            at = said[max(0, bisect_right(said, one.at) - 1)]
            needs = marks[at]
            useful = None if needs is None else any(tells(memory) for tells in needs)
            shown.append(ShownRow(at, row, useful))
    return shown


def _telling(memories: Sequence[Memory], ends: Floats, tells: Tells, at: float) -> tuple[int, ...]:
    """Rows of what was made before and not replaced by then."""
    return tuple(
        row
        for row, memory in enumerate(memories)
        if memory.created_at < at < ends[row] and tells(memory)
    )


def _as_made(memory: Memory) -> Memory:
    strength = initial_strength(memory.importance)
    return replace(
        memory,
        vitality=Vitality(strength, sole=memory.vitality.sole),
        access=Access(memory.created_at, memory.created_at),
        standing=Standing(),
    )
