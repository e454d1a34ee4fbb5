"""A policy tried in a workload with ground truth: what of the needed was still there. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.forgetting.lifecycle import DAY
from ...core.forgetting.policy import Action, ForgettingPolicy
from ...core.forgetting.population import Flags, Ints
from ...core.forgetting.tmd import initial_strength
from ...core.simulation.run import Pool, judge, newborn, touch
from .item_profiles import ItemProfile, Rhythm
from .workload import Workload

RIPE_DAYS = 90
"""Noise counts as kept or dropped once it is so old."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How recalls are judged: of which share (0..1), and how often wrongly (0..1).

    `spare` recalls a day go to memories nobody needed.
    """

    share: float = 1 / 6
    missed: float = 0.1
    mistaken: float = 0.02
    spare: int = 60


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """Shares 0..1. `hit_rate`: needs met by a memory in ordinary recall, of all, of yearly
    ones, of identity facts, and of yearly ones that are identity or marked important.

    `storage`: memories in ordinary recall in the second half, of those that had been made by
    then. `noise_dropped`: of memories that are never needed, those gone from recall.
    """

    hit_rate: float
    yearly: float
    identity: float
    precious: float
    noise_dropped: float
    storage: float


def evaluate(
    policy: ForgettingPolicy, workload: Workload, judging: Judging, rng: np.random.Generator
) -> EvaluationResult:
    """Live through the workload's days under the policy."""
    evaluation = _Evaluation(policy, workload, judging, rng)
    for day in range(1, workload.days + 1):
        evaluation.live(day)
    return evaluation.outcome()


def average(outcomes: Sequence[EvaluationResult]) -> EvaluationResult:
    """The mean of each figure; at least one outcome."""
    names = EvaluationResult.__dataclass_fields__
    means = {name: float(np.mean([getattr(o, name) for o in outcomes])) for name in names}
    return EvaluationResult(**means)


class _Evaluation:
    """One run under way."""

    def __init__(
        self,
        policy: ForgettingPolicy,
        workload: Workload,
        judging: Judging,
        rng: np.random.Generator,
    ) -> None:
        self._policy, self._workload, self._judging, self._rng = policy, workload, judging, rng
        self._pool = Pool(1, capacity=1_024)
        self._row: Ints = np.full(len(workload), -1, dtype=np.int64)
        self._memory: Ints = np.full(1_024, -1, dtype=np.int64)
        self._met: Flags = np.zeros(len(workload.needed), dtype=np.bool_)
        self._shares: list[float] = []
        self._strength: Ints = np.array([initial_strength(each) for each in workload.importance])

    def live(self, day: int) -> None:
        """One day: made, needed and recalled, forgotten."""
        self._make(day)
        self._recall(day)
        self._forget(day)
        if day > self._workload.days // 2:
            made = int(self._workload.first_of_day[day + 1])
            self._shares.append(len(self._in_recall()) / max(1, made))

    def outcome(self) -> EvaluationResult:
        """After the last day."""
        workload = self._workload
        there = np.zeros(len(workload), dtype=np.bool_)
        there[self._memory[self._in_recall()]] = True
        noise = workload.of_profile(lambda profile: profile.rhythm is Rhythm.NEVER)
        ripe = noise & (workload.born <= workload.days - RIPE_DAYS)
        yearly = workload.of_profile(lambda profile: profile.rhythm is Rhythm.YEARLY)
        identity = workload.of_profile(_is_identity)
        return EvaluationResult(
            hit_rate=_mean(self._met),
            yearly=_mean(self._met[yearly[workload.needed]]),
            identity=_mean(self._met[identity[workload.needed]]),
            precious=_mean(self._met[(yearly & (identity | workload.kept))[workload.needed]]),
            noise_dropped=1.0 - _mean(there[ripe]),
            storage=float(np.mean(self._shares)) if self._shares else 0.0,
        )

    def _make(self, day: int) -> None:
        workload = self._workload
        made: Ints = np.arange(int(workload.first_of_day[day]), int(workload.first_of_day[day + 1]))
        memories = newborn(
            day * DAY,
            len(made),
            strength=self._strength[made],
            importance=workload.importance[made],
            trust=workload.trust[made],
            kind=workload.kind[made],
            facet=workload.facet[made],
            kept=workload.kept[made],
            luck=self._rng.random(len(made)),
        )
        rows = self._pool.add(memories, np.zeros(len(made), dtype=np.int8))
        if len(self._memory) < len(self._pool.group):
            grown = np.full(len(self._pool.group), -1, dtype=np.int64)
            grown[: len(self._memory)] = self._memory
            self._memory = grown
        self._row[made], self._memory[rows] = rows, made

    def _recall(self, day: int) -> None:
        workload, judging, rng = self._workload, self._judging, self._rng
        needs = slice(int(workload.needs_of_day[day]), int(workload.needs_of_day[day + 1]))
        rows = self._row[workload.needed[needs]]
        met = rows >= 0
        met[met] &= ~self._pool.population.archived[rows[met]]
        self._met[needs] = met
        wanted = np.unique(rows[met])
        others = self._others(wanted)
        rows = np.concatenate([wanted, others])
        helped = np.arange(len(rows)) < len(wanted)
        judged = rng.random(len(rows)) < judging.share
        luck = rng.random(len(rows))
        useful = np.where(helped, luck >= judging.missed, luck < judging.mistaken)
        order = np.argsort(rows, kind="stable")
        rows, judged, useful = rows[order], judged[order], useful[order]
        now = day * DAY
        touch(self._pool, rows[~judged], now=now)
        judge(self._pool, self._policy, rows[judged], useful[judged], now=now, floor=True)

    def _others(self, wanted: Ints) -> Ints:
        """Memories recalled though nobody needed them."""
        alive = np.setdiff1d(self._in_recall(), wanted, assume_unique=True)
        spare = min(self._judging.spare, len(alive))
        return self._rng.choice(alive, spare, replace=False) if spare else alive[:0]

    def _in_recall(self) -> Ints:
        pool = self._pool
        return np.flatnonzero(pool.occupied & ~pool.population.archived)

    def _forget(self, day: int) -> None:
        pool, now = self._pool, day * DAY
        self._policy = self._policy.fitted(pool.population, now=now)
        fates = self._policy.fates(pool.population, now=now)
        pool.weaken(fates)
        occupied = pool.occupied
        pool.population.archived[(fates.action == Action.ARCHIVE) & occupied] = True
        gone = np.flatnonzero(occupied & (fates.action > Action.ARCHIVE))
        self._row[self._memory[gone]] = -1
        pool.remove(gone)


def _is_identity(profile: ItemProfile) -> bool:
    return profile.identity


def _mean(flags: Flags) -> float:
    """Share that is true; 1 of none, because nothing is missing."""
    return float(flags.mean()) if len(flags) else 1.0
