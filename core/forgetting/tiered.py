"""TMD as a policy, with what goes beyond the paper: each part off unless it is asked for. Pure.

Algorithms, sections 1 and 1.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model.memory import Kind, Memory, Vitality
from .lifecycle import DAY, DecayPlan
from .policy import Action, Fate, Fates, ForgettingPolicy, Keep, ToBin, kept_always, timeless
from .population import KINDS, Floats, Ints, Population, by_facet
from .tmd import LONGEST_CYCLE, Tmd, round_half_up

NEARLY = 0.999
"""Of a cycle: what is younger cannot be due, however the division rounds."""

WEIGHTY = 0.7
"""Importance of identity, health and standing wishes; firm preferences are at 0.6."""


@dataclass(frozen=True, slots=True)
class Paces:
    """How many times longer than the cycle a tier 0 memory takes to lose a strength, >= 0.1.

    What was weighed as identity, health or a standing wish (importance >= 0.7) has at least the
    pace `weighty`, whatever its facet.
    """

    instruction: float = 1.0
    preference: float = 1.0
    workflow: float = 1.0
    episodic: float = 1.0
    evidence: float = 1.0
    weighty: float = 1.0

    def of(self, population: Population) -> Floats:
        """The pace of each row: by its facet, and without one by its kind."""
        paces = by_facet(population, lambda facet: getattr(self, facet.value))
        raw = population.kind == KINDS.index(Kind.EVIDENCE)
        paces = np.where(raw, self.evidence, paces)
        weighty = population.importance >= WEIGHTY
        return np.where(weighty, np.maximum(paces, self.weighty), paces)


@dataclass(frozen=True, slots=True)
class TmdExtensions:
    """What plain TMD does not do. 0 and None are off.

    `demote_after_days`: a memory of tier 1 or 2 not judged useful for so long falls to just
    under the threshold of its tier. `target_population`: live memories in a scope from which on
    the cycle shrinks in proportion, down to one day. `paces`: cycles by facet.
    """

    demote_after_days: float = 0.0
    target_population: int = 0
    paces: Paces | None = None

    @property
    def plain(self) -> bool:
        """Whether this is TMD as published."""
        return self == TmdExtensions()


@dataclass(frozen=True, slots=True)
class Tiered(ForgettingPolicy):
    """TMD over whole populations. `live`: memories in the scope, once it is `fitted`."""

    tmd: Tmd = Tmd()
    extensions: TmdExtensions = TmdExtensions()
    name: str = "tmd"
    live: int = 0

    @property
    def plan(self) -> DecayPlan | None:
        """TMD as published needs the columns alone."""
        return self.tmd.plan if self.extensions.plain else None

    @property
    def needs_other_memories(self) -> bool:
        """Whether the cycle depends on how many live in the scope."""
        return self.extensions.target_population > 0

    def each(self, memories: Sequence[Memory], *, now: float) -> list[Fate]:
        """What becomes of each memory."""
        fates = self.fates(Population.of(memories), now=now)
        columns = (fates.action, fates.strength, fates.useful_score, fates.last_decay_at)
        rows = zip(memories, *(column.tolist() for column in columns), strict=True)
        return [_fate(memory.vitality, *row) for memory, *row in rows]

    def fates(self, population: Population, *, now: float) -> Fates:
        """What becomes of every row: demoted, then faded, then binned if nothing is left."""
        score, settled = self._demoted(population, now)
        demoted = replace(population, useful_score=score, last_decay_at=settled)
        strength, settled = self._faded(demoted, now)
        spent = (strength <= 0) & ~kept_always(demoted, self.tmd) & ~population.archived
        action = np.where(spent, Action.BIN, Action.KEEP).astype(np.int8)
        return Fates(action, strength, score, settled)

    def forgotten_times(self, population: Population) -> Floats:
        """When each row is spent: after as many cycles as it has strength, and its demotions."""
        tier = self._tier(population)
        spent = (population.strength <= 0) & (tier < 2)
        falls = self._falls(population) * self.extensions.demote_after_days * DAY
        at = self._since(population) + falls + population.strength * self._cycle(population)
        if not self._demotes:
            at = np.where(tier > 0, np.inf, at)
        at = np.where(spent, np.maximum(population.last_decay_at, population.created_at), at)
        exempt = timeless(population, self.tmd) | population.archived
        return np.where(exempt, np.inf, at)

    def fitted(self, population: Population, *, now: float) -> "Tiered":
        """With the cycle that the size of the scope asks for."""
        if not self.needs_other_memories:
            return self
        return replace(self, live=int(np.count_nonzero(~population.archived)))

    def forgets(self, memory: Memory) -> bool:
        """Whether it is spent."""
        return self.tmd.plan.spends(memory)

    def _tier(self, population: Population) -> Ints:
        p, score = self.tmd.parameters, population.useful_score
        tier = np.where(score >= p.tier0_threshold, 1, 0)
        return np.where(score >= p.tier1_threshold, 2, tier)

    def _cycle(self, population: Population) -> Floats:
        """Seconds in which a tier 0 row loses one strength."""
        cycle, target = self.tmd.cycle_seconds, self.extensions.target_population
        if 0 < target < self.live:
            days = cycle / DAY * target / self.live
            cycle = max(1, round_half_up(days)) * DAY
        cycles = np.full(len(population), cycle)
        if self.extensions.paces is not None:
            paces = self.extensions.paces.of(population)
            cycles = np.minimum(cycle * paces, LONGEST_CYCLE * DAY)
        return cycles * np.where(population.sole, self.tmd.patience, 1.0)

    def _since(self, population: Population) -> Floats:
        since = np.maximum(population.last_decay_at, population.last_recalled_at)
        return np.maximum(since, population.created_at)

    @property
    def _demotes(self) -> bool:
        # Without a tier 0 there is nowhere to fall to.
        return self.extensions.demote_after_days > 0 and self.tmd.parameters.tier0_threshold > 0

    def _falls(self, population: Population) -> Ints:
        """Demotions between each row and tier 0; one from tier 2 where tier 1 is empty."""
        p, tier = self.tmd.parameters, self._tier(population)
        return tier if p.tier1_threshold > p.tier0_threshold else np.minimum(tier, 1)

    def _demoted(self, population: Population, now: float) -> tuple[Floats, Floats]:
        """Useful score and last decay after the falls that are due."""
        score, settled = population.useful_score, population.last_decay_at
        if not self._demotes:
            return score, settled
        period, since = self.extensions.demote_after_days * DAY, self._since(population)
        possible = self._falls(population)
        falls = np.clip(np.floor((now - since) / period), 0, possible)
        falls = np.where(timeless(population, self.tmd), 0.0, falls)
        p = self.tmd.parameters
        bound = np.where(falls < possible, p.tier1_threshold, p.tier0_threshold)
        score = np.where(falls > 0, np.nextafter(bound, 0.0), score)
        return score, np.where(falls > 0, since + falls * period, settled)

    def _faded(self, population: Population, now: float) -> tuple[Ints, Floats]:
        """Strength and last decay after the steps that are due."""
        since, cycle = self._since(population), self._cycle(population)
        # Few rows are due on a day; whether one is exactly is for the division to say.
        fading = (now - since > NEARLY * cycle) & (self._tier(population) == 0)
        due = np.flatnonzero(fading & ~kept_always(population, self.tmd))
        strength, settled = population.strength.copy(), population.last_decay_at.copy()
        steps = np.floor((now - since[due]) / cycle[due])
        due, steps = due[steps > 0], steps[steps > 0]
        strength[due] = np.maximum(0.0, strength[due] - steps).astype(np.int64)
        settled[due] = since[due] + steps * cycle[due]
        return strength, settled


def _fate(
    vitality: Vitality, action: int, strength: int, score: float, last_decay_at: float
) -> Fate:
    after = replace(vitality, strength=strength, useful_score=score, last_decay_at=last_decay_at)
    if action == Action.KEEP:
        return Keep(after)
    return ToBin(after, {"strength": 0, "useful_score": score})
