"""The memories alive in a simulation, in columns whose rows are used again. Pure."""

from dataclasses import fields

import numpy as np

from ..forgetting.policy import Fates
from ..forgetting.population import Codes, Flags, Floats, Ints, Population

COLUMNS = tuple(column.name for column in fields(Population))


class Pool:
    """Rows with a group (0..`groups`-1), added and removed in place.

    A free row counts as archived, which no policy bins, and belongs to the group `groups`.
    Arrays of `population` are changed in place and replaced when the pool grows: a reference to
    one must not be kept over `add`.
    """

    def __init__(self, groups: int, capacity: int) -> None:
        self._groups = groups
        self.population = nobody(capacity)
        self.group: Codes = np.full(capacity, groups, dtype=np.int8)
        self._free: Ints = np.arange(capacity)

    def __len__(self) -> int:
        return len(self.group) - len(self._free)

    @property
    def occupied(self) -> Flags:
        """Which rows hold a memory."""
        return self.group < self._groups

    def add(self, newborn: Population, group: Codes) -> Ints:
        """Put these memories into free rows; the rows they got."""
        if len(self._free) < len(newborn):
            self._grow(len(newborn))
        rows, self._free = np.split(self._free, [len(newborn)])
        self.write(rows, newborn)
        self.group[rows] = group
        return rows

    def write(self, rows: Ints, population: Population) -> None:
        """Replace these rows, none of them twice."""
        for name in COLUMNS:
            getattr(self.population, name)[rows] = getattr(population, name)

    def weaken(self, fates: Fates) -> None:
        """What a pass of the policy has left of every row's vitality."""
        self.population.strength[:] = fates.strength
        self.population.useful_score[:] = fates.useful_score
        self.population.last_decay_at[:] = fates.last_decay_at

    def remove(self, rows: Ints) -> None:
        """Free these rows, none of them twice."""
        self.group[rows] = self._groups
        self.population.archived[rows] = True
        self.population.useful_score[rows] = 0.0
        self._free = np.concatenate([rows, self._free])

    def sizes(self) -> Ints:
        """Memories per group."""
        return np.bincount(self.group, minlength=self._groups + 1)[: self._groups]

    def draw(self, counts: Ints, rng: np.random.Generator) -> Ints:
        """Random rows, ascending: `counts` per group with replacement; none of an empty group."""
        sizes = self.sizes()
        counts = np.where(sizes > 0, counts, 0)
        ordered = np.argsort(self.group, kind="stable")
        starts = np.cumsum(sizes) - sizes
        luck = rng.random(int(counts.sum())) * np.repeat(sizes, counts)
        # A product of the largest random number may round up to the size itself.
        places = np.minimum(luck.astype(np.int64), np.repeat(sizes - 1, counts))
        return np.sort(ordered[np.repeat(starts, counts) + places])

    def _grow(self, wanted: int) -> None:
        old = len(self.group)
        more = max(old // 4, wanted)
        empty = nobody(more)
        columns = {
            name: np.concatenate([getattr(self.population, name), getattr(empty, name)])
            for name in COLUMNS
        }
        self.population = Population(**columns)
        self.group = np.concatenate([self.group, np.full(more, self._groups, dtype=np.int8)])
        self._free = np.concatenate([self._free, np.arange(old, old + more)])


def nobody(count: int) -> Population:
    """Rows without a memory."""
    return newborn(0, count, strength=np.zeros(count, dtype=np.int64), archived=True)


def newborn(
    now: float,
    count: int,
    *,
    strength: Ints,
    importance: Floats | float = 0.5,
    trust: Floats | float = 0.5,
    kind: Codes | int = 0,
    facet: Codes | int = -1,
    kept: Flags | bool = False,
    archived: bool = False,
    luck: Floats | float = 0.5,
) -> Population:
    """Memories created `now` (seconds), not recalled yet."""
    return Population(
        strength=strength,
        useful_count=np.zeros(count, dtype=np.int64),
        useful_score=np.zeros(count),
        recalls=np.zeros(count, dtype=np.int64),
        created_at=np.full(count, now, dtype=np.float64),
        settled_at=np.zeros(count),
        last_recalled_at=np.zeros(count),
        last_decay_at=np.zeros(count),
        last_access_at=np.full(count, now, dtype=np.float64),
        importance=np.full(count, importance, dtype=np.float64),
        trust=np.full(count, trust, dtype=np.float64),
        kind=np.full(count, kind, dtype=np.int8),
        facet=np.full(count, facet, dtype=np.int8),
        kept=np.full(count, kept, dtype=np.bool_),
        holds=np.zeros(count, dtype=np.bool_),
        sole=np.zeros(count, dtype=np.bool_),
        archived=np.full(count, archived, dtype=np.bool_),
        luck=np.full(count, luck, dtype=np.float64),
        stability=np.zeros(count),
        difficulty=np.zeros(count),
    )
