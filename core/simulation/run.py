"""Profile mode: a population lives day by day under a policy. Pure.

Algorithms, section 1.1; the order within a day is: create, recall and judge, decay, remove, count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..forgetting.lifecycle import DAY
from ..forgetting.policy import Fates, ForgettingPolicy
from ..forgetting.population import KINDS, Codes, Flags, Floats, Ints, Population
from ..forgetting.retention_value import CurvePolicy
from ..forgetting.tiered import Tiered
from ..forgetting.tmd import Tmd
from ..model.memory import Kind
from .summary import Summary, Tables
from .usage_profiles import PROFILES, YEAR, Profile, creation_shares, recall_shares

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


LIFT = 1 << 40
"""Added to strengths for the verdicts of a day, so that no floor at zero is met before evening."""


def judge(
    pool: Pool,
    policy: ForgettingPolicy,
    rows: Ints,
    useful: Flags,
    *,
    now: float,
    floor: bool = False,
) -> Ints:
    """Apply verdicts in the order given within each row; `rows` ascending, rows may repeat.

    Without `floor` strength may fall below zero within the day, so that a memory recalled in
    vain beyond its strength needs as many useful verdicts to see the next day; the published
    figures come out only so. With it every verdict stops at zero, as the policy's own does.
    Returns the rows that are left with no strength.
    """
    telling = _telling(pool, policy.tmd, rows, useful)
    touch(pool, rows[~telling], now=now)
    rows, useful = rows[telling], useful[telling]
    if not len(rows):
        return rows
    if not floor and books_as_tmd(policy):
        return _at_once(pool, policy.tmd, rows, useful, now)
    return _in_rounds(pool, policy, rows, useful, now, 0 if floor else LIFT)


def touch(pool: Pool, rows: Ints, *, now: float) -> None:
    """Each of these rows recalled once more per mention, without a verdict."""
    population = pool.population
    population.recalls[:] += np.bincount(rows, minlength=len(population))
    population.last_access_at[rows] = now


def books_as_tmd(policy: ForgettingPolicy) -> bool:
    """Whether its verdicts are TMD's and nothing more."""
    return isinstance(policy, Tiered) or type(policy) is CurvePolicy


def _telling(pool: Pool, tmd: Tmd, rows: Ints, useful: Flags) -> Flags:
    """Which verdicts do more than count a recall.

    Those on rows that are of tier 1, or come to be judged useful today.
    """
    p, score = tmd.parameters, pool.population.useful_score
    affected = (score >= p.tier0_threshold) & (score < p.tier1_threshold)
    affected[rows[useful]] = True
    return affected[rows]


def _at_once(pool: Pool, tmd: Tmd, rows: Ints, useful: Flags, now: float) -> Ints:
    """All verdicts in one go: without a floor each costs or brings what its tier says."""
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    distinct = rows[starts]
    p, people = tmd.parameters, pool.population
    so_far = np.cumsum(useful) - useful
    repeats = np.diff(np.append(starts, len(rows)))
    score = people.useful_score[rows] + p.consolidate_speed * (
        so_far - np.repeat(so_far[starts], repeats)
    )
    tier1 = (score >= p.tier0_threshold) & (score < p.tier1_threshold)
    change = np.where(useful, p.useful_boost, np.where(tier1, -1, 0))
    won = np.add.reduceat(useful.astype(np.int64), starts)
    strength = people.strength[distinct] + np.add.reduceat(change, starts)
    people.strength[distinct] = np.maximum(0, strength)
    people.useful_count[distinct] += won
    people.useful_score[distinct] += p.consolidate_speed * won
    people.last_recalled_at[distinct[won > 0]] = now
    people.recalls[distinct] += repeats
    people.last_access_at[distinct] = now
    return distinct[strength <= 0]


def _in_rounds(
    pool: Pool, policy: ForgettingPolicy, rows: Ints, useful: Flags, now: float, lift: int
) -> Ints:
    """By the policy's own rule: one round per further recall, so that none holds a row twice."""
    first = np.concatenate([[True], rows[1:] != rows[:-1]])
    starts, place = np.flatnonzero(first), np.cumsum(first) - 1
    rank = np.arange(len(rows)) - starts[place]
    distinct = rows[starts]
    part = pool.population.take(distinct)
    part = replace(part, strength=part.strength + lift)
    for nth in range(int(rank.max()) + 1):
        turn = rank == nth
        part = policy.judge_rows(part, place[turn], useful[turn], now=now)
    strength = part.strength - lift
    pool.write(distinct, replace(part, strength=np.maximum(0, strength)))
    return distinct[strength <= 0]


MONTH = 30
"""Days between two entries of the monthly survivors."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a bot goes through: calls a day (both ends possible), each making one memory.

    Each call recalls `top_k` memories, each judged useful with probability `useful_prob`.
    `floor`: see `verdicts.judge`.
    """

    days: int = 365
    fewest_calls: int = 500
    most_calls: int = 500
    top_k: int = 10
    useful_prob: float = 0.05
    floor: bool = False


def simulate(
    policy: ForgettingPolicy,
    rng: np.random.Generator,
    conditions: Conditions = Conditions(),
    profiles: Sequence[Profile] = PROFILES,
    *,
    on_day: Callable[[int], None] | None = None,
) -> Summary:
    """What becomes of all memories made in `conditions.days`; `on_day` is told each day's end."""
    simulation = _Simulation(policy, rng, conditions, profiles)
    for day in range(1, conditions.days + 1):
        simulation.pass_day(day)
        if on_day is not None:
            on_day(day)
    return simulation.summary()


def generator(seed: int) -> np.random.Generator:
    """Random numbers that follow from the seed, a whole number >= 0."""
    return np.random.default_rng(seed)


class _Simulation:
    """One run under way."""

    def __init__(
        self,
        policy: ForgettingPolicy,
        rng: np.random.Generator,
        conditions: Conditions,
        profiles: Sequence[Profile],
    ) -> None:
        self._policy, self._rng, self._conditions = policy, rng, conditions
        self._profiles = profiles
        self._pool = Pool(len(profiles), capacity=20 * conditions.most_calls + 64)
        self._recalled = recall_shares(profiles, conditions.days)
        self._created: Floats = creation_shares(profiles)
        self._strength: Ints = np.array([profile.strength for profile in profiles])
        self._importance: Floats = np.array([profile.importance for profile in profiles])
        self._yearly = [code for code, profile in enumerate(profiles) if profile.yearly]
        self._tables = Tables.empty(len(profiles), conditions.days)

    def pass_day(self, day: int) -> None:
        """One day, from 1."""
        conditions, rng = self._conditions, self._rng
        calls = int(rng.integers(conditions.fewest_calls, conditions.most_calls + 1))
        self._create(calls, day)
        counts = rng.multinomial(calls * conditions.top_k, self._recalled[day - 1])
        rows = self._pool.draw(counts, rng)
        useful = rng.random(len(rows)) < conditions.useful_prob
        now = day * DAY
        spent = judge(self._pool, self._policy, rows, useful, now=now, floor=conditions.floor)
        if day > YEAR:
            self._review(day)
        self._forget(day, spent)
        self._count(day)

    def summary(self) -> Summary:
        """Of the days lived; the living count with their age."""
        pool, days = self._pool, self._conditions.days
        alive = pool.occupied
        tables = self._tables
        tables.add_lives(pool.group[alive], self._ages(days)[alive])
        names = [profile.name for profile in self._profiles]
        return tables.summary(names, self._tiers_by_group())

    def _create(self, calls: int, day: int) -> None:
        group = self._rng.choice(len(self._profiles), calls, p=self._created).astype(np.int8)
        memories = newborn(
            day * DAY,
            calls,
            strength=self._strength[group],
            importance=self._importance[group],
            kind=KINDS.index(Kind.SEMANTIC),
            luck=self._rng.random(calls),
        )
        self._pool.add(memories, group)

    def _review(self, day: int) -> None:
        """The sure useful recalls of the yearly profiles."""
        for code in self._yearly:
            ages = self._ages(day)
            due = (self._pool.group == code) & (ages > 0) & (ages % YEAR == 0)
            rows = np.flatnonzero(due)
            useful = np.ones(len(rows), dtype=np.bool_)
            judge(self._pool, self._policy, rows, useful, now=day * DAY)

    def _forget(self, day: int, spent: Ints) -> None:
        pool, now = self._pool, day * DAY
        self._policy = self._policy.fitted(pool.population, now=now)
        fates = self._policy.fates(pool.population, now=now)
        pool.weaken(fates)
        gone = fates.gone
        if isinstance(self._policy, Tiered):
            # Tier 2 is safe from time, not from having had no strength when it got there.
            gone[spent] |= pool.population.strength[spent] <= 0
        rows = np.flatnonzero(gone & pool.occupied)
        self._tables.add_lives(pool.group[rows], self._ages(day)[rows])
        pool.remove(rows)

    def _count(self, day: int) -> None:
        p, score = self._policy.tmd.parameters, self._pool.population.useful_score
        alive = score[self._pool.occupied]
        upper = np.count_nonzero(alive >= p.tier1_threshold)
        proven = np.count_nonzero(alive >= p.tier0_threshold)
        self._tables.tiers[day - 1] = len(alive) - proven, proven - upper, upper
        if day % MONTH == 0:
            self._tables.monthly.append(self._pool.sizes())

    def _tiers_by_group(self) -> Ints:
        """Living memories by profile (row) and tier (column)."""
        pool, p = self._pool, self._policy.tmd.parameters
        score, groups = pool.population.useful_score, len(self._profiles)
        tier = (score >= p.tier0_threshold).astype(np.int64)
        tier[score >= p.tier1_threshold] = 2
        codes = pool.group * np.int64(3) + tier
        return np.bincount(codes, minlength=3 * groups)[: 3 * groups].reshape(groups, 3)

    def _ages(self, day: int) -> Ints:
        """Whole days since the creation of every row."""
        return (day - self._pool.population.created_at / DAY).astype(np.int64)
